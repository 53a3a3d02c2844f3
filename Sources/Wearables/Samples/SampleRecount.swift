import FHIRModel

/// Makes day values anew of samples that were kept, by a rule that may be another one now.
///
/// A day on which there are samples and which has no value any more is withdrawn, if an import wrote
/// it: what the phone itself sent stays.
package struct SampleRecount {
  /// What came of it.
  package struct Report: Sendable {
    package var samples = 0
    /// Of metrics or zones that this program doesn't know.
    package var unknown = 0
    package var days = 0
    package var withdrawn = 0
    package var results = ImportResults()
    /// What else whoever asked should know.
    package var notices: [String] = []
  }

  private let patient: ResourceID
  private let origin: Origin
  private let metrics: MetricTable
  private let now: Instant
  private let perform: (ImportBatch) throws -> [Result<Outcome, any Error>]
  private var engine: DayEngine
  private let since: LocalDay?
  private let sourcesFirst: [String]
  private var touched = TouchedDays()
  private var report = Report()
  private var batch: [Interaction] = []

  private static let batchCountMaximum = 1_000

  /// - Parameters:
  ///   - sourcesFirst: the names by which sources were asked for to count first, to tell which are of none.
  ///   - perform: performs interactions together, and gives a result for each.
  package init(
    for patient: ResourceID, _ origin: Origin, by rule: SampleRule, sourcesFirst: [String] = [],
    metrics: MetricTable = .shared, now: Instant,
    perform: @escaping (ImportBatch) throws -> [Result<Outcome, any Error>]
  ) {
    self.patient = patient
    self.origin = origin
    self.metrics = metrics
    self.now = now
    self.perform = perform
    engine = DayEngine(rule, metrics: metrics)
    since = rule.since
    self.sourcesFirst = sourcesFirst
  }

  /// Takes kept samples.
  ///
  /// - Throws: what the engine's sorter throws.
  package mutating func add(_ chunk: SampleChunk) throws {
    report.samples += chunk.count
    report.unknown += try engine.add(chunk, metrics: metrics)
    if let metric = metrics[chunk.metric] {
      touched.note(chunk, of: metrics.whole(of: metric) ?? metric)
    }
  }

  /// Writes the values.
  ///
  /// - Parameter exists: whether something stored matches.
  /// - Throws: what `perform` and `exists` throw.
  package mutating func finish(exists: (Query) throws -> Bool) throws -> Report {
    let writer = DayWriter(
      for: patient, origin: origin, source: origin.importSource, engine: engine, metrics: metrics,
      now: now)
    report.notices = SourcePriority.strangers(among: sourcesFirst, to: engine.sources.sources)
    var engine = self.engine
    try writer.write(&engine, since: since) { written in
      touched.remove(written.day, of: written.metric)
      report.days += 1
      switch written.content {
      case .success(let interaction): batch.append(interaction)
      case .failure(let refusal):
        report.results.refuse("\(written.metric.name) \(written.day.text): \(refusal.reason)")
      }
      if batch.count >= Self.batchCountMaximum { try deliver() }
    }
    try withdraw(exists)
    try deliver()
    return report
  }

  private mutating func withdraw(_ exists: (Query) throws -> Bool) throws {
    for (metric, day) in touched.days(metrics) where since.map({ day >= $0 }) ?? true {
      var query = DailyValue.identifier(
        of: metric, on: day, for: patient, from: origin
      ).query
      query.parameters.append(QueryParameter(name: "_source", value: origin.importSource.uri))
      if try exists(query) { batch.append(.conditionalDelete(matching: query)) }
      if batch.count >= Self.batchCountMaximum { try deliver() }
    }
  }

  private mutating func deliver() throws {
    guard !batch.isEmpty else { return }
    let results = try perform(
      ImportBatch(interactions: batch, sourceSystem: origin.importSource.uri))
    batch = []
    if let failure = results.commonFailure { throw failure }
    for result in results {
      if case .success(.deleted(.some)) = result { report.withdrawn += 1 }
    }
    report.results.note(
      results.filter { if case .success(.deleted) = $0 { false } else { true } })
  }
}

/// The days on which samples of a metric lie, in whatever zone.
private struct TouchedDays {
  /// By the metric's position.
  private var numbers: [Int: Set<Int>] = [:]

  /// What lasts longer is no reading of a day.
  private static let lengthMaximum: Int64 = 3 * 86_400_000

  mutating func note(_ chunk: SampleChunk, of metric: Metric) {
    let days = chunk.rows.reduce(Int64(0)) { max($0, $1.end - $1.start) }
    let first = Int(chunk.day) - 1
    let last = first + 2 + Int(min(days, Self.lengthMaximum) / 86_400_000) + 1
    numbers[metric.position, default: []].formUnion(first...last)
  }

  mutating func remove(_ day: LocalDay, of metric: Metric) {
    numbers[metric.position]?.remove(day.number)
  }

  func days(_ metrics: MetricTable) -> [(Metric, LocalDay)] {
    numbers.sorted { $0.key < $1.key }.flatMap { position, days in
      days.sorted().compactMap { LocalDay(number: $0) }.map { (metrics.metrics[position], $0) }
    }
  }
}

extension Origin {
  /// The program that wrote the export.
  var importSource: SourceSystem {
    switch self {
    case .appleHealth: .appleHealth
    case .healthConnect: .healthConnect
    }
  }
}
