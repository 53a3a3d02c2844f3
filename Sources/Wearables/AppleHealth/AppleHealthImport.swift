import Archive
import FHIRModel

/// Takes an export in: reads it, makes values of its samples, and hands out what is to be performed.
package struct AppleHealthImport {
  /// Performs interactions together, and gives a result for each; called by one thread at a time,
  /// which is another than the import's.
  package typealias Perform = @Sendable (ImportBatch) throws -> [Result<Outcome, any Error>]
  /// Prepares interactions while those before are performed; called by one thread at a time.
  package typealias Prepare = @Sendable ([Interaction]) -> (any Sendable)?
  /// Told now and then how far it is; what it throws ends the import.
  package typealias Watch = (ImportProgress) throws -> Void

  private let export: AppleExport
  private let options: AppleHealthOptions
  private let perform: Perform
  private let prepare: Prepare
  private let performing = BackgroundLine<PerformedBatch>("kiln.import.performing")
  private let writing = BackgroundLine<Void>("kiln.import.writing")
  private let watch: Watch
  private var reading: AppleHealthReading
  private var progress = ImportProgress()

  /// Other writers wait for a commit, so that it is bounded in count and in bytes.
  private static let batchCountMaximum = 800
  private static let batchByteCountMaximum = 8 << 20
  private static let firstBatchCount = 50

  package init(
    _ export: AppleExport, _ options: AppleHealthOptions, table: MetricTable = .shared,
    sorter: any SampleSorter, perform: @escaping Perform,
    prepare: @escaping Prepare = { _ in nil }, watch: @escaping Watch = { _ in }
  ) {
    self.export = export
    self.options = options
    self.perform = perform
    self.prepare = prepare
    self.watch = watch
    reading = AppleHealthReading(options, table: table, sorter: sorter)
  }

  /// Where the raw samples are kept, if they are.
  package var shelf: SampleShelf? {
    get { reading.engine.shelf }
    set { reading.engine.shelf = newValue }
  }

  /// Takes all of it in.
  ///
  /// - Throws: `InteractionError` if the person isn't there or nothing may be written; `ArchiveError`
  ///   and `AppleExport.Failure` if there is no export to be read; what `watch` throws. What was
  ///   performed by then stays.
  package mutating func run() throws -> AppleHealthReport {
    // Whatever ends it, nothing is under way when it has ended.
    defer {
      writing.cancel()
      performing.cancel()
    }
    checkPerson()
    try readDocument()
    while !reading.pending.isEmpty { try deliver(Self.batch(of: &reading.pending)) }
    if options.updatesPatient { try updatePerson() }
    if export.hasFiles { try readFiles() }
    try deliverDays()
    reading.note(try told(try performing.finish()))
    return reading.finishedReport()
  }

  // MARK: reading

  private mutating func readDocument() throws {
    try export.checkFolder()
    var found: String?
    var unreadable: ArchiveError?
    try readingOn { importer in
      try importer.export.forEachFile { name, source in
        guard !AppleExport.leavesFolder(name) else {
          importer.reading.report.notice(
            "\(name) lies outside of the export and is left out")
          return
        }
        // In a folder it lies beside the others, which was looked at already.
        guard found == nil || importer.export.isArchive,
          try Self.isDocument(&source, &unreadable),
          importer.export.isArchive || !name.contains("/")
        else { return }
        if let found {
          return importer.reading.report.notice(
            "\(name) is a document beside \(found) and is left out: an archive is one export")
        }
        found = name
        try source.readingAhead { try importer.readDocument($0) }
      }
    }
    guard let found else {
      let reasons = [reading.report.endedBecause ?? export.words, unreadable.map { "\($0)" }]
      let words = reasons.compactMap(\.self).joined(separator: "; ")
      throw AppleExport.Failure(
        description: "\(export.path) is no export of Apple Health: \(words)")
    }
    reading.report.document = found
  }

  /// Whether a file is the document; one of which not even the beginning can be read is not, and the
  /// reason of the first is kept.
  private static func isDocument(
    _ source: inout ByteSource, _ unreadable: inout ArchiveError?
  ) throws(ArchiveError) -> Bool {
    do {
      return try AppleExport.isDocument(&source)
    } catch {
      switch error {
      case .corrupt, .encrypted: unreadable = unreadable ?? error
      default: throw error
      }
      return false
    }
  }

  private mutating func readDocument(_ source: ByteSource) throws {
    var xml = XMLReader(source, skippingText: true)
    var reading = self.reading
    self.reading = AppleHealthReading(options, table: reading.table, sorter: MemorySampleSorter())
    defer { self.reading = reading }
    let before = progress.records
    try reading.read(&xml) { reading, step in
      while reading.isMuchPending {
        reading.note(try self.performed(before: Self.batch(of: &reading.pending)))
        if reading.pending.isEmpty { reading.pendingByteCount = 0 }
      }
      reading.note(try self.told(try self.performing.take()))
      self.progress.records = max(before, step.records)
      self.progress.byteCount = step.byteCount
      self.progress.byteCountTotal = step.byteCountTotal
      try self.watch(self.progress)
    }
    progress.records = reading.report.recordsRead
    progress.byteCount = xml.progress.byteCount
    progress.byteCountTotal = xml.progress.of
    if case .corrupt? = xml.sourceFailure, let failure = xml.sourceFailure {
      reading.note(try told(try performing.finish()))
      throw Self.refusal(of: failure, after: reading.report.results)
    }
  }

  /// Where an archive's document is not what its checksum says, any number in it may be another one.
  private static func refusal(
    of damage: ArchiveError, after results: ImportResults
  ) -> AppleExport.Failure {
    let stored = results.created + results.updated
    let rest =
      stored == 0
      ? "so nothing of it is stored"
      : "so no value of a day is stored; \(stored) of its events were before that showed, and may "
        + "be wrong"
    return AppleExport.Failure(
      description: "\(damage): any of its values may be wrong, \(rest). Make the export anew")
  }

  private mutating func readFiles() throws {
    var batch = ImportBatch(interactions: [], sourceSystem: Self.sourceSystem)
    var byteCount = 0
    try readingOn { importer in
      try importer.export.forEachFile { name, source in
        guard !AppleExport.leavesFolder(name),
          AppleExport.belongs(name, to: importer.reading.report.document ?? ""),
          let made = try importer.readFile(name, &source)
        else { return }
        if made.sourceSystem != batch.sourceSystem || byteCount >= Self.batchByteCountMaximum
          || batch.interactions.count >= Self.batchCountMaximum
        {
          try importer.deliver(batch)
          batch = ImportBatch(interactions: [], sourceSystem: made.sourceSystem)
          byteCount = 0
        }
        byteCount += made.interaction.byteCount
        batch.interactions.append(made.interaction)
      }
    }
    try deliver(batch)
  }

  private mutating func readFile(
    _ name: String, _ source: inout ByteSource
  ) throws -> (interaction: Interaction, sourceSystem: String)? {
    do {
      return try reading.readFile(name, &source)
    } catch let error as ArchiveError {
      switch error {
      case .corrupt, .encrypted, .truncated, .tooDense:
        reading.report.leaveOut(.unreadable, at: nil, "\(name): \(error)")
        return nil
      default: throw error
      }
    }
  }

  /// Walks through the files; an archive that was cut off ends the walk and not the import.
  private mutating func readingOn(_ walk: (inout AppleHealthImport) throws -> Void) throws {
    do {
      try walk(&self)
    } catch let error as ArchiveError {
      switch error {
      case .truncated, .corrupt:
        reading.report.endedBecause = reading.report.endedBecause ?? "\(error)"
      default: throw error
      }
    }
  }

  // MARK: performing

  static let sourceSystem = SourceSystem.appleHealth.uri

  /// Takes as much of what is pending as is performed together.
  private static func batch(of pending: inout [Interaction]) -> ImportBatch {
    let count = min(pending.count, batchCountMaximum)
    defer { pending.removeFirst(count) }
    return ImportBatch(interactions: Array(pending.prefix(count)), sourceSystem: sourceSystem)
  }

  private mutating func deliverDays() throws {
    reading.engine.rule.madeAt = reading.report.exportDate.flatMap { AppleStamp($0)?.seconds }
    let writer = DayWriter(
      for: options.patient, origin: .appleHealth, source: .appleHealth, engine: reading.engine,
      metrics: reading.table, now: options.now)
    var engine = reading.engine
    reading.engine = DayEngine(home: options.home)
    defer { reading.engine = engine }
    var parts: [DayWriter.Part] = []
    // The first are few, so that who writes and who performs needn't wait long for them.
    var count = Self.firstBatchCount
    try writer.parts(of: &engine, since: options.since) { part in
      parts.append(part)
      guard parts.count == count else { return }
      try write(&parts, by: writer)
      count = min(count + count / 2, Self.batchCountMaximum)
    }
    try write(&parts, by: writer)
    _ = try writing.finish()
  }

  /// Has values written on one thread and then performed on another, while more are made on this.
  private mutating func write(
    _ parts: inout [DayWriter.Part], by writer: DayWriter
  ) throws {
    let (next, fillsOnly) = (parts, !reading.report.isDocumentWhole)
    parts = []
    writing.add { [prepare, perform, performing] in
      let values = next.map { writer.written($0) }
      let interactions = values.compactMap { try? $0.content.get() }
      let batch = ImportBatch(
        interactions: fillsOnly ? interactions.map(\.asFilling) : interactions,
        sourceSystem: writer.source.uri, prepared: prepare(interactions))
      performing.add { try PerformedBatch(batch, of: values, perform) }
    }
    reading.note(try told(try performing.take()))
  }

  private mutating func deliver(_ batch: ImportBatch) throws {
    reading.note(try performed(before: batch))
  }

  /// Has a batch performed while what follows is made, if nothing ended the import by then.
  ///
  /// - Returns: what became of those before it.
  private mutating func performed(before batch: ImportBatch) throws -> [PerformedBatch] {
    performing.add { [perform] in try PerformedBatch(batch, perform) }
    return try told(try performing.take())
  }

  /// Tells how far the import is with what was performed.
  private mutating func told(_ batches: [PerformedBatch]) throws -> [PerformedBatch] {
    for batch in batches where !batch.results.isEmpty {
      progress.resources += batch.results.count
      try watch(progress)
    }
    return batches
  }

  // MARK: the person

  /// Has it looked whether the person is there, before anything is performed and while the document is
  /// read.
  private func checkPerson() {
    performing.add { [perform, options] in
      _ = try Self.person(options.patient, perform)
      return PerformedBatch()
    }
  }

  /// The person's current version.
  private static func person(_ id: ResourceID, _ perform: Perform) throws -> StoredVersion {
    let batch = ImportBatch(interactions: [.read(id)], sourceSystem: sourceSystem)
    guard case .found(let person)? = try perform(batch).first?.get() else {
      throw InteractionError.notFound(id)
    }
    return person
  }

  private mutating func updatePerson() throws {
    guard let me = reading.me else { return }
    performing.add { [perform, options, bloodType = try reading.bloodType(me)] in
      let person = try Self.person(options.patient, perform)
      let updates = [try PatientUpdate(me).interaction(on: person), bloodType]
      let batch = ImportBatch(
        interactions: updates.compactMap(\.self), sourceSystem: Self.sourceSystem)
      return try PerformedBatch(batch, perform)
    }
  }
}

