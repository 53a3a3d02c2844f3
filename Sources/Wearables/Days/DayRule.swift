/// How a metric's samples become the value of a day.
struct DayRule: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// Where several sources cover the same time one of them counts; samples are spread over it.
    case sum
    /// Every sample counts, whatever its source and its time: what is eaten adds up. What lasts
    /// belongs wholly to the day on which it begins, or is spread over its days.
    case total(isSpread: Bool)
    /// The time that at least one sample covers, in units of so many milliseconds.
    case duration(unit: Double)
    /// The arithmetic mean of all samples.
    case average
    /// The sample that ends last.
    case last
    case maximum
    case count
  }

  var kind: Kind
  /// Whether a sample belongs to the day of waking rather than to that on which it begins.
  var isOfTheNight: Bool
  /// The values that a sample can have.
  var range: ClosedRange<Double>

  /// `nil` for a metric that has no value of a day.
  ///
  /// - Parameter addsUp: whether a sum takes all samples, whatever their source and their time.
  init?(_ metric: Metric, addsUp: Bool = false) {
    guard let kind = Kind(metric) else { return nil }
    self.kind =
      kind == .sum && (addsUp || metric.isOfInstants) ? .total(isSpread: !addsUp) : kind
    isOfTheNight = metric.name.hasPrefix("sleep_") || metric.name.hasPrefix("sleeping_")
    // A day's least total says nothing about a part of it.
    range =
      kind == .sum ? min(0, metric.range.lowerBound)...metric.range.upperBound : metric.range
  }

  func takes(_ value: Double) -> Bool {
    if case .duration = kind { return true }
    return range.contains(value)
  }

  /// Whether it is a stretch of sleep, of which a night is made.
  var isSleep: Bool {
    if case .duration = kind { return isOfTheNight }
    return false
  }
}

extension DayRule {
  /// The day on which the night ends that a stretch of sleep is part of; `nil` for what is none.
  func wakingDay(
    of sample: Sample, _ nights: Nights, _ zones: inout ZoneList
  ) -> Int? {
    guard isSleep, let waking = nights.waking(after: sample.start) else { return nil }
    return zones.span(at: waking.end, in: waking.zone).number
  }

  /// The last day that a sample belongs to.
  func lastDay(
    of sample: Sample, _ nights: Nights, _ zones: inout ZoneList
  ) -> Int {
    if let day = wakingDay(of: sample, nights, &zones) { return day }
    let last =
      switch kind {
      case .sum, .duration, .total(isSpread: true): max(sample.start, sample.end - 1)
      case .total, .average, .last, .maximum, .count:
        isOfTheNight ? sample.end : sample.start
      }
    return zones.span(at: last, in: sample.zone).number
  }
}

extension Metric {
  /// Whether several readings may well be of one instant: the foods of a meal, a dose beside another.
  /// By the rule of steps, of which a person takes no two at a time, one of them would count.
  fileprivate var isOfInstants: Bool {
    let others = [
      "insulin_delivery", "inhaler_usage", "number_of_alcoholic_beverages",
      "number_of_times_fallen",
    ]
    return name.hasPrefix("dietary_") || others.contains(name)
  }
}

extension DayRule.Kind {
  fileprivate init?(_ metric: Metric) {
    switch metric.aggregation {
    case .sum: self = .sum
    case .average: self = .average
    case .last: self = .last
    case .maximum: self = .maximum
    case .count: self = .count
    case .duration:
      guard let unit = Self.milliseconds[metric.ucum] else { return nil }
      self = .duration(unit: unit)
    case .perEvent, .once, .part: return nil
    }
  }

  /// The units of durations.
  private static let milliseconds: [String: Double] = ["h": 3_600_000, "min": 60_000, "s": 1_000]
}
