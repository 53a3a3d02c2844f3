import Dispatch
import FHIRModel
import KeyValue
import Store
import Synchronization

/// A write that was asked for and isn't tried now: nothing in what was sent can be written, or it is
/// an import that is yet to run.
///
/// It is judged and recorded all the same: who may not write for a patient is told that, and not what
/// is wrong with the content.
package struct UntriedWrite: Sendable {
  /// What would have been written.
  package var type: ResourceType
  /// Whose it would have been.
  package var patient: ResourceID
  package var caller: Caller
  /// The address of the network peer; empty inside the process.
  package var peer: String
  /// Whether writes follow, each with an entry of its own.
  package var isBeginning: Bool

  package init(
    of type: ResourceType, for patient: ResourceID, by caller: Caller, from peer: String = "",
    isBeginning: Bool = false
  ) {
    self.type = type
    self.patient = patient
    self.caller = caller
    self.peer = peer
    self.isBeginning = isBeginning
  }

  fileprivate func record(at now: Instant) -> LogRecord {
    var record = LogRecord(
      occurred: now, agent: LogAgent(caller), interaction: .update, type: type)
    record.peer = peer
    if isBeginning {
      record.reason = "an import begins"
    } else {
      record.outcome = .minorFailure
      record.reason = "nothing in it could be written"
    }
    return record
  }
}

extension GuardedStore {
  /// Judges and records a write that could not be tried.
  ///
  /// - Parameter completion: called once, when the answer may leave: with `.forbidden` if the caller
  ///   may write nothing of that type for the patient, whatever it holds.
  package func submit(
    _ untried: UntriedWrite, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    submit(
      for: untried.patient, by: untried.caller, record: untried.record,
      check: { try check(untried, at: $0, in: $1) }, completion: completion)
  }

  /// Judges what is no interaction, and records it before `completion` is called.
  ///
  /// - Parameters:
  ///   - patient: whose data it is about: it stands in their log too, if they are there to find it.
  ///   - record: what the log says of it if it isn't refused, without whose it is.
  ///   - check: throws if it is refused.
  func submit(
    for patient: ResourceID, by caller: Caller, record: (Instant) -> LogRecord,
    check: (Instant, borrowing Reader) throws -> Void,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    let now = configuration.clock()
    var isKnown = false
    let verdict = Result {
      try engine.read { snapshot in
        isKnown = try store.number(of: patient, in: snapshot) != nil
        try check(now, snapshot)
      }
    }.mapError(\.asAnswered)
    var record = record(now)
    record.patients = [caller.principal.patient ?? patient]
    if isKnown, record.patients != [patient] { record.patients.append(patient) }
    var isStranger = false
    if case .failure(let error) = verdict {
      record.note(error)
      isStranger = error.isStranger
    }
    buffer.append(isStranger ? [] : [LogDraft(record)]) { durable in
      completion(durable.mapError { _ in InteractionError.unlogged }.flatMap { verdict })
    }
  }

  /// Judges and records a write that could not be tried, and waits until that is durable.
  ///
  /// - Throws: as `submit` answers.
  package func perform(_ untried: UntriedWrite) throws {
    let verdict = Mutex<Result<Void, any Error>>(.success(()))
    let isDone = DispatchSemaphore(value: 0)
    submit(untried) { answered in
      verdict.withLock { $0 = answered }
      isDone.signal()
    }
    isDone.wait()
    try verdict.withLock { try $0.get() }
  }

  func check(
    _ untried: UntriedWrite, at now: Instant, in snapshot: borrowing Reader
  ) throws {
    try tokens.recheck(untried.caller, at: now, in: snapshot)
    let principal = untried.caller.principal
    if case .app(_, _, let scopes) = principal, scopes.grant(.update, on: untried.type) == .nothing
    {
      throw Rules.outsideScopes(.update, of: untried.type)
    }
    guard let own = principal.patient else { return }
    guard own == untried.patient, try permitsWriting(principal, at: now, in: snapshot) else {
      throw Rules.foreignContent
    }
  }

  /// Whether the caller may write anything at all for their patient.
  private func permitsWriting(
    _ principal: Principal, at now: Instant, in snapshot: borrowing Reader
  ) throws -> Bool {
    guard case .app(let client, let patient, _) = principal else { return true }
    guard let number = try store.number(of: .reference(patient), in: snapshot) else { return false }
    return try consents.decision(
      for: client, of: (patient, number), in: snapshot, isCommitted: true
    ) { try store.number(of: $0, in: snapshot) }.mayPermit(.write, at: now)
  }
}
