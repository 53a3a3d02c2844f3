/// Where the raw samples of one person and origin are kept.
package struct SampleShelf {
  /// Adds samples to what is kept; those that are there already change nothing.
  package let keep: ([SampleChunk]) throws -> Void
  /// Keeps how they were counted, as `SampleRule.text`.
  package let keepRule: (String) throws -> Void

  package init(
    keep: @escaping ([SampleChunk]) throws -> Void, keepRule: @escaping (String) throws -> Void
  ) {
    self.keep = keep
    self.keepRule = keepRule
  }
}

extension DayEngine {
  /// Adds kept samples again; those of a metric or zone that is no more are given back as a count.
  ///
  /// - Throws: what the sorter throws.
  package mutating func add(_ chunk: SampleChunk, metrics: MetricTable) throws -> Int {
    guard let metric = metrics[chunk.metric] else { return chunk.count }
    let sources = chunk.sources.map { self.sources.position(of: $0) }
    let zones = chunk.zones.map { self.zones.position(written: $0) }
    var unknown = 0
    for row in chunk.rows {
      guard let source = sources[row.source], let zone = zones[row.zone] else {
        unknown += 1
        continue
      }
      try add(
        Sample(
          metric: UInt16(metric.position), source: source, zone: zone, isManual: row.isManual,
          start: row.start, end: row.end, modified: row.modified, value: row.value))
    }
    return unknown
  }
}
