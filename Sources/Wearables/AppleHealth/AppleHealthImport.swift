import Archive
import FHIRModel

/// Takes an export in: reads it, makes values of its samples, and hands out what is to be performed.
package struct AppleHealthImport {
  /// Told now and then how far it is; what it throws ends the import.
  package typealias Watch = (ImportProgress) throws -> Void

  private let export: AppleExport
  private let options: AppleHealthOptions
  private let delivery: ImportDelivery
  private let watch: Watch
  private var reading: AppleHealthReading
  private var progress = ImportProgress()

  /// Of files, whose contents are large.
  private static let batchByteCountMaximum = 8 << 20

  package init(
    _ export: AppleExport, _ options: AppleHealthOptions, table: MetricTable = .shared,
    sorter: any SampleSorter, perform: @escaping ImportDelivery.Perform,
    prepare: @escaping ImportDelivery.Prepare = { _ in nil }, watch: @escaping Watch = { _ in }
  ) {
    self.export = export
    self.options = options
    delivery = ImportDelivery(from: .appleHealth, perform: perform, prepare: prepare)
    self.watch = watch
    reading = AppleHealthReading(options, table: table, sorter: sorter)
  }

  /// Where the raw samples are kept, if they are.
  package var shelf: SampleShelf? {
    get { reading.engine.shelf }
    set { reading.engine.shelf = newValue }
  }

  /// Takes all of it in. It is run once: nothing is delivered when it has ended.
  ///
  /// - Throws: `InteractionError` if the person isn't there or nothing may be written; `ArchiveError`
  ///   and `AppleExport.Failure` if there is no export to be read; what `watch` throws. What was
  ///   performed by then stays.
  package mutating func run() throws -> AppleHealthReport {
    // Whatever ends it, nothing is under way when it has ended.
    defer { delivery.cancel() }
    delivery.checkPerson(options.patient)
    try readDocument()
    while !reading.pending.isEmpty { try deliver(reading.takePending()) }
    if options.updatesPatient { try updatePerson() }
    if export.hasFiles { try readFiles() }
    try deliverDays()
    reading.note(try told(try delivery.finish()))
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
        self.delivery.add(reading.takePending())
        if reading.pending.isEmpty { reading.pendingByteCount = 0 }
      }
      reading.note(try self.told(try self.delivery.take()))
      self.progress.records = max(before, step.records)
      self.progress.byteCount = step.byteCount
      self.progress.byteCountTotal = step.byteCountTotal
      try self.watch(self.progress)
    }
    progress.records = reading.report.recordsRead
    progress.byteCount = xml.progress.byteCount
    progress.byteCountTotal = xml.progress.of
    if case .corrupt? = xml.sourceFailure, let failure = xml.sourceFailure {
      reading.note(try told(try delivery.finish()))
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
    var batch: [Interaction] = []
    var source: String?
    var byteCount = 0
    try readingOn { importer in
      try importer.export.forEachFile { name, file in
        guard !AppleExport.leavesFolder(name),
          AppleExport.belongs(name, to: importer.reading.report.document ?? ""),
          let made = try importer.readFile(name, &file)
        else { return }
        if made.sourceSystem != source || byteCount >= Self.batchByteCountMaximum
          || batch.count >= ImportDelivery.batchCountMaximum
        {
          try importer.deliver(batch, from: source)
          (batch, source, byteCount) = ([], made.sourceSystem, 0)
        }
        byteCount += made.interaction.byteCount
        batch.append(made.interaction)
      }
    }
    try deliver(batch, from: source)
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

  private mutating func deliverDays() throws {
    reading.engine.rule.madeAt = reading.report.exportDate.flatMap { AppleStamp($0)?.seconds }
    let writer = DayWriter(
      for: options.patient, origin: .appleHealth, source: .appleHealth, engine: reading.engine,
      metrics: reading.table, now: options.now)
    var engine = reading.engine
    reading.engine = DayEngine(home: options.home)
    defer { reading.engine = engine }
    let fillsOnly = !reading.report.isDocumentWhole
    try delivery.addDays(of: &engine, by: writer, since: options.since, fillsOnly: fillsOnly) {
      reading.note(try told($0))
    }
  }

  /// Has interactions performed while what follows is made, if nothing ended the import by then.
  private mutating func deliver(_ interactions: [Interaction], from source: String? = nil) throws {
    delivery.add(interactions, from: source)
    reading.note(try told(try delivery.take()))
  }

  /// Tells how far the import is with what was performed.
  private mutating func told(_ batches: [PerformedBatch]) throws -> [PerformedBatch] {
    for batch in batches where !batch.results.isEmpty {
      progress.resources += batch.results.count
      try watch(progress)
    }
    return batches
  }

  private mutating func updatePerson() throws {
    guard let me = reading.me else { return }
    let bloodType = try reading.bloodType(me)
    delivery.add(dependingOn: options.patient) { person in
      [try PatientUpdate(me).interaction(on: person), bloodType].compactMap(\.self)
    }
  }
}

extension AppleHealthReading {
  /// Takes as much of what is pending as is performed together.
  fileprivate mutating func takePending() -> [Interaction] {
    let count = min(pending.count, Self.pendingCountMaximum)
    defer { pending.removeFirst(count) }
    return Array(pending.prefix(count))
  }

  /// Takes what became of batches into the report.
  fileprivate mutating func note(_ batches: [PerformedBatch]) {
    for batch in batches {
      report.note(batch)
      for value in batch.values.lazy.flatMap(\.values) {
        let name = table.metrics[Int(value.metric)].name
        check.compare(name, on: value.day.text, ours: value.value)
      }
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
