import FHIRModel

/// Interactions that are to be performed together, and where they come from.
package struct ImportBatch: Sendable {
  package var interactions: [Interaction]
  /// An absolute URI, for the Provenance.
  package var sourceSystem: String
  /// What whoever performs them has prepared of them, if it was asked.
  package var prepared: (any Sendable)?
}

/// How far an import has come.
package struct ImportProgress: Sendable {
  package var records = 0
  /// Bytes of the document that were read, and how many it has if that is known.
  package var byteCount = 0
  package var byteCountTotal: Int?
  package var resources = 0

  package init(
    records: Int = 0, byteCount: Int = 0, byteCountTotal: Int? = nil, resources: Int = 0
  ) {
    self.records = records
    self.byteCount = byteCount
    self.byteCountTotal = byteCountTotal
    self.resources = resources
  }
}

extension [Result<Outcome, any Error>] {
  /// What failed all of them for who asks or where it is stored, and would fail what follows.
  var commonFailure: (any Error)? {
    guard let first, case .failure(let error) = first,
      allSatisfy({ if case .failure = $0 { true } else { false } })
    else { return nil }
    switch error as? InteractionError {
    case .forbidden, .unauthenticated, .storageFull, .unavailable, nil: return error
    default: return nil
    }
  }
}
