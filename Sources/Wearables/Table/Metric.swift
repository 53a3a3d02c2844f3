/// What a phone or watch measures or records: one row of `spec/tables/metrics.tsv`.
package struct Metric: Sendable {
  /// The place of its row in the table, from 0.
  package let position: Int
  /// The name in the call and in the stable identifier: `heart_rate`.
  package let name: String
  package let furtherNames: [String]
  package let title: String
  /// The unit of its numbers; `nil` for what is coded, has parts or is an event without a number.
  package let unit: Unit?
  /// The values that a person can have, in that unit: unbounded where that isn't sure.
  package let range: ClosedRange<Double>
  /// What makes a day's value of its samples.
  package let aggregation: Aggregation
  package let category: Coding
  /// The profile that every Observation of this metric meets.
  package let profile: String?
  /// Its codes; none where only the origin's own name of the type is right.
  package let codings: [Coding]
  /// The components' codes; `nil` where a day has no least and greatest value.
  package let extremes: Extremes?
  /// The names of the metrics that are its components: a blood pressure has two pressures.
  package let parts: [String]
  /// What each origin calls the type.
  package let sourceTypes: [Origin: SourceType]

  package struct Extremes: Hashable, Sendable {
    package let minimum: Coding
    package let maximum: Coding
  }

  /// The unit in UCUM: `/min`; empty where it has none.
  package var ucum: String { unit?.ucum ?? "" }

  /// A value in the metric's unit. Exact: 98.6 degF are 37 Cel, 0.57 of HealthKit's % are 57.
  ///
  /// - Parameter unit: as HealthKit's exports and Health Connect name it, or of a duration `ms`.
  /// - Returns: `nil` for a unit that is not known of this metric; it is reported, never guessed.
  package func converted(_ value: Double, from unit: String) -> Double? {
    self.unit?.conversions[unit].map { $0(value) }
  }

  /// Whether a phone may send one value a day of it.
  package var hasDayValue: Bool {
    switch aggregation {
    case .sum, .average, .last, .maximum, .count, .duration: true
    case .perEvent, .once, .part: false
    }
  }
}

/// What makes a day's value of its samples.
package enum Aggregation: String, CaseIterable, Sendable {
  case sum, average, last, maximum, count
  /// The length of the union of the intervals.
  case duration
  /// Not a day's value: every event stands for itself.
  case perEvent
  /// Not a day's value: a fact that doesn't change.
  case once
  /// Only part of another metric.
  case part
}
