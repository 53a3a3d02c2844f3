import FHIRModel
import KeyValue
import Search

/// The match is sought inside the transaction that writes, so that whatever happens at the same time,
/// one resource comes of it.
///
/// - SeeAlso: https://hl7.org/fhir/R4/http.html#ccreate
extension ResourceStore {
  /// - Throws: `InteractionError.multipleMatches` if `ifNoneExist` matches several.
  func create(
    _ resource: Resource, ifNoneExist query: Query?, in transaction: inout WriteTransaction,
    _ isKnown: Visibility?, _ memory: WriteMemory?, _ permit: Permit
  ) throws -> Outcome {
    guard let query,
      let match = try match(of: query, for: .match, in: transaction.reader, isKnown, permit)
    else { return try create(resource, in: &transaction, memory, permit) }
    try permit(match.intent(.match))
    return .unchanged(match.record.stored(with: match.json))
  }

  /// - Throws: `InteractionError.multipleMatches`; `.idMismatch` if the content has another id than
  ///   the match; `.versionConflict` if nothing matches but its id is taken.
  func update(
    _ resource: Resource, matching query: Query, if precondition: Precondition,
    in transaction: inout WriteTransaction, _ isKnown: Visibility?, _ memory: WriteMemory?,
    _ permit: Permit
  ) throws -> Outcome {
    let found = try match(of: query, for: .update, in: transaction.reader, isKnown, permit)
    guard let match = found else {
      return try createUnmatched(resource, if: precondition, in: &transaction, memory, permit)
    }
    let id = match.record.facets.id
    guard resource.id == nil || resource.id == id.id else {
      try permit(match.intent(.update))
      throw InteractionError.idMismatch(expected: id.id, found: resource.id)
    }
    return try write(
      resource, as: id, over: match, by: .update, if: precondition, in: &transaction, memory, permit
    )
  }

  /// - Throws: `InteractionError.multipleMatches`; what the revision throws.
  func revise(
    matching query: Query, by revision: any Revision, in transaction: inout WriteTransaction,
    _ isKnown: Visibility?, _ memory: WriteMemory?, _ permit: Permit
  ) throws -> Outcome {
    let match = try match(of: query, for: .update, in: transaction.reader, isKnown, permit)
    guard let next = try revision.revised(match?.resource()) else {
      guard let match else { return .deleted(nil) }
      return try delete(match.record.facets.id, if: .none, in: &transaction, permit)
    }
    guard let match else {
      return try createUnmatched(next, if: .none, in: &transaction, memory, permit)
    }
    return try write(
      next, as: match.record.facets.id, over: match, by: .update, if: .none, in: &transaction,
      memory, permit)
  }

  /// Nothing matched: a create, under the content's id if it has one.
  private func createUnmatched(
    _ resource: Resource, if precondition: Precondition, in transaction: inout WriteTransaction,
    _ memory: WriteMemory?, _ permit: Permit
  ) throws -> Outcome {
    guard let logical = resource.id else {
      let id = try unusedID(of: resource.type, in: transaction.reader)
      return try write(
        resource, as: id, over: nil, by: .create, if: precondition, in: &transaction, memory, permit
      )
    }
    let id = ResourceID(resource.type, logical)
    let current = try currentContent(of: id, in: transaction.reader)
    if let version = current?.standingVersion {
      if let current { try permit(current.intent(.update)) }
      throw InteractionError.versionConflict(id, current: version)
    }
    return try write(
      resource, as: id, over: current, by: .update, if: precondition, in: &transaction, memory,
      permit)
  }

  /// - Throws: `InteractionError.multipleMatches` if several match: nothing is deleted then.
  func delete(
    matching query: Query, in transaction: inout WriteTransaction, _ isKnown: Visibility?,
    _ permit: Permit
  ) throws -> Outcome {
    let found = try match(of: query, for: .delete, in: transaction.reader, isKnown, permit)
    guard let match = found else { return .deleted(nil) }
    return try delete(match.record.facets.id, if: .none, in: &transaction, permit)
  }

  /// The one resource that matches among those that the caller may know of; `nil` if none does.
  /// A condition asks as a search does, so others must make no difference to the answer.
  ///
  /// - Throws: `InteractionError.multipleMatches`, after each of those found was permitted; what
  ///   `SearchIndex.plan` throws, for a condition that isn't understood is never ignored.
  private func match(
    of query: Query, for kind: WriteIntent.Kind, in reader: borrowing Reader,
    _ isKnown: Visibility?, _ permit: Permit
  ) throws -> CurrentContent? {
    try Self.refuseEmpty(query)
    if try index.lacksIdentifier(of: query, in: reader) { return nil }
    let plan = try index.plan(query).forConditional
    guard plan.isConditional else {
      throw InteractionError.invalidParameter(
        name: "", reason: "a conditional interaction needs a condition")
    }
    let source = ReadContents(store: self, isKnown: isKnown)
    let found = try index.run(plan, in: reader, source: source).numbers
    let matches = try found.map { number in
      var content = try currentContent(of: number, in: reader)
      content.document = source.documents[number]
      return content
    }
    guard matches.count > 1 else { return matches.first }
    for match in matches { try permit(match.intent(kind)) }
    throw InteractionError.multipleMatches(count: matches.count)
  }
}

extension ResourceStore {
  /// A search passes over a parameter without a value; a write that did so would change another
  /// resource than the one meant.
  fileprivate static func refuseEmpty(_ query: Query) throws(InteractionError) {
    for parameter in query.parameters where parameter.value.utf8.allSatisfy({ $0 == 0x2c }) {
      throw .invalidParameter(name: parameter.name, reason: "a condition needs a value")
    }
  }
}

/// The store, with the contents that a search has looked at: what matches is written over next.
private final class ReadContents: ResourceSource {
  private let store: ResourceStore
  private let isKnown: ResourceStore.Visibility?
  private(set) var documents: [UInt64: JSONDocument] = [:]

  init(store: ResourceStore, isKnown: ResourceStore.Visibility?) {
    self.store = store
    self.isKnown = isKnown
  }

  func document(of number: UInt64, in reader: borrowing Reader) throws -> JSONDocument? {
    if let known = documents[number] { return known }
    let document = try store.document(of: number, in: reader)
    documents[number] = document
    return document
  }

  func number(of id: ResourceID, in reader: borrowing Reader) throws -> UInt64? {
    try store.number(of: id, in: reader)
  }

  func nextNumber(in reader: borrowing Reader) throws -> UInt64 {
    try store.nextNumber(in: reader)
  }

  func isVisible(_ number: UInt64, in reader: borrowing Reader) throws -> Bool {
    guard let isKnown else { return true }
    return try isKnown(try store.record(of: number, in: reader).facets)
  }
}

extension CurrentContent {
  fileprivate func intent(_ kind: WriteIntent.Kind) -> WriteIntent {
    WriteIntent(
      kind: kind, id: record.facets.id, current: record.facets, isDeleted: record.isDeleted)
  }
}
