import FHIRModel
import KeyValue
import Search

/// Whether everything in a store agrees: every index is rebuilt from the resources, and what should
/// stand in the tables is compared with what does.
package struct Integrity: Sendable {
  /// Something that does not agree.
  package struct Difference: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, Hashable, Sendable {
      case unreadableValue = "unreadable value"
      case gapInNumbers = "gap in the numbers"
      case wrongID = "wrong entry of an id"
      case strayID = "stray id"
      case wrongChecksum = "bytes that are not those written"
      case wrongContent = "content that is not its version's"
      case wrongHistory = "versions that don't follow each other"
      case wrongFacets = "facets that are not the content's"
      case missingChange = "missing change"
      case strayChange = "stray change"
      case strayVersion = "stray version"
      case missingIndexEntry = "missing index entry"
      case strayIndexEntry = "stray index entry"
      case wrongTerm = "wrong term"
    }

    package var kind: Kind
    /// Which resource, or which table and key.
    package var place: String
    /// The table of an index entry.
    package var table: String?

    package var description: String { "\(kind.rawValue): \(place)" }
  }

  package private(set) var resourceCount: UInt64 = 0
  package private(set) var versionCount: UInt64 = 0
  /// The first differences of each kind and table; there may be more than are listed.
  package private(set) var differences: [Difference] = []
  package private(set) var differenceCount: UInt64 = 0
  /// The index entries that the resources ask for, and those that stand in the tables.
  private(set) var expected = EntrySum()
  private(set) var standing = EntrySum()
  private var counts: [String: UInt64] = [:]
  /// How many differences there are of each kind and table, listed or not.
  private var groups: [Group: UInt64] = [:]

  private struct Group: Hashable {
    var kind: Difference.Kind
    /// The table's name, where a kind may concern several.
    var table: String?
  }

  package var isClean: Bool { differenceCount == 0 }
  package var indexEntryCount: UInt64 { expected.count }

  /// One damaged table can miss millions of entries, and a person reads some tens.
  private static let listedCountMaximum: UInt64 = 20

  init() {}

  mutating func note(_ kind: Difference.Kind, _ place: String, in table: Table? = nil) {
    let group = Group(kind: kind, table: table?.name)
    if groups[group, default: 0] < Self.listedCountMaximum {
      differences.append(Difference(kind: kind, place: place, table: table?.name))
    }
    groups[group, default: 0] += 1
    differenceCount += 1
  }

  /// The differences, a line each, and a line for what is not listed of a kind and table.
  package var listing: [String] {
    let more = groups.filter { $0.value > Self.listedCountMaximum }.map { group, count in
      let table = group.table.map { " in \($0)" } ?? ""
      return "\(group.kind.rawValue): \(count - Self.listedCountMaximum) more\(table)"
    }
    return differences.map(\.description) + more.sorted()
  }

  /// Takes in what was found in another part of the store.
  mutating func add(_ other: Integrity) {
    resourceCount += other.resourceCount
    versionCount += other.versionCount
    expected.add(other.expected)
    standing.add(other.standing)
    counts.merge(other.counts, uniquingKeysWith: +)
    differenceCount += other.differenceCount
    for difference in other.differences {
      let group = Group(kind: difference.kind, table: difference.table)
      let listed = differences.lazy.filter { $0.kind == group.kind && $0.table == group.table }
      if listed.count < Int(Self.listedCountMaximum) { differences.append(difference) }
    }
    groups.merge(other.groups, uniquingKeysWith: +)
  }

  /// Notes what the closure finds unreadable instead of throwing it.
  private mutating func noting(_ body: (inout Integrity) throws -> Void) throws {
    do { try body(&self) } catch let error as StoreError { note(.unreadableValue, "\(error)") }
  }
}

// MARK: Resources and their versions

extension Integrity {
  mutating func checkResources(
    _ numbers: Range<UInt64>, of store: ResourceStore, in reader: borrowing Reader
  ) throws {
    for number in numbers {
      guard try reader.hasValue(at: StoreKey.current(number), in: .current) else {
        note(.gapInNumbers, "\(number)")
        continue
      }
      resourceCount += 1
      try noting { try $0.checkVersions(of: number, store, in: reader) }
    }
  }

