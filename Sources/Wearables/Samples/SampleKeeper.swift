/// Gathers samples that come by rising metric and start into chunks.
struct SampleKeeper {
  private let metrics: MetricTable
  private let sources: SourceList
  private let zones: ZoneList
  private let deliver: ([SampleChunk]) throws -> Void
  private var rows: [SampleChunk.Row] = []
  private var metric: UInt16 = 0
  private var day: Int32 = 0
  private var chunks: [SampleChunk] = []
  private var waiting = 0

  /// How many samples are handed over at a time.
  private static let batchSampleCount = 50_000

  init(
    metrics: MetricTable, sources: SourceList, zones: ZoneList,
    deliver: @escaping ([SampleChunk]) throws -> Void
  ) {
    self.metrics = metrics
    self.sources = sources
    self.zones = zones
    self.deliver = deliver
  }

  mutating func take(_ sample: Sample) throws {
    let day = Int32(sample.start.flooredQuotient(by: SampleChunk.millisecondsPerDay))
    if sample.metric != metric || day != self.day { try close() }
    (metric, self.day) = (sample.metric, day)
    rows.append(
      SampleChunk.Row(
        start: sample.start, end: sample.end, modified: sample.modified, value: sample.value,
        source: Int(sample.source), zone: Int(sample.zone), isManual: sample.isManual))
  }

  mutating func finish() throws {
    try close()
    if !chunks.isEmpty { try deliver(chunks) }
    (chunks, waiting) = ([], 0)
  }

  private mutating func close() throws {
    guard !rows.isEmpty else { return }
    chunks.append(
      SampleChunk(
        metric: metrics.metrics[Int(metric)].name, day: day, sources: sources.sources,
        zones: zones.names, rows: rows))
    waiting += rows.count
    rows.removeAll(keepingCapacity: true)
    guard waiting >= Self.batchSampleCount else { return }
    try deliver(chunks)
    (chunks, waiting) = ([], 0)
  }
}
