import FHIRModel
import KeyValue
import Search

/// - SeeAlso: https://hl7.org/fhir/R4/search.html
extension ResourceStore {
  func search(
    _ query: Query, in reader: borrowing Reader, _ isVisible: Visibility?,
    _ whenShown: WhenShown?
  ) throws -> SearchPage {
    let source = VisibleSource(store: self, isVisible: isVisible)
    if let digest = query.digest {
      return try self.digest(digest, of: query, in: reader, source: source)
    }
    let found =
      query.type == nil
      ? try index.run(try index.systemPlan(query), in: reader, source: source)
      : try index.run(try index.plan(query), in: reader, source: source)
    var page = SearchPage(
      framedBy: query.frame, total: found.total, used: found.used, next: found.next,
      warnings: found.warnings)
    try append(found.numbers, to: &page, in: reader, whenShown)
    return page
  }
}

extension ResourceStore {
  /// About as much as one Observation of a day takes, with what stands around it in a Bundle.
  private static let contentByteCountGuess = 1_664

  /// Of each match only what is answered and logged is read.
  private func append(
    _ numbers: [UInt64], to page: inout SearchPage, in reader: borrowing Reader,
    _ whenShown: WhenShown?
  ) throws {
    page.reserve(
      matchCount: numbers.count, byteCount: numbers.count * Self.contentByteCountGuess)
    var shown: [Shown] = []
    if whenShown != nil { shown.reserveCapacity(numbers.count) }
    for number in numbers {
      try withHead(of: number, in: reader) { head, value in
        if whenShown != nil { shown.append(Shown(id: head.id, patients: head.patients)) }
        page.append(
          head.id, head.version, lastUpdated: head.lastUpdated, value.extracting(head.json))
      }
    }
    page.end()
    whenShown?(shown)
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
