import FHIRModel

extension Metric {
  /// Whether a number up to 1 can only be a fraction: nobody lives with a saturation of 1 %. Where
  /// 1 % can be, as of alcohol in blood, nothing is guessed.
  fileprivate var mayComeAsFraction: Bool { ucum == "%" && range.lowerBound > 1 }
}

extension DailyValue.Numbers {
  /// Reads `value`, `min` and `max`; `nil` where `value` is null, which withdraws the day.
  init?(_ element: JSONValue, of metric: Metric) throws(DailyValues.Refusal) {
    guard let sent = element["value"] else {
      throw .init(reason: "value is missing; null withdraws the day.")
    }
    if sent.kind == .null { return nil }
    value = try Self.number(sent, "value")
    minimum = try Self.optionalNumber(element["min"], "min")
    maximum = try Self.optionalNumber(element["max"], "max")
    if metric.mayComeAsFraction { scaleFractions() }
    try check(against: metric)
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

  private static func optionalNumber(
    _ value: JSONValue?, _ name: String
  ) throws(DailyValues.Refusal) -> DecimalText? {
    guard let value, value.kind != .null else { return nil }
    return try number(value, name)
  }

  /// HealthKit gives percentages as fractions of 1.
  private mutating func scaleFractions() {
    guard all.allSatisfy({ $0.number <= 1 }) else { return }
    value = value.timesHundred
    minimum = minimum?.timesHundred
    maximum = maximum?.timesHundred
  }

  private var all: [DecimalText] { [value, minimum, maximum].compactMap(\.self) }

  func check(against metric: Metric) throws(DailyValues.Refusal) {
    if metric.extremes == nil, minimum != nil || maximum != nil {
      throw .init(reason: "\(metric.name) is a day's total: it has no min and max.")
    }
    for number in all where !metric.range.contains(number.number) {
      throw .init(
        reason: "\(number.text) \(metric.ucum) is no person's \(metric.name): it lies outside "
          + "\(metric.range.lowerBound) to \(metric.range.upperBound).")
    }
    if let minimum, let maximum, minimum.number > maximum.number {
      throw .init(reason: "min \(minimum.text) is above max \(maximum.text).")
    }
    // Phones round the extremes but not the mean, so each may be off by half its last digit.
    if let minimum, value.number < minimum.number - minimum.halfStep {
      throw .init(reason: "value \(value.text) is below min \(minimum.text).")
    }
    if let maximum, value.number > maximum.number + maximum.halfStep {
      throw .init(reason: "value \(value.text) is above max \(maximum.text).")
    }
  }
}
