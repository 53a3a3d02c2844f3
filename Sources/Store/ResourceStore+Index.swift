import FHIRModel
import KeyValue
import Search

/// An index entry that no resource accounts for.
struct StrayIndexEntry: Hashable {
  var number: UInt64
  var entry: IndexEntry
}

extension ResourceStore {
  /// What the index should hold of a resource; nothing if it is deleted.
  func indexEntries(
    of current: CurrentContent, in reader: borrowing Reader
  ) throws -> Set<IndexEntry> {
    guard let indexed = try current.indexed() else { return [] }
    return try index.entries(of: indexed, in: reader)
  }

  /// The index entries that no current version accounts for; those of a resource that can't be read
  /// are not judged. Resources are taken some at a time, so that memory stays bounded whatever the
  /// store's size.
  func strayIndexEntries(
    in reader: borrowing Reader
  ) throws -> [StrayIndexEntry] {
    let end = try nextNumber(in: reader)
    var strays: [StrayIndexEntry] = []
    var first: UInt64 = 0
    while first < end {
      let numbers = first..<min(end, first + Self.resourcesAtOnce)
      var found = try entries(standingFor: numbers, in: reader)
      for number in numbers where try reader.hasValue(at: StoreKey.current(number), in: .current) {
        do {
          let expected = try indexEntries(of: currentContent(of: number, in: reader), in: reader)
          found[number]?.subtract(expected)
        } catch is StoreError {
          found[number] = nil
        }
      }
      strays += found.flatMap { number, entries in
        entries.map { StrayIndexEntry(number: number, entry: $0) }
      }
      first = numbers.upperBound
    }
    let beyond = try entries(standingFor: end..<UInt64.max, in: reader)
    strays += beyond.flatMap { number, entries in
      entries.map { StrayIndexEntry(number: number, entry: $0) }
    }
    return strays.sorted { ($0.number, $0.entry) < ($1.number, $1.entry) }
  }

  private static let resourcesAtOnce: UInt64 = 20_000

  private func entries(
    standingFor numbers: Range<UInt64>, in reader: borrowing Reader
  ) throws -> [UInt64: Set<IndexEntry>] {
    var found: [UInt64: Set<IndexEntry>] = [:]
    for table in SearchIndex.postingTables {
      try reader.walkPostings(table, .everything, .forward) { key, number in
        if numbers.contains(number) {
          found[number, default: []].insert(IndexEntry(table: table, key: Key(key)))
        }
        return .next
      }
    }
    return found
  }
}
