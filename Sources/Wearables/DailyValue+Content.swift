import FHIRModel

extension DailyValue.Content {
  /// Reads `value`, `min` and `max`: numbers; of a metric with parts, objects with a number for each;
  /// of what is coded, the origin's name or number of the value. Null withdraws the day.
  init(
    _ element: JSONValue, of metric: Metric, from origin: Origin, metrics: MetricTable
  ) throws(DailyValues.Refusal) {
    guard let value = element["value"] else {
      throw .init(reason: "value is missing; null withdraws the day.")
    }
    if value.kind == .null {
      self = .withdrawn
    } else if !metric.parts.isEmpty {
      self = .parts(try Self.parts(SentNumbers(element), of: metric, metrics: metrics))
    } else if metric.unit != nil {
      self = .numbers(try SentNumbers(element).numbers(of: metric))
    } else {
      guard element["min"] ?? element["max"] == nil else {
        throw .init(reason: "\(metric.name) is a name: it has no min and max.")
      }
      self = .coded(try Self.code(value, of: metric, from: origin))
    }
  }

  private static func parts(
    _ sent: SentNumbers, of metric: Metric, metrics: MetricTable
  ) throws(DailyValues.Refusal) -> [ObservationDraft.Part] {
    let parts = metrics.parts(of: metric)
    let names = Set(parts.map { $0.shortName(in: metric) })
    for value in sent.all {
      guard value.kind == .object, names.isSuperset(of: value.members.map(\.name)) else {
        let rule = names.sorted(by: >).joined(separator: " and ")
        throw .init(reason: "value, min and max of \(metric.name) are objects with \(rule).")
      }
    }
    var read: [ObservationDraft.Part] = []
    for part in parts {
      let name = part.shortName(in: metric)
      do throws(DailyValues.Refusal) {
        read.append(.init(part, try sent.of(name).numbers(of: part)))
      } catch {
        throw .init(reason: "\(name): \(error.reason)")
      }
    }
    return read
  }

  private static func code(
    _ value: JSONValue, of metric: Metric, from origin: Origin
  ) throws(DailyValues.Refusal) -> CategoryValue {
    guard let type = metric.sourceTypes[origin], !type.values.isEmpty else {
      throw .init(reason: "\(origin.rawValue) has no \(metric.name).")
    }
    guard let found = (value.string ?? value.numberText).flatMap(type.value) else {
      let names = type.values.map { "\($0.code) (\($0.raw))" }.joined(separator: ", ")
      throw .init(reason: "value is none of \(names).")
    }
    return found
  }
}

/// What a call says of one metric and day, before it is numbers.
private struct SentNumbers {
  var value: JSONValue?
  var minimum: JSONValue?
  var maximum: JSONValue?

  init(_ element: JSONValue) {
    value = element["value"]
    minimum = element.given("min")
    maximum = element.given("max")
  }

  var all: [JSONValue] { [value, minimum, maximum].compactMap(\.self) }

  /// What is said of one part.
  func of(_ name: String) -> SentNumbers {
    var part = self
    part.value = value?[name]
    part.minimum = minimum?.given(name)
    part.maximum = maximum?.given(name)
    return part
  }

  func numbers(of metric: Metric) throws(DailyValues.Refusal) -> Numbers {
    guard let value else { throw .init(reason: "value is missing.") }
    var numbers = Numbers(value: try Self.number(value, "value"))
    if let minimum { numbers.minimum = try Self.number(minimum, "min") }
    if let maximum { numbers.maximum = try Self.number(maximum, "max") }
    numbers.scaleFractions(of: metric)
    try numbers.check(against: metric)
    return numbers
  }

  private static func number(
    _ value: JSONValue, _ name: String
  ) throws(DailyValues.Refusal) -> DecimalText {
    guard let text = value.numberText else { throw .init(reason: "\(name) is not a number.") }
    guard let number = DecimalText(json: text) else {
      throw .init(reason: "\(name) is \(text), which no phone measures.")
    }
    return number
  }
}

extension JSONValue {
  /// A member that isn't null.
  fileprivate func given(_ name: String) -> JSONValue? {
    self[name].flatMap { $0.kind == .null ? nil : $0 }
  }
}

extension Metric {
  /// The name of a part inside its metric: `systolic` of `blood_pressure_systolic`.
  fileprivate func shortName(in whole: Metric) -> String {
    name.hasPrefix(whole.name + "_") ? String(name.dropFirst(whole.name.count + 1)) : name
  }
}
