import FHIRModel
import KeyValue
import Search

/// - SeeAlso: https://hl7.org/fhir/R4/search.html
extension ResourceStore {
  func search(
    _ query: Query, in reader: borrowing Reader, _ isVisible: Visibility?,
    _ whenShown: ((Facets) -> Void)?
  ) throws -> SearchPage {
    let source = VisibleSource(store: self, isVisible: isVisible)
    if let digest = query.digest {
      return try self.digest(digest, of: query, in: reader, source: source)
    }
    let found =
      query.type == nil
      ? try index.run(try index.systemPlan(query), in: reader, source: source)
      : try index.run(try index.plan(query), in: reader, source: source)
    let matches = try found.numbers.compactMap { number in
      try currentVersion(of: number, in: reader) { facets in
        whenShown?(facets)
        return true
      }
    }
    return SearchPage(
      matches: matches, total: found.total, used: found.used, next: found.next,
      warnings: found.warnings)
  }
}

/// The store as one caller sees it.
private struct VisibleSource: ResourceSource {
  let store: ResourceStore
  /// `nil` if everything is visible.
  let isVisible: ResourceStore.Visibility?

  func document(
    of number: UInt64, in reader: borrowing Reader
  ) throws -> JSONDocument? { try store.document(of: number, in: reader) }

  func number(
    of id: ResourceID, in reader: borrowing Reader
  ) throws -> UInt64? { try store.number(of: id, in: reader) }

  func nextNumber(in reader: borrowing Reader) throws -> UInt64 {
    try store.nextNumber(in: reader)
  }

  func isVisible(_ number: UInt64, in reader: borrowing Reader) throws -> Bool {
    guard let isVisible else { return true }
    return try isVisible(try store.record(of: number, in: reader).facets)
  }
}
