import Archive
import FHIRModel

/// How an export of Health Connect is to be read.
package struct HealthConnectOptions: Sendable {
  package let patient: ResourceID
  /// Where the person lives; `nil` to take the offset that most records have.
  package var home: HomeZone?
  /// The moment against which a day is over or not yet.
  package let now: Instant
  /// Only days from this one on.
  package var since: LocalDay?
  /// Leaves out what the person typed in.
  package var withoutManual = false

  package init(patient: ResourceID, home: HomeZone? = nil, now: Instant) {
    self.patient = patient
    self.home = home
    self.now = now
  }
}

/// Takes an export in: reads it, makes values of its samples, and hands out what is to be performed.
package struct HealthConnectImport {
  /// Performs interactions together, and gives a result for each.
  package typealias Perform = (ImportBatch) throws -> [Result<Outcome, any Error>]

  private let export: HealthConnectExport
  private let options: HealthConnectOptions
  private let metrics: MetricTable
  private let sorter: any SampleSorter
  private let perform: Perform
  private let watch: (ImportProgress) throws -> Void
  private var batch: [Interaction] = []
  private var progress = ImportProgress()

  /// Other writers wait for a commit, so that it is bounded.
  private static let batchCountMaximum = 1_000

  /// - Parameters:
  ///   - sorter: where samples are put in order.
  ///   - watch: told after each batch how far it is; what it throws ends the import.
  package init(
    _ export: HealthConnectExport, _ options: HealthConnectOptions,
    metrics: MetricTable = .shared, sorter: any SampleSorter = SpillSampleSorter(),
    perform: @escaping Perform, watch: @escaping (ImportProgress) throws -> Void = { _ in }
  ) {
    self.export = export
    self.options = options
    self.metrics = metrics
    self.sorter = sorter
    self.perform = perform
    self.watch = watch
  }

  /// Where the raw samples are kept, if they are.
  package var shelf: SampleShelf?

  /// Takes all of it in.
  ///
  /// - Throws: `InteractionError` if the person isn't there or nothing may be written; what `perform`
  ///   and `watch` throw. What was performed by then stays.
  package mutating func run() throws -> HealthConnectReport {
    try checkPerson()
    let home = try options.home ?? export.usualHome()
    var reader = HealthConnectReader(
      export, home: home, withoutManual: options.withoutManual, since: options.since,
      metrics: metrics, sorter: sorter)
    reader.engine.shelf = shelf
    reader.latest = options.now.ticks / (Instant.ticksPerSecond / 1_000)
    if options.home == nil {
      reader.report.notices.append(
        "no home zone is given: days are those of \(home.description), as most records have it")
    }
    try reader.read { try take($1, of: &$0) }
    progress.records = reader.report.readCount
    try writeDays(of: &reader)
    try deliver(&reader.report)
    return reader.report
  }

  private func checkPerson() throws {
    let results = try perform(
      ImportBatch(
        interactions: [.read(options.patient)], sourceSystem: SourceSystem.healthConnect.uri))
    guard case .found? = try results.first?.get() else {
      throw InteractionError.notFound(options.patient)
    }
  }

  private mutating func take(
    _ event: HealthConnectEvent, of reader: inout HealthConnectReader
  ) throws {
    let place = event.kind == nil ? \HealthConnectReport.events : \.workouts
    reader.report[keyPath: place].read += 1
    guard let draft = reader.draft(of: event, for: options) else { return }
    do throws(DailyValues.Refusal) {
      batch.append(try draft.interaction())
    } catch {
      return reader.report.skip(.invalid, event.type)
    }
    reader.report.used += 1
    reader.report[keyPath: place].taken += 1
    if batch.count >= Self.batchCountMaximum { try deliver(&reader.report) }
  }

  private mutating func writeDays(of reader: inout HealthConnectReader) throws {
    let writer = DayWriter(
      for: options.patient, origin: .healthConnect, source: .healthConnect, engine: reader.engine,
      metrics: metrics, now: options.now)
    var report = reader.report
    // Of what could be read only in part a day may have a part alone.
    let isWhole = report.damages.isEmpty
    try writer.write(&reader.engine, since: options.since) { written in
      switch written.content {
      case .failure(let refusal):
        report.results.refuse("\(written.metric.name) \(written.day.text): \(refusal.reason)")
      case .success(let interaction):
        report.days += 1
        batch.append(isWhole ? interaction : interaction.asFilling)
        if batch.count >= Self.batchCountMaximum { try deliver(&report) }
      }
    }
    reader.report = reader.settled(report)
  }

  private mutating func deliver(_ report: inout HealthConnectReport) throws {
    guard !batch.isEmpty else { return }
    let results = try perform(
      ImportBatch(interactions: batch, sourceSystem: SourceSystem.healthConnect.uri))
    batch = []
    if let failure = results.commonFailure { throw failure }
    report.results.note(results)
    progress.resources += results.count
    try watch(progress)
  }
}

extension SourceSystem {
  /// Health Connect's export, which holds what apps handed over.
  static let healthConnect = export(of: .healthConnect)
}
