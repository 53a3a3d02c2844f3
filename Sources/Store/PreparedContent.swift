import FHIRModel
import KeyValue
import Search

/// What a new resource comes to in facets and index, told before it is written: beside the thread that
/// writes, which all others wait for.
struct PreparedContent: Sendable {
  private let resource: Resource
  /// Under an id of no meaning.
  private let facets: Facets
  let entries: NewEntries

  fileprivate init(_ resource: Resource, _ facets: Facets, _ entries: NewEntries) {
    self.resource = resource
    self.facets = facets
    self.entries = entries
  }

  /// Whether it is that content which was prepared.
  func isOf(_ resource: Resource) -> Bool {
    self.resource.document.bytes == resource.document.bytes
  }

  /// The facets under an id, with the numbers that took the place of provisional ones.
  func facets(as id: ResourceID, _ given: ProvisionalNumbers.Given) -> Facets {
    func coding(_ number: UInt64) -> UInt64 {
      UInt64(given[UInt32(number >> 32)]) << 32
        | UInt64(given[UInt32(truncatingIfNeeded: number)])
    }
    var facets = facets
    facets.id = id
    facets.patients = facets.patients.map { given[$0] }.sorted()
    facets.codes = facets.codes.map(coding).sorted()
    facets.partCodes = facets.partCodes.map(coding).sorted()
    facets.categories = facets.categories.map(coding).sorted()
    facets.securityLabels = facets.securityLabels.map(coding).sorted()
    return facets
  }
}

/// What was prepared of contents that are to be written in one transaction.
package struct PreparedContents: Sendable {
  fileprivate let contents: [PreparedContent?]
  /// Those of the terms that had none.
  fileprivate let numbers: ProvisionalNumbers

  /// The same within the transaction, where every term has a number.
  package struct Ready {
    fileprivate let contents: [PreparedContent?]
    fileprivate let given: ProvisionalNumbers.Given

    /// What was prepared of the content at that place; `nil` for none.
    package subscript(position: Int) -> ReadyContent? {
      guard contents.indices.contains(position), let content = contents[position] else {
        return nil
      }
      return ReadyContent(content: content, given: given)
    }
  }
}

/// What was prepared of a content, and the numbers that took the place of provisional ones in it.
package struct ReadyContent {
  let content: PreparedContent
  let given: ProvisionalNumbers.Given
}

extension ResourceStore {
  /// Prepares contents that are to be written in this order, as new resources.
  ///
  /// - Parameter contents: `nil` where nothing is to be prepared.
  /// - Throws: `ProvisionalNumbers.Exhausted`, `StorageError`.
  package func prepared(
    _ contents: [Resource?], in reader: borrowing Reader
  ) throws -> PreparedContents {
    var numbers = ProvisionalNumbers()
    var last: [ResourceType: (resource: Resource, facets: Facets, entries: WrittenEntries?)] = [:]
    var prepared: [PreparedContent?] = []
    for content in contents {
      // A patient lies in a compartment of their own, which has no number before there is an id.
      guard let resource = content, resource.type != ResourceType("Patient"),
        let id = LogicalID("new").map({ ResourceID(resource.type, $0) })
      else {
        prepared.append(nil)
        continue
      }
      let known = last.removeValue(forKey: resource.type)
      let change = known.map { ContentChange(from: $0.resource, to: resource) }
      let likeness = known.flatMap { known in change.map { (known.facets, $0) } }
      let facets = try facets(of: resource, as: id, since: likeness) {
        try index.number(of: $0, in: reader, &numbers)
      }
      var written = known?.entries
      let entries = try index.entries(ofNew: resource, since: &written, change) {
        try index.number(of: $0, in: reader, &numbers)
      }
      last[resource.type] = (resource, facets, written)
      prepared.append(PreparedContent(resource, facets, entries))
    }
    return PreparedContents(contents: prepared, numbers: numbers)
  }

  /// Gives numbers to the terms that had none when contents were prepared.
  package func ready(
    _ prepared: PreparedContents, in transaction: inout WriteTransaction
  ) throws -> PreparedContents.Ready {
    PreparedContents.Ready(
      contents: prepared.contents, given: try index.give(prepared.numbers, in: &transaction))
  }
}
