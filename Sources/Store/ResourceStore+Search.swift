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
    return SearchPage(
      matches: try matches(found.numbers, in: reader, whenShown), total: found.total,
      used: found.used, next: found.next,
      warnings: found.warnings)
  }
}

extension ResourceStore {
  /// About as much as one Observation of a day takes.
  private static let contentByteCountGuess = 1_536

  /// The matches of a page, copied into one piece of memory; only what is answered and logged is
  /// read of each.
  private func matches(
    _ numbers: [UInt64], in reader: borrowing Reader,
    _ whenShown: WhenShown?
  ) throws -> [SearchMatch] {
    var content: [UInt8] = []
    content.reserveCapacity(numbers.count * Self.contentByteCountGuess)
    var matches: [SearchMatch] = []
    matches.reserveCapacity(numbers.count)
    var ends: [Int] = []
    ends.reserveCapacity(numbers.count)
    var shown: [Shown] = []
    if whenShown != nil { shown.reserveCapacity(numbers.count) }
    var patients: [UInt32] = []
    for number in numbers {
      try withHead(of: number, in: reader, like: patients) { head, value in
        patients = head.patients
        if whenShown != nil { shown.append(Shown(id: head.id, patients: patients)) }
        content.append(copying: value.extracting(head.json))
        matches.append(
          SearchMatch(id: head.id, version: head.version, lastUpdated: head.lastUpdated, bytes: []))
        ends.append(content.count)
      }
    }
    whenShown?(shown)
    var start = 0
    for (position, end) in ends.enumerated() {
      matches[position].bytes = content[start..<end]
      start = end
    }
    return matches
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
