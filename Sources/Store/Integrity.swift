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

    package var description: String { "\(kind.rawValue): \(place)" }
  }

  package private(set) var resourceCount: UInt64 = 0
  package private(set) var versionCount: UInt64 = 0
  package private(set) var indexEntryCount: UInt64 = 0
  /// The first differences; there may be more than are listed.
  package private(set) var differences: [Difference] = []
  package private(set) var differenceCount: UInt64 = 0

  package var isClean: Bool { differenceCount == 0 }

  private static let listedCountMaximum = 1000

  /// Checks the whole store.
  ///
  /// - Throws: `StorageError`; what is wrong in the store is not thrown but listed.
  package init(
    of store: ResourceStore, in reader: borrowing Reader
  ) throws {
    // An index of its own knows no term but those that stand in the store.
    let store = ResourceStore(
      index: SearchIndex(configuration: store.index.configuration), clock: store.clock,
      newID: store.newID)
    try checkResources(of: store, in: reader)
    try checkChecksums(of: .current, in: reader)
    try checkChecksums(of: .superseded, in: reader)
    try checkChecksums(of: .samples, in: reader)
    try checkStrays(in: reader)
    try checkIndexCount(of: store, in: reader)
    for problem in try store.index.terms.problems(in: reader) { note(.wrongTerm, problem) }
  }

  private mutating func note(_ kind: Difference.Kind, _ place: String) {
    differenceCount += 1
    guard differences.count < Self.listedCountMaximum else { return }
    differences.append(Difference(kind: kind, place: place))
  }

  /// Notes what the closure finds unreadable instead of throwing it.
  private mutating func noting(_ body: (inout Integrity) throws -> Void) throws {
    do { try body(&self) } catch let error as StoreError { note(.unreadableValue, "\(error)") }
  }
}

// MARK: Resources and their versions

extension Integrity {
  private mutating func checkResources(
    of store: ResourceStore, in reader: borrowing Reader
  ) throws {
    let end = try store.nextNumber(in: reader)
    for number in 1..<max(end, 1) {
      guard try reader.hasValue(at: StoreKey.current(number), in: .current) else {
        note(.gapInNumbers, "\(number)")
        continue
      }
      resourceCount += 1
      try noting { try $0.checkVersions(of: number, store, in: reader) }
      try noting { try $0.checkIndex(of: number, store, in: reader) }
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
    for (record, json) in found {
      versionCount += 1
      let id = record.facets.id
      if let newer, !record.isFollowed(by: newer) {
        note(.wrongHistory, "\(id) version \(record.version.number)")
      }
      newer = record
      try checkChange(of: record, number, in: reader)
      try checkContent(of: record, json, store, in: reader)
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

  private mutating func checkContent(
    of record: VersionRecord, _ json: [UInt8], _ store: ResourceStore,
    in reader: borrowing Reader
  ) throws {
    let id = record.facets.id
    let place = "\(id) version \(record.version.number)"
    if record.isDeleted {
      if !json.isEmpty { note(.wrongContent, place) }
      return
    }
    guard let document = try? JSONDocument(parsing: json),
      let resource = try? Resource(trusted: document), resource.type == id.type,
      resource.stamped(id: id.id, version: record.version, lastUpdated: record.lastUpdated) == json
    else { return note(.wrongContent, place) }
    let facets = try store.facets(of: resource, as: id) { term in
      try store.index.terms.lookup(term, in: reader) ?? 0
    }
    if facets != record.facets { note(.wrongFacets, place) }
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

// MARK: Entries that nothing stands behind

extension Integrity {
  private mutating func checkChecksums(
    of table: Table, in reader: borrowing Reader
  ) throws {
    try reader.walk(table, .everything, .forward) { key, value in
      if !VersionRecord.isIntact(value) { note(.wrongChecksum, "\(table.name) \(Key(key).bytes)") }
      return .next
    }
  }

  private mutating func checkStrays(
    in reader: borrowing Reader
  ) throws {
    let idCount = try Self.count(of: .ids, in: reader)
    // Each resource was found under its id, so more ids than resources means stray ones.
    if idCount != resourceCount { note(.wrongID, "\(idCount) ids, \(resourceCount) resources") }
    let changeCount = try Self.count(of: .changes, in: reader)
    if changeCount != versionCount {
      note(.strayChange, "\(changeCount) changes, \(versionCount) versions")
    }
    let supersededCount = try Self.count(of: .superseded, in: reader)
    if supersededCount + resourceCount != versionCount {
      note(.strayVersion, "\(supersededCount) superseded, \(versionCount) versions in all")
    }
  }

  private static func count(
    of table: Table, in reader: borrowing Reader
  ) throws -> UInt64 {
    var count: UInt64 = 0
    try reader.walk(table, .everything, .forward) { _, _ in
      count += 1
      return .next
    }
    return count
  }
}

// MARK: Index

extension Integrity {
  private mutating func checkIndex(
    of number: UInt64, _ store: ResourceStore, in reader: borrowing Reader
  ) throws {
    let current = try store.currentContent(of: number, in: reader)
    for entry in try store.indexEntries(of: current, in: reader) {
      indexEntryCount += 1
      if try !reader.contains(number, at: entry.key, in: entry.table) {
        note(.missingIndexEntry, "\(current.record.facets.id) in \(entry.place)")
      }
    }
  }

  /// All that should be there was found; if there is more, the strays are sought.
  private mutating func checkIndexCount(
    of store: ResourceStore, in reader: borrowing Reader
  ) throws {
    var count: UInt64 = 0
    for table in SearchIndex.postingTables {
      try reader.walkPostings(table, .everything, .forward) { _, _ in
        count += 1
        return .next
      }
    }
    guard count != indexEntryCount || !isClean else { return }
    for stray in try store.strayIndexEntries(in: reader) {
      note(.strayIndexEntry, "number \(stray.number) in \(stray.entry.place)")
    }
  }
}

extension IndexEntry {
  fileprivate var place: String {
    "\(table.name) at \(key.bytes.map { String($0, radix: 16) }.joined(separator: " "))"
  }
}
