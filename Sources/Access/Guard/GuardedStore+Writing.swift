import FHIRModel
import KeyValue
import Store
import Synchronization

extension GuardedStore {
  /// Performs a request that writes in one transaction: judgement, changes, Provenance and log
  /// entries stand or fall together.
  func write(_ request: AccessRequest, _ completion: @escaping Completion) {
    let now = configuration.clock()
    if let refusals = refusals(of: request, at: now) { return release(refusals, completion) }
    let results = Mutex<[Result<Outcome, any Error>]>([])
    engine.submit(
      Change(
        perform: { [self] transaction in
          let answers = try perform(request, in: &transaction)
          results.withLock { $0 = answers.map(\.result) }
        },
        recover: { [self] error, transaction in
          let attempt = error as? RefusedAttempt
          let error = attempt?.refusal ?? error.asAnswered
          guard error is InteractionError, !error.isStranger else { throw error }
          let drafts = request.interactions.map {
            LogDraft(attempt?.record ?? record(of: error, $0, request))
          }
          try log.append(drafts, at: configuration.clock(), in: &transaction)
          results.withLock { $0 = request.interactions.map { _ in .failure(error) } }
        },
        completion: { [self] committed in
          switch committed {
          case .success: completion(results.withLock { $0 })
          case .failure(let error): fail(request, with: error, completion)
          }
        }))
  }

  /// What is refused before any data is looked at; `nil` if something of it may be tried.
  ///
  /// An app's Consents are read here as well, so that the writer finds them read.
  private func refusals(of request: AccessRequest, at now: Instant) -> [Answer]? {
    let answers = request.interactions.compactMap { interaction -> Answer? in
      do {
        try Rules.check(interaction, by: request.caller.principal)
        return nil
      } catch {
        let record = Recording(interaction, of: request, at: now, under: configuration.addresses)
          .failed(with: error) { _ in nil }
        return Answer(result: .failure(error), record: record)
      }
    }
    if answers.count == request.interactions.count { return answers }
    guard case .app = request.caller.principal, let first = request.interactions.first else {
      return nil
    }
    // What this can't read, the transaction can't either, and says so.
    _ = try? engine.read { snapshot in
      try judgement(of: request.caller, for: first, at: now, in: snapshot, isCommitted: true) {
        try store.number(of: $0, in: snapshot)
      }
    }
    return nil
  }

  private func perform(
    _ request: AccessRequest, in transaction: inout WriteTransaction
  ) throws -> [Answer] {
    let now = configuration.clock()
    try tokens.recheck(request.caller, at: now, in: transaction.reader)
    var answers: [Answer] = []
    var written: [Written] = []
    let memory = request.interactions.count == 1 ? nil : WriteMemory()
    let prepared = try request.prepared.map { try store.ready($0.contents, in: &transaction) }
    for (position, interaction) in request.interactions.enumerated() {
      memory?.prepared = prepared?[position]
      answers.append(
        try answer(interaction, of: request, at: now, in: &transaction, memory, &written))
    }
    if !written.isEmpty { try writeProvenance(of: written, request, at: now, in: &transaction) }
    try log.append(answers.compactMap(\.draft), at: configuration.clock(), in: &transaction)
    return answers
  }

  /// Performs one interaction among others.
  ///
  /// - Throws: what refuses it if it is the only one, so that all of it is undone; else only what
  ///   spoils the transaction.
  private func answer(
    _ interaction: Interaction, of request: AccessRequest, at now: Instant,
    in transaction: inout WriteTransaction, _ memory: WriteMemory?, _ written: inout [Written]
  ) throws -> Answer {
    if !interaction.code.isWrite {
      return answerWithin(interaction, of: request, at: now, in: transaction.reader)
    }
    if request.interactions.count == 1 {
      return try change(interaction, of: request, at: now, in: &transaction, memory, &written)
    }
    do {
      var mine: [Written] = []
      let answer = try transaction.nested { inner in
        try change(interaction, of: request, at: now, in: &inner, memory, &mine)
      }
      written += mine
      return answer
    } catch let attempt as RefusedAttempt {
      memory?.forget()
      return Answer(result: .failure(attempt.refusal), record: attempt.record)
    } catch  where error.isRefusal {
      memory?.forget()
      let record = record(of: error, interaction, request)
      return Answer(result: .failure(error), record: record)
    }
  }

  /// A read between writes sees what those before it wrote.
  private func answerWithin(
    _ interaction: Interaction, of request: AccessRequest, at now: Instant,
    in reader: borrowing Reader
  ) -> Answer {
    answer(interaction, of: request, at: now, in: reader, isCommitted: false) {
      try store.number(of: $0, in: reader)
    }
  }

