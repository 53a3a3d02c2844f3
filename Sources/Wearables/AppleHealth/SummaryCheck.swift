/// Compares Apple's own totals of a day, which an export holds for the rings of activity, with the
/// values that were made of the samples.
///
/// They may differ: the person's order of sources isn't in the export.
package struct SummaryCheck: Sendable {
  /// What is compared: the attribute, its unit's attribute or its unit, HealthKit's type.
  private static let totals: [(attribute: String, unit: String, type: String)] = [
    ("activeEnergyBurned", "activeEnergyBurnedUnit", "HKQuantityTypeIdentifierActiveEnergyBurned"),
    ("appleExerciseTime", "min", "HKQuantityTypeIdentifierAppleExerciseTime"),
    ("appleStandHours", "", "HKCategoryTypeIdentifierAppleStandHour"),
    ("appleMoveTime", "min", "HKQuantityTypeIdentifierAppleMoveTime"),
  ]

  package struct Result: Sendable {
    /// Days for which the export has totals; a day that comes twice counts once.
    package var days = 0
    package var compared = 0
    package var alike = 0
    /// The days that differ most from Apple's totals.
    package var furthest: [Difference] = []
    package init() {}
  }

  package struct Difference: Hashable, Sendable {
    package var metric: String
    package var day: String
    package var apple: Double
    package var ours: Double
    var share: Double { abs(ours - apple) / max(abs(apple), 1) }
  }

  private var expected: [String: [String: Double]] = [:]
  private var differences: [Difference] = []
  private var compared = 0
  private var alike = 0

  /// Totals this close are the same: one part in a hundred, or one of what is counted.
  private static let tolerance = 0.01
  private static let shownCountMaximum = 10

  /// Notes a summary; of two of one day the later one holds.
  ///
  /// - Parameter since: the first day that is to be compared.
  mutating func note(_ element: AppleElement, metrics: MetricTable, since: LocalDay?) {
    guard let day = element["dateComponents"], let date = LocalDay(day) else { return }
    if let since, date < since { return }
    var totals: [String: Double] = [:]
    for (attribute, unit, type) in Self.totals {
      guard let value = element.number(attribute), value > 0,
        let metric = metrics[.appleHealth, type]
      else { continue }
      let unit = element[unit] ?? unit
      totals[metric.name] = unit.isEmpty ? value : metric.converted(value, from: unit)
    }
    expected[day] = totals
  }

  mutating func compare(_ metric: String, on day: String, ours: Double) {
    guard let apple = expected[day]?[metric] else { return }
    compared += 1
    let difference = Difference(metric: metric, day: day, apple: apple, ours: ours)
    if difference.share <= Self.tolerance || abs(ours - apple) < 1 {
      alike += 1
      return
    }
    differences.append(difference)
    if differences.count > 20 * Self.shownCountMaximum { trim() }
  }

  private mutating func trim() {
    differences.sort { ($1.share, $0.day, $0.metric) < ($0.share, $1.day, $1.metric) }
    differences.removeLast(max(0, differences.count - Self.shownCountMaximum))
  }

  mutating func finish() -> Result {
    trim()
    var result = Result()
    result.days = expected.count
    result.compared = compared
    result.alike = alike
    result.furthest = differences
    return result
  }
}
