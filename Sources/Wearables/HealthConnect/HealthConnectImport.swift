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
  private let export: HealthConnectExport
  private let options: HealthConnectOptions
  private let metrics: MetricTable
  private let sorter: any SampleSorter
  private let delivery: ImportDelivery
  private let watch: (ImportProgress) throws -> Void
  private var batch: [Interaction] = []
  private var progress = ImportProgress()

  /// - Parameters:
  ///   - sorter: where samples are put in order.
  ///   - watch: told after each batch how far it is; what it throws ends the import.
  package init(
    _ export: HealthConnectExport, _ options: HealthConnectOptions,
    metrics: MetricTable = .shared, sorter: any SampleSorter = SpillSampleSorter(),
    perform: @escaping ImportDelivery.Perform,
    prepare: @escaping ImportDelivery.Prepare = { _ in nil },
    watch: @escaping (ImportProgress) throws -> Void = { _ in }
  ) {
    self.export = export
    self.options = options
    self.metrics = metrics
    self.sorter = sorter
    delivery = ImportDelivery(from: .healthConnect, perform: perform, prepare: prepare)
    self.watch = watch
  }

  /// Where the raw samples are kept, if they are.
  package var shelf: SampleShelf?

  /// Takes all of it in. It is run once: nothing is delivered when it has ended.
  ///
  /// - Throws: `InteractionError` if the person isn't there or nothing may be written; what `perform`
  ///   and `watch` throw. What was performed by then stays.
  package mutating func run() throws -> HealthConnectReport {
    // Whatever ends it, nothing is under way when it has ended.
    defer { delivery.cancel() }
    delivery.checkPerson(options.patient)
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
    try deliver(&reader.report)
    try deliverDays(of: &reader)
    try note(try delivery.finish(), in: &reader.report)
    return reader.report
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
    if batch.count >= ImportDelivery.batchCountMaximum { try deliver(&reader.report) }
  }

  private mutating func deliverDays(of reader: inout HealthConnectReader) throws {
    let writer = DayWriter(
      for: options.patient, origin: .healthConnect, source: .healthConnect, engine: reader.engine,
      metrics: metrics, now: options.now)
    var report = reader.report
    // Of what could be read only in part a day may have a part alone.
    let fillsOnly = !report.damages.isEmpty
    try delivery.addDays(
      of: &reader.engine, by: writer, since: options.since, fillsOnly: fillsOnly
    ) { try note($0, in: &report) }
    reader.report = reader.settled(report)
  }

  private mutating func deliver(_ report: inout HealthConnectReport) throws {
    delivery.add(batch)
    batch = []
    try note(try delivery.take(), in: &report)
  }

  /// Takes what became of batches into the report, and tells how far the import is.
  private mutating func note(
    _ batches: [PerformedBatch], in report: inout HealthConnectReport
  ) throws {
    for batch in batches {
      report.note(batch)
      progress.resources += batch.results.count
      if !batch.results.isEmpty { try watch(progress) }
    }
  }
}

extension SourceSystem {
  /// Health Connect's export, which holds what apps handed over.
  static let healthConnect = export(of: .healthConnect)
}
