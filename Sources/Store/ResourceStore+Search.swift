import FHIRModel
import KeyValue
import Search

/// - SeeAlso: https://hl7.org/fhir/R4/search.html
extension ResourceStore {
  func search(
    _ query: Query, in reader: borrowing Reader, _ isVisible: Visibility?,
    _ whenShown: ((ResourceID, _ patients: [UInt32]) -> Void)?
  ) throws -> SearchPage {
    let source = VisibleSource(store: self, isVisible: isVisible)
    if let digest = query.digest {
      return try self.digest(digest, of: query, in: reader, source: source)
    }
    let found =
      query.type == nil
      ? try index.run(try index.systemPlan(query), in: reader, source: source)
      : try index.run(try index.plan(query), in: reader, source: source)
    let matches = try found.numbers.map { try shown($0, in: reader, whenShown) }
    return SearchPage(
      matches: matches, total: found.total, used: found.used, next: found.next,
      warnings: found.warnings)
  }
}

extension ResourceStore {
  /// A match, of which only what is answered and logged is read: a page shows many.
  private func shown(
    _ number: UInt64, in reader: borrowing Reader,
    _ whenShown: ((ResourceID, _ patients: [UInt32]) -> Void)?
  ) throws -> StoredVersion {
    let key = StoreKey.current(number)
    var shown: StoredVersion?
    try reader.withValue(at: key, in: .current) { value in
      do {
        let (head, patients) = try VersionRecord.head(in: value)
        whenShown?(head.id, patients)
        shown = head
        shown?.bytes = try VersionRecord.json(in: value)
      } catch {
        throw StoreError.unreadable(table: Table.current.name, key: key.bytes)
      }
    }
    guard let shown else { throw StoreError.missing(table: Table.current.name, key: key.bytes) }
    return shown
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
