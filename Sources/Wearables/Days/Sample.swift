/// One reading of one source: what an export holds for one type and stretch of time.
///
/// Of fixed size, so that many of them can be sorted outside memory.
package struct Sample: Hashable, Sendable {
  /// Position of the row in `MetricTable.metrics`. A sleep stage or a symptom is a row of its own.
  package var metric: UInt16
  /// Position in the engine's `SourceList`.
  package var source: UInt16
  /// Position in the engine's `ZoneList`; 0 is the home zone, with its history.
  package var zone: UInt16
  /// Whether a person typed it in (`HKWasUserEntered`, a recording method of 3).
  package var isManual: Bool
  /// Milliseconds since 1970; `end` is not part of the stretch, and may equal `start`.
  package var start: Int64
  package var end: Int64
  /// When the source last changed it, in milliseconds since 1970 (`creationDate`,
  /// `last_modified_time`); of two that overlap and are otherwise equal, the later one counts.
  package var modified: Int64
  /// In the metric's unit; of no meaning for durations, which are `end - start`.
  package var value: Double

  package init(
    metric: UInt16, source: UInt16, zone: UInt16 = 0, isManual: Bool = false, start: Int64,
    end: Int64, modified: Int64 = 0, value: Double
  ) {
    self.metric = metric
    self.source = source
    self.zone = zone
    self.isManual = isManual
    self.start = start
    self.end = end
    self.modified = modified
    self.value = value
  }
}

extension Sample: Comparable {
  /// By metric, then by start; what follows only makes the order total, so that the same samples
  /// give the same values in whatever order they came. Equal readings stand side by side.
  package static func < (left: Sample, right: Sample) -> Bool {
    if left.metric != right.metric { return left.metric < right.metric }
    if left.start != right.start { return left.start < right.start }
    if left.end != right.end { return left.end < right.end }
    if left.source != right.source { return left.source < right.source }
    if left.value != right.value { return left.value < right.value }
    if left.modified != right.modified { return left.modified < right.modified }
    if left.zone != right.zone { return left.zone < right.zone }
    return !left.isManual && right.isManual
  }

  /// Whether both say the same: an export may repeat a reading (as a member of a correlation, say),
  /// and it has no identifier by which to tell.
  func isSameReading(as other: Sample) -> Bool {
    metric == other.metric && source == other.source && start == other.start && end == other.end
      && value == other.value
  }
}
