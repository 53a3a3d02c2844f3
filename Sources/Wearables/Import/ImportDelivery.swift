import FHIRModel

/// Has performed what an import makes, while it reads and makes more: values of days are written on one
/// thread, and performed as all else is on another.
package struct ImportDelivery: Sendable {
  /// Performs interactions together, and gives a result for each; called by one thread at a time,
  /// which is another than the import's.
  package typealias Perform = @Sendable (ImportBatch) throws -> [Result<Outcome, any Error>]
  /// Prepares interactions while those before are performed; called by one thread at a time.
  package typealias Prepare = @Sendable ([Interaction]) -> (any Sendable)?

  private let sourceSystem: String
  private let perform: Perform
  private let prepare: Prepare
  private let performing = BackgroundLine<PerformedBatch>("kiln.import.performing")
  private let writing = BackgroundLine<Void>("kiln.import.writing")

  /// Other writers wait for a commit, so that it is bounded.
  static let batchCountMaximum = 600
  private static let firstBatchCount = 50

  /// - Parameter source: the program that handed the export over, which the Provenance names.
  init(from source: SourceSystem, perform: @escaping Perform, prepare: @escaping Prepare) {
    sourceSystem = source.uri
    self.perform = perform
    self.prepare = prepare
  }

  /// Has it looked whether the person is there; if not, nothing that is given later is performed.
  func checkPerson(_ id: ResourceID) {
    performing.add { [self] in
      _ = try person(id)
      return PerformedBatch()
    }
  }

  /// Has it made on the thread that performs what depends on the person's current version, and performed.
  func add(
    dependingOn id: ResourceID, _ make: @escaping @Sendable (StoredVersion) throws -> [Interaction]
  ) {
    performing.add { [self] in try performed(make(try person(id))) }
  }

  /// Has interactions performed together.
  func add(_ interactions: [Interaction], from sourceSystem: String? = nil) {
    performing.add { [self] in try performed(interactions, from: sourceSystem) }
  }

  /// Has all values of an engine written and performed, which `finish` waits for; then the engine is empty.
  /// If it keeps its samples,
  /// all that was given before is performed first.
  ///
  /// - Parameters:
  ///   - writer: made of that engine.
  ///   - since: leaves out the days before.
  ///   - fillsOnly: whether they are to replace nothing that is stored.
  ///   - note: told what became of batches before, on this thread.
  /// - Throws: what the engine and `note` throw, and what ended the performing.
  func addDays(
    of engine: inout DayEngine, by writer: DayWriter, since: LocalDay?, fillsOnly: Bool,
    _ note: ([PerformedBatch]) throws -> Void
  ) throws {
    // Samples are kept meanwhile, past this: not for a person who isn't there, and not after a failure.
    if engine.shelf != nil { try note(try finish()) }
    var parts: [DayWriter.Part] = []
    // The first are few, so that who writes and who performs needn't wait long for them.
    var count = Self.firstBatchCount
    try writer.parts(of: &engine, since: since) { part in
      parts.append(part)
      guard parts.count == count else { return }
      write(parts, by: writer, fillsOnly: fillsOnly)
      parts = []
      count = min(count + count / 2, Self.batchCountMaximum)
      try note(try take())
    }
    if !parts.isEmpty { write(parts, by: writer, fillsOnly: fillsOnly) }
  }

  private func write(_ parts: [DayWriter.Part], by writer: DayWriter, fillsOnly: Bool) {
    writing.add { [self] in
      let values = parts.map { writer.written($0) }
      let interactions = values.compactMap { try? $0.content.get() }
      let prepared = prepare(interactions)
      performing.add {
        try performed(
          fillsOnly ? interactions.map(\.asFilling) : interactions, of: values, prepared)
      }
    }
  }

  /// What became of the batches since this was asked last, in their order.
  ///
  /// - Throws: what ended the performing: the person isn't there, or a failure of all of a batch.
  func take() throws -> [PerformedBatch] { try performing.take() }

  /// The same for all batches; waits for them.
  func finish() throws -> [PerformedBatch] {
    _ = try writing.finish()
    return try performing.finish()
  }

  /// Drops what waits; afterwards nothing is under way.
  func cancel() {
    // In this order, for who writes may wait until there is room for it to be performed.
    performing.cancel()
    writing.cancel()
  }

  private func person(_ id: ResourceID) throws -> StoredVersion {
    let results = try perform(
      ImportBatch(interactions: [.read(id)], sourceSystem: sourceSystem))
    guard case .found(let person)? = try results.first?.get() else {
      throw InteractionError.notFound(id)
    }
    return person
  }

  private func performed(
    _ interactions: [Interaction], from sourceSystem: String? = nil,
    of values: [DayWriter.Written] = [], _ prepared: (any Sendable)? = nil
  ) throws -> PerformedBatch {
    guard !interactions.isEmpty else { return PerformedBatch(values: values) }
    let results = try perform(
      ImportBatch(
        interactions: interactions, sourceSystem: sourceSystem ?? self.sourceSystem,
        prepared: prepared))
    // What waits would fail as well.
    if let failure = results.commonFailure { throw failure }
    return PerformedBatch(values: values, results: results)
  }
}

/// What became of interactions that were performed together.
struct PerformedBatch: Sendable {
  /// The values that they write, with those among them that no person has; none for what is no value.
  var values: [DayWriter.Written] = []
  var results: [Result<Outcome, any Error>] = []
}

/// A report of values of days, and of what the store made of an import.
protocol DeliveryReport {
  /// Values of days that were written.
  var days: Int { get set }
  var results: ImportResults { get set }
}

extension DeliveryReport {
  mutating func note(_ batch: PerformedBatch) {
    for written in batch.values {
      switch written.content {
      case .failure(let refusal):
        results.refuse("\(written.metric.name) \(written.day.text): \(refusal.reason)")
      case .success: days += 1
      }
    }
    results.note(batch.results)
  }
}

extension AppleHealthReport: DeliveryReport {}
extension HealthConnectReport: DeliveryReport {}
