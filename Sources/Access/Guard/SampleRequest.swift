import FHIRModel
import KeyValue
import Store

/// Work on the raw samples that are kept of a person: judged and recorded like any interaction, though
/// they are no resources.
///
/// The operator may do all of it, a person with their own, an app nothing.
package struct SampleRequest: Sendable {
  package let owner: SampleTable.Owner
  package let caller: Caller
  /// The address of the network peer; empty inside the process.
  package let peer: String

  package init(on owner: SampleTable.Owner, by caller: Caller, from peer: String = "") {
    self.owner = owner
    self.caller = caller
    self.peer = peer
  }

  fileprivate func check() throws(InteractionError) {
    switch caller.principal {
    case .operator: return
    case .person where caller.principal.patient == owner.patient: return
    case .person: throw .forbidden(reason: "these samples are not the caller's")
    case .app: throw .forbidden(reason: "raw samples are no app's to read or write")
    }
  }

  fileprivate func record(_ code: InteractionCode, at now: Instant) -> LogRecord {
    var record = LogRecord(
      occurred: now, agent: LogAgent(caller), interaction: code, type: .observation)
    record.patients = [caller.principal.patient ?? owner.patient]
    record.parameters = [QueryParameter(name: "samples", value: owner.origin)]
    record.peer = peer
    return record
  }
}

/// A piece that is to be kept: its place, and what makes the next piece of the one that is there.
package struct SamplePiece {
  package let place: SampleTable.Place
  package let change: ([UInt8]?) throws -> [UInt8]?

  package init(_ place: SampleTable.Place, _ change: @escaping ([UInt8]?) throws -> [UInt8]?) {
    self.place = place
    self.change = change
  }
}

extension GuardedStore {
  /// Keeps pieces in one commit, with an entry in the log. A piece's change may be asked again.
  ///
  /// - Returns: how many pieces changed.
  /// - Throws: `InteractionError.forbidden`, `.notFound` for a person who isn't there; what a piece's
  ///   change throws; `StorageError`. Nothing is kept then.
  package func keep(_ pieces: [SamplePiece], _ request: SampleRequest) throws -> Int {
    try change(.update, request) { table, transaction in
      var changedCount = 0
      for piece in pieces
      where try table.update(piece.place, of: request.owner, in: &transaction, piece.change) {
        changedCount += 1
      }
      return changedCount
    }
  }

  /// Removes all that is kept of the owner, with an entry in the log.
  ///
  /// - Returns: how many pieces that was.
  /// - Throws: as `keep`.
  package func removeSamples(_ request: SampleRequest) throws -> Int {
    try change(.delete, request) { try $0.remove(of: request.owner, in: &$1) }
  }

  /// Lends the rule and every piece, by metrics and days, once that is in the log.
  ///
  /// - Throws: as `keep`; what `rule` and `body` throw.
  package func samples(
    _ request: SampleRequest, rule: ([UInt8]?) throws -> Void,
    _ body: (_ metric: String, _ day: Int32, _ piece: [UInt8]) throws -> Void
  ) throws {
    // Its entry is written first: the walk may be long, and shows what it has come to at once.
    _ = try change(.searchType, request) { _, _ in 0 }
    try engine.read { snapshot in
      let table = SampleTable(of: store)
      try rule(try table.rule(of: request.owner, in: snapshot))
      try table.walk(of: request.owner, in: snapshot, body)
    }
  }

  private func change(
    _ code: InteractionCode, _ request: SampleRequest,
    _ body: (SampleTable, inout WriteTransaction) throws -> Int
  ) throws -> Int {
    let now = configuration.clock()
    do {
      return try engine.write { transaction in
        try tokens.recheck(request.caller, at: now, in: transaction.reader)
        try request.check()
        let count = try body(SampleTable(of: store), &transaction)
        let record = request.record(code, at: now)
        try log.append(
          [LogDraft(record)], at: configuration.clock(), in: &transaction)
        return count
      }
    } catch {
      let error = error.asAnswered
      if !error.isStranger { try note(error, in: request.record(code, at: now)) }
      throw error
    }
  }

  /// Records what was refused or failed.
  private func note(_ error: any Error, in record: LogRecord) throws {
    var record = record
    record.note(error)
    try engine.write { transaction in
      try log.append(
        [LogDraft(record)], at: configuration.clock(), in: &transaction)
    }
  }
}