  /// Judges and performs one write.
  private func change(
    _ interaction: Interaction, of request: AccessRequest, at now: Instant,
    in transaction: inout WriteTransaction, _ memory: WriteMemory?, _ written: inout [Written]
  ) throws -> Answer {
    try Rules.check(interaction, by: request.caller.principal)
    var recording = Recording(interaction, of: request, at: now, under: configuration.addresses)
    let judgement = try judgement(of: request.caller, for: interaction, at: now, in: &transaction)
    try noteOthers(
      askedFor: interaction, by: request.caller, in: transaction.reader, &recording)
    var changed = Written()
    let outcome: Outcome
    do {
      outcome = try store.perform(
        interaction, in: &transaction, isKnown: judgement.knowledge, memory: memory,
        permit: { intent in
          changed.note(intent)
          recording.note(try judgement.check(intent))
        })
    } catch  where error.isRefusal {
      recording.note(changed.patients)
      throw RefusedAttempt(
        refusal: error, record: try record(of: error, recording, in: transaction.reader))
    }
    recording.note(changed.patients)
    if let version = outcome.writtenVersion {
      changed.version = version
      written.append(changed)
      if version.version.id.type == .consent {
        try consents.noteChange(of: changed.patients, in: &transaction)
      }
    }
    let record = try recording.finished(with: outcome, under: judgement.consents) {
      try patient($0, in: transaction.reader, isCommitted: false)
    }
    return Answer(result: .success(outcome), record: record)
  }

  /// Terms that nothing stored has get their numbers before the judgement that needs them: what is
  /// about to be written may be the first to have them.
  private func judgement(
    of caller: Caller, for interaction: Interaction, at now: Instant,
    in transaction: inout WriteTransaction
  ) throws -> Judgement {
    while true {
      var missing: [FacetTerm] = []
      let judgement = try judgement(
        of: caller, for: interaction, at: now, in: transaction.reader, isCommitted: false
      ) { term in
        let number = try store.number(of: term, in: transaction.reader)
        if number == nil { missing.append(term) }
        return number
      }
      if missing.isEmpty { return judgement }
      for term in missing { _ = try store.giveNumber(to: term, in: &transaction) }
    }
  }

  /// The entry for a write that was refused, when its own changes are gone.
  private func record(
    of error: any Error, _ interaction: Interaction, _ request: AccessRequest
  ) -> LogRecord {
    Recording(interaction, of: request, at: configuration.clock(), under: configuration.addresses)
      .failed(with: error) { _ in nil }
  }

  /// The entry for a write that was refused after the resource under its id, or what would have been
  /// written, was judged: whose that is shall find it in their log.
  private func record(
    of error: any Error, _ recording: Recording, in reader: borrowing Reader
  ) throws -> LogRecord {
    try recording.failed(with: error) { number in
      let patient = try patient(number, in: reader, isCommitted: false)
      return try patient.flatMap { try store.number(of: $0, in: reader) == nil ? nil : $0 }
    }
  }

  /// Answers for a request that could not be committed, and records that it was made.
  private func fail(
    _ request: AccessRequest, with error: any Error, _ completion: @escaping Completion
  ) {
    let error = error.asAnswered
    let now = configuration.clock()
    let answers = request.interactions.map { interaction in
      Answer(
        result: .failure(error),
        record: error.isStranger
          ? nil
          : Recording(interaction, of: request, at: now, under: configuration.addresses).failed(
            with: error
          ) { _ in nil })
    }
    release(answers, completion)
  }
}

/// A write that was refused, with what the log says of it: looked up while what it named was there.
private struct RefusedAttempt: Error {
  let refusal: any Error
  let record: LogRecord
}

/// What one interaction of a request wrote.
struct Written {
  enum Activity: String {
    case create = "CREATE"
    case update = "UPDATE"
    case delete = "DELETE"
  }

  var version: (version: VersionedID, by: Activity)?
  /// The patients whose it was or is.
  private(set) var patients: [UInt32] = []

  mutating func note(_ intent: WriteIntent) {
    for facets in [intent.current, intent.next] {
      for patient in facets?.patients ?? [] where !patients.contains(patient) {
        patients.append(patient)
      }
    }
  }
}

extension Outcome {
  /// The version that was written; `nil` if none was.
  fileprivate var writtenVersion: (version: VersionedID, by: Written.Activity)? {
    switch self {
    case .created(let version): (VersionedID(version.id, version.version), .create)
    case .updated(let version): (VersionedID(version.id, version.version), .update)
    case .deleted(let version?): (VersionedID(version.id, version.version), .delete)
    case .found, .unchanged, .deleted(nil), .searchset, .history: nil
    }
  }
}

extension Error {
  /// The engine's failures that a caller can do something about, in the caller's words: what doesn't
  /// fit, and what passes by itself. Any other error is as it was.
  var asAnswered: any Error {
    switch self as? StorageError {
    case .full: InteractionError.storageFull
    case .tooManyReaders:
      InteractionError.unavailable(reason: "too many read the store at once")
    case .closed: InteractionError.unavailable(reason: "the store is being closed")
    case .keyByteCount, .unknownFormat, .system, nil: self
    }
  }

  /// Whether the caller's token opens nothing, so that the log has nobody to speak of.
  var isStranger: Bool { (self as? InteractionError)?.isUnauthenticated ?? false }
}