/// What became of a batch.
private struct PerformedBatch: Sendable {
  /// The values of which it was made, those that no person has among them; none for what is no value.
  let values: [DayWriter.Written]
  let results: [Result<Outcome, any Error>]

  init() { (values, results) = ([], []) }

  /// - Throws: what failed all of it, so that what waits is not tried any more.
  init(
    _ batch: ImportBatch, of values: [DayWriter.Written] = [],
    _ perform: AppleHealthImport.Perform
  ) throws {
    self.values = values
    results = batch.interactions.isEmpty ? [] : try perform(batch)
    if let failure = results.commonFailure { throw failure }
  }
}

extension AppleHealthReading {
  /// Takes what became of batches into the report.
  fileprivate mutating func note(_ batches: [PerformedBatch]) {
    for batch in batches {
      for written in batch.values { note(written) }
      report.results.note(batch.results)
    }
  }

  private mutating func note(_ written: DayWriter.Written) {
    for value in written.values {
      let name = table.metrics[Int(value.metric)].name
      check.compare(name, on: value.day.text, ours: value.value)
    }
    switch written.content {
    case .failure(let refusal):
      report.results.refuse("\(written.metric.name) \(written.day.text): \(refusal.reason)")
    case .success: report.days += 1
    }
  }
}

extension SourceSystem {
  /// Health's export, which doesn't tell the programs' bundle identifiers.
  static let appleHealth = export(of: .appleHealth)

  /// What an export hands over, told apart from what a phone sends of the same origin.
  static func export(of origin: Origin) -> SourceSystem {
    guard let source = SourceSystem(bundleIdentifier: origin.rawValue + "-export") else {
      preconditionFailure("the origin's name is an identifier")
    }
    return source
  }
}

extension Interaction {
  fileprivate var byteCount: Int {
    switch self {
    case .conditionalUpdate(let resource, _, _): resource.document.bytes.count
    case .conditionalRevision(let route as RouteRevision, _): route.resource.document.bytes.count
    default: 0
    }
  }
}
