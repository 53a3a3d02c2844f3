import FHIRModel
import KeyValue
import Search

/// Resources with all their versions: what FHIR's interactions do to the tables of an engine.
///
/// It knows nothing of callers. Who may write is asked of `permit`, who may see of `isVisible`;
/// what is not visible is treated everywhere as if it were not there.
///
/// - SeeAlso: https://hl7.org/fhir/R4/http.html
package final class ResourceStore: Sendable {
  /// All tables that an engine needs for it, those of its index included.
  package static let tables: [Table] =
    [.ids, .current, .superseded, .changes, .samples] + SearchIndex.tables

  package let index: SearchIndex
  let clock: @Sendable () -> Instant
  let newID: @Sendable () -> LogicalID

  /// - Parameters:
  ///   - clock: the time that new versions bear, to the millisecond.
  ///   - newID: an id for a resource whose client gave none.
  package init(
    index: SearchIndex, clock: @escaping @Sendable () -> Instant,
    newID: @escaping @Sendable () -> LogicalID
  ) {
    self.index = index
    self.clock = clock
    self.newID = newID
  }

  /// Performs a create, update or delete, conditional or not.
  ///
  /// - Parameters:
  ///   - isKnown: whether the caller may know of what a condition finds; `nil` if of everything.
  ///   - memory: of this transaction, if more is written in it.
  ///   - permit: asked inside the transaction, once it is known what would be written to which
  ///     resource, and before anything about that resource can be learnt from the answer. It throws
  ///     to refuse.
  /// - Throws: `InteractionError`, `StorageError`, `StoreError` and what `permit` throws. The
  ///   transaction must then be given up, since terms may have been interned in it.
  package func perform(
    _ write: Interaction, in transaction: inout WriteTransaction,
    isKnown: ((Facets) throws -> Bool)? = nil, memory: WriteMemory? = nil,
    permit: (WriteIntent) throws -> Void
  ) throws -> Outcome {
    switch write {
    case .create(let resource, let ifNoneExist):
      try create(resource, ifNoneExist: ifNoneExist, in: &transaction, isKnown, memory, permit)
    case .update(let resource, let precondition):
      try update(resource, if: precondition, in: &transaction, memory, permit)
    case .conditionalUpdate(let resource, let query, let precondition):
      try update(
        resource, matching: query, if: precondition, in: &transaction, isKnown, memory, permit)
    case .conditionalRevision(let revision, let query):
      try revise(matching: query, by: revision, in: &transaction, isKnown, memory, permit)
    case .delete(let id, let precondition):
      try delete(id, if: precondition, in: &transaction, permit)
    case .conditionalDelete(let query):
      try delete(matching: query, in: &transaction, isKnown, permit)
    case .read, .vread, .history, .search:
      preconditionFailure("a read is answered from a reader")
    }
  }

  /// Answers a read, vread, history or search.
  ///
  /// - Parameters:
  ///   - isVisible: decides about a version by its facets; `nil` if everything is visible.
  ///   - whenShown: told of what is read, or of the matches on the page of a search in their order.
  /// - Throws: `InteractionError`, `StorageError`, `StoreError` and what `isVisible` throws.
  package func answer(
    _ read: Interaction, in reader: borrowing Reader,
    isVisible: ((Facets) throws -> Bool)? = nil,
    whenShown: WhenShown? = nil
  ) throws -> Outcome {
    switch read {
    case .read(let id):
      .found(try self.read(id, in: reader, isVisible, whenShown))
    case .vread(let id, let version):
      .found(try vread(id, version, in: reader, isVisible))
    case .history(let scope, let query):
      .history(try history(of: scope, query, in: reader, isVisible))
    case .search(let query):
      .searchset(try search(query, in: reader, isVisible, whenShown))
    case .create, .update, .conditionalUpdate, .conditionalRevision, .delete, .conditionalDelete:
      preconditionFailure("a write is performed in a transaction")
    }
  }
}

/// A change that is about to be made, for `permit` to judge.
package struct WriteIntent: Sendable {
  package enum Kind: Hashable, Sendable {
    case create, update, delete
    /// A conditional create found this resource, which would be answered unchanged.
    case match
  }

  package var kind: Kind
  /// The resource that is written, as it will be known.
  package var id: ResourceID
  /// Its content so far, or the last before its deletion; `nil` if there never was any.
  package var current: Facets?
  /// Whether `current` has been deleted.
  package var isDeleted: Bool
  /// What will stand there; `nil` for a deletion.
  package var next: Facets?
  /// The content of `next`.
  package var resource: Resource?
}
