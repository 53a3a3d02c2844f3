import FHIRModel
import KeyValue

/// A question about an import, or its end: both say something of a person's data, so they are judged and
/// recorded as accesses to it.
///
/// Only who sent the export may ask, as long as they may still write for the person, and the operator.
package struct ImportAccess: Sendable {
  package enum Purpose: Sendable {
    case asking
    case ending
  }

  package var id: String
  /// Who sent the export.
  package var owner: Caller
  /// Whose it is.
  package var patient: ResourceID
  package var purpose: Purpose
  package var caller: Caller
  /// The address of the network peer; empty inside the process.
  package var peer: String

  package init(
    to id: String, of owner: Caller, for patient: ResourceID, _ purpose: Purpose,
    by caller: Caller, from peer: String = ""
  ) {
    self.id = id
    self.owner = owner
    self.patient = patient
    self.purpose = purpose
    self.caller = caller
    self.peer = peer
  }

  fileprivate var isForeign: Bool {
    if case .operator = caller.principal { return false }
    return caller.identity != owner.identity
  }

  fileprivate func record(at now: Instant) -> LogRecord {
    var record = LogRecord(
      occurred: now, agent: LogAgent(caller), interaction: purpose == .asking ? .read : .delete,
      type: .observation)
    record.parameters = [QueryParameter(name: "import", value: id)]
    record.peer = peer
    return record
  }
}

extension GuardedStore {
  /// Judges and records it.
  ///
  /// - Parameter completion: called once, when the answer may leave: with `.forbidden` if it is another
  ///   caller's import, or the caller may write nothing for the patient any more.
  package func submit(
    _ access: ImportAccess, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    let write = UntriedWrite(of: .observation, for: access.patient, by: access.caller)
    submit(
      for: access.patient, by: access.caller, record: access.record,
      check: { now, snapshot in
        try tokens.recheck(access.caller, at: now, in: snapshot)
        guard !access.isForeign else {
          throw InteractionError.forbidden(reason: "the import is another caller's")
        }
        try check(write, at: now, in: snapshot)
      }, completion: completion)
  }
}