  private mutating func checkVersions(
    of number: UInt64, _ store: ResourceStore, in reader: borrowing Reader
  ) throws {
    var newer: VersionRecord?
    var found: [(VersionRecord, [UInt8])] = []
    try store.forEachVersion(of: number, in: reader) { record, json in
      found.append((record, try json()))
    }
    for (position, (record, json)) in found.enumerated() {
      versionCount += 1
      let id = record.facets.id
      if let newer, !record.isFollowed(by: newer) {
        note(.wrongHistory, "\(id) version \(record.version.number)")
      }
      newer = record
      try checkChange(of: record, number, in: reader)
      let content = CurrentContent(number: number, record: record, json: json)
      let resource = try checkContent(of: content, store, in: reader)
      if position == 0, let resource {
        try noting {
          try $0.addEntries(of: content.indexed(as: resource), number, store, in: reader)
        }
      }
    }
    guard let first = found.last?.0, let current = found.first?.0 else { return }
    if first.version != .first || first.isDeleted {
      note(.wrongHistory, "\(first.facets.id) begins with version \(first.version.number)")
    }
    if try store.number(of: current.facets.id, in: reader) != number {
      note(.wrongID, "\(current.facets.id)")
    }
  }

  private mutating func checkChange(
    of record: VersionRecord, _ number: UInt64, in reader: borrowing Reader
  ) throws {
    let key = StoreKey.change(record.facets.id.type, record.lastUpdated, number)
    let expected = Key().appending(record.version.number).bytes
    if try reader.value(at: key, in: .changes) != expected {
      note(.missingChange, "\(record.facets.id) version \(record.version.number)")
    }
  }

  /// - Returns: the resource, if it can be read and was not deleted.
  private mutating func checkContent(
    of content: CurrentContent, _ store: ResourceStore, in reader: borrowing Reader
  ) throws -> Resource? {
    let record = content.record
    let id = record.facets.id
    let place = "\(id) version \(record.version.number)"
    if record.isDeleted {
      if !content.json.isEmpty { note(.wrongContent, place) }
      return nil
    }
    guard let resource = try? content.resource(), resource.type == id.type,
      resource.stamped(id: id.id, version: record.version, lastUpdated: record.lastUpdated)
        == content.json
    else {
      note(.wrongContent, place)
      return nil
    }
    let facets = try store.facets(of: resource, as: id) { term in
      try store.index.terms.lookup(term, in: reader) ?? 0
    }
    if facets != record.facets { note(.wrongFacets, place) }
    return resource
  }

  private mutating func addEntries(
    of version: IndexedVersion, _ number: UInt64, _ store: ResourceStore,
    in reader: borrowing Reader
  ) throws {
    for entry in try store.index.entries(of: version, in: reader) {
      expected.add(number, at: entry.key.bytes.span, in: entry.table)
    }
  }
}

extension VersionRecord {
  /// Whether `next` can be the version after this one.
  fileprivate func isFollowed(by next: VersionRecord) -> Bool {
    next.version.number == version.number + 1 && next.lastUpdated > lastUpdated
      && next.facets.id == facets.id && !(isDeleted && next.isDeleted)
      && (!next.isDeleted || next.facets == facets)
  }
}

// MARK: Tables

extension Integrity {
  mutating func checkChecksums(of table: Table, in reader: borrowing Reader) throws {
    try reader.walk(table, .everything, .forward) { key, value in
      if !VersionRecord.isIntact(value) {
        note(.wrongChecksum, table.place(of: Key(key)), in: table)
      }
      return .next
    }
  }

  mutating func count(_ table: Table, in reader: borrowing Reader) throws {
    var count: UInt64 = 0
    try reader.walk(table, .everything, .forward) { _, _ in
      count += 1
      return .next
    }
    counts[table.name] = count
  }

  func counted(_ table: Table) -> UInt64 { counts[table.name] ?? 0 }

  mutating func addStanding(_ table: Table, in reader: borrowing Reader) throws {
    try reader.walkPostings(table, .everything, .forward) { key, number in
      standing.add(number, at: key, in: table)
      return .next
    }
  }
}

extension Table {
  /// Where something stands, for a person to find it: the key in hexadecimal digits.
  func place(of key: Key) -> String {
    "\(name) at \(key.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())"
  }
}

/// A sum over index entries, whatever their order: two that are equal are of the same entries, but for
/// a chance of one in 2⁶⁴. So the entries needn't be looked up one by one, all over the tables.
struct EntrySum: Equatable, Sendable {
  private(set) var count: UInt64 = 0
  private var sum: UInt64 = 0

  mutating func add(_ number: UInt64, at key: Span<UInt8>, in table: Table) {
    // FNV-1a, then the mixing of SplitMix64, so that sums of like keys and near numbers differ.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for position in key.indices {
      hash = (hash ^ UInt64(key[position])) &* 0x0000_0100_0000_01b3
    }
    hash = Self.mixed(hash ^ UInt64(table.position))
    count += 1
    sum &+= Self.mixed(hash &+ number &* 0x9e37_79b9_7f4a_7c15)
  }

  mutating func add(_ other: EntrySum) {
    count += other.count
    sum &+= other.sum
  }

  private static func mixed(_ value: UInt64) -> UInt64 {
    var value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }
}
