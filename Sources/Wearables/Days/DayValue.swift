/// What one metric comes to on one local day.
package struct DayValue: Hashable, Sendable {
  /// Position of the row in `MetricTable.metrics`.
  package let metric: UInt16
  package let day: LocalDay
  /// Position in the engine's `ZoneList`: that of all its samples, or 0 (home) where they differ.
  package let zone: UInt16
  /// In the metric's unit, to nine significant digits.
  package let value: Double
  /// The smallest and greatest sample; `nil` for totals, durations and counts.
  package let minimum: Double?
  package let maximum: Double?
  /// The samples that count in it, and how many of them a person typed in.
  package let sampleCount: Int
  package let manualCount: Int
  /// Positions in the engine's `SourceList` of the sources that count in it, rising.
  package let sources: [UInt16]

  /// Whether all of it was typed in.
  package var isManual: Bool { manualCount == sampleCount }
}
