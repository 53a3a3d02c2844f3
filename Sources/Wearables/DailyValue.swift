import FHIRModel

/// One value of a call, checked.
struct DailyValue {
  let metric: Metric
  let day: LocalDay
  /// The seconds of the day where the person was.
  let seconds: Range<Int>
  let content: Content
  /// Whether the person typed it in; else the call says who reported it.
  var isManual = false

  /// What is to be known of the day.
  enum Content: Hashable {
    case withdrawn
    case numbers(Numbers)
    /// What is recorded by name: a symptom's severity.
    case coded(CategoryValue)
    /// All parts of the metric, in their order, of which some may not be known.
    case parts([ObservationDraft.Part])
    /// All parts of the metric as well, of which only those of these names are told: the others stay
    /// as they stand.
    case someParts([ObservationDraft.Part], told: Set<String>)
  }

  var key: DailyValueKey { DailyValueKey(metric: metric.name, day: day) }

  init(
    _ element: JSONValue, metrics: MetricTable, call: DailyCall
  ) throws(DailyValues.Refusal) {
    guard element.kind == .object else { throw .init(reason: "A value must be an object.") }
    for member in element.members where !Self.members.contains(member.name) {
      throw .init(reason: "A value has no member \(member.name).")
    }
    metric = try Self.metric(element["metric"], among: metrics)
    day = try Self.day(element["day"])
    seconds = try call.seconds(of: day)
    content = try Content(element, of: metric, from: call.origin, metrics: metrics)
    isManual = try Self.isManual(element["manual"])
  }

  init(metric: Metric, day: LocalDay, seconds: Range<Int>, content: Content) {
    self.metric = metric
    self.day = day
    self.seconds = seconds
    self.content = content
  }

  /// Values of some or all parts of a metric as one of that, or as its withdrawal; `nil` if there are
  /// none.
  init?(of whole: Metric, _ values: [DailyValue], metrics: MetricTable) {
    guard let first = values.first else { return nil }
    let known = values.filter { $0.content != .withdrawn }
    let parts = metrics.parts(of: whole).map { part in
      let value = known.first { $0.metric.name == part.name }
      return ObservationDraft.Part(part, value?.content.numbers)
    }
    let content: Content =
      switch values.count {
      case ..<whole.parts.count: .someParts(parts, told: Set(values.map(\.metric.name)))
      default: known.isEmpty ? .withdrawn : .parts(parts)
      }
    self.init(metric: whole, day: first.day, seconds: first.seconds, content: content)
    isManual = !known.isEmpty && known.allSatisfy(\.isManual)
  }

  private static let members: Set<String> = ["metric", "day", "value", "min", "max", "manual"]

  private static func metric(
    _ value: JSONValue?, among metrics: MetricTable
  ) throws(DailyValues.Refusal) -> Metric {
    guard let name = value?.string else { throw .init(reason: "metric must be a text.") }
    guard let metric = metrics[name] else { throw .init(reason: "There is no metric “\(name)”.") }
    guard metric.hasDayValue else { throw .init(reason: "\(name) is no value of a day.") }
    return metric
  }

  private static func day(_ value: JSONValue?) throws(DailyValues.Refusal) -> LocalDay {
    guard let text = value?.string else { throw .init(reason: "day must be a text.") }
    guard let day = LocalDay(text) else {
      throw .init(reason: "“\(text)” is no day of the calendar (YYYY-MM-DD).")
    }
    return day
  }

  private static func isManual(_ value: JSONValue?) throws(DailyValues.Refusal) -> Bool {
    guard let value, value.kind != .null else { return false }
    guard let isManual = value.bool else { throw .init(reason: "manual must be true or false.") }
    return isManual
  }
}

extension DailyValue.Content {
  fileprivate var numbers: Numbers? {
    if case .numbers(let numbers) = self { numbers } else { nil }
  }
}

/// What may stand only once in a call.
struct DailyValueKey: Hashable {
  let metric: String
  let day: LocalDay
}

extension DailyCall {
  /// The seconds of a day in the person's zone.
  ///
  /// - Throws: where there is no such day, or it hasn't begun.
  func seconds(of day: LocalDay) throws(DailyValues.Refusal) -> Range<Int> {
    try check(zone.seconds(of: day), of: day)
  }

  /// - Throws: for seconds in which nothing can be measured, or that FHIR can't write.
  func check(
    _ seconds: Range<Int>, of day: LocalDay
  ) throws(DailyValues.Refusal) -> Range<Int> {
    guard !seconds.isEmpty else {
      throw .init(reason: "\(day.text) was left out of the calendar in this time zone.")
    }
    guard Instant(second: seconds.lowerBound) <= now else {
      throw .init(reason: "\(day.text) is still to come.")
    }
    // FHIR writes offsets in minutes, as all zones have them today.
    for (zone, second) in [(zone, seconds.lowerBound), (lastZone, seconds.upperBound - 1)] {
      guard zone.offset(at: second).isMultiple(of: 60) else {
        throw .init(reason: "On \(day.text) this time zone was not whole minutes from UTC.")
      }
    }
    return seconds
  }

  /// Whether the day that ends before `second` is over.
  func isOver(_ seconds: Range<Int>) -> Bool { Instant(second: seconds.upperBound) <= now }
}

extension Instant {
  init(second: Int) { self.init(ticks: Int64(second) * Instant.ticksPerSecond) }
}
