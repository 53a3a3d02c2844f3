/// A number with the least and the greatest of its time, as JSON writes them, in the metric's unit.
package struct Numbers: Hashable, Sendable {
  package var value: DecimalText
  package var minimum: DecimalText?
  package var maximum: DecimalText?

  package init(value: DecimalText, minimum: DecimalText? = nil, maximum: DecimalText? = nil) {
    self.value = value
    self.minimum = minimum
    self.maximum = maximum
  }

  /// - Throws: for what no person has, and for extremes that aren't.
  package func check(against metric: Metric) throws(DailyValues.Refusal) {
    if metric.extremes == nil, minimum != nil || maximum != nil {
      throw .init(reason: "\(metric.name) is \(metric.lackOfExtremes).")
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
    if let minimum, value.number < minimum.number,
      value.number < minimum.number - minimum.halfStep
    {
      throw .init(reason: "value \(value.text) is below min \(minimum.text).")
    }
    if let maximum, value.number > maximum.number,
      value.number > maximum.number + maximum.halfStep
    {
      throw .init(reason: "value \(value.text) is above max \(maximum.text).")
    }
  }

  /// HealthKit gives percentages as fractions of 1.
  mutating func scaleFractions(of metric: Metric) {
    guard metric.mayComeAsFraction, all.allSatisfy({ $0.number <= 1 }) else { return }
    value = value.timesHundred
    minimum = minimum?.timesHundred
    maximum = maximum?.timesHundred
  }

  private var all: [DecimalText] { [value, minimum, maximum].compactMap(\.self) }
}

extension Metric {
  /// Whether a number up to 1 can only be a fraction: nobody lives with a saturation of 1 %. Where
  /// 1 % can be, as of alcohol in blood, nothing is guessed.
  fileprivate var mayComeAsFraction: Bool { ucum == "%" && range.lowerBound > 1 }

  fileprivate var lackOfExtremes: String {
    switch aggregation {
    case .sum, .count, .duration: "a day's total: it has no min and max"
    case .average, .last, .maximum, .perEvent, .once, .part: "one value: it has no min and max"
    }
  }
}
