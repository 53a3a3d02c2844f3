import FHIRModel
import KeyValue
import Search

/// Names what stands in a table and has nothing behind it: sought only when the counts don't agree.
extension Integrity {
  mutating func nameStrays(of store: ResourceStore, in reader: borrowing Reader) throws {
    if counted(.ids) != resourceCount { try nameStrayIDs(in: reader) }
    if counted(.changes) != versionCount { try nameStrayChanges(of: store, in: reader) }
    if counted(.superseded) + resourceCount != versionCount {
      try nameStrayVersions(in: reader)
    }
    if standing != expected { try nameIndexEntries(of: store, in: reader) }
  }

  private mutating func nameStrayIDs(in reader: borrowing Reader) throws {
    try reader.walk(.ids, .everything, .forward) { key, value in
      let key = Key(key)
      let number = Key(value)
      let isRight = try reader.withValue(at: number, in: .current) { value in
        (try? VersionRecord(value)).map { StoreKey.id($0.facets.id) == key } ?? true
      }
      if isRight != true { note(.strayID, Table.ids.place(of: key)) }
      return .next
    }
  }

  /// A change belongs to the version that it names, if that was written at the change's moment.
  private mutating func nameStrayChanges(
    of store: ResourceStore, in reader: borrowing Reader
  ) throws {
    try reader.walk(.changes, .everything, .forward) { key, value in
      let key = Key(key)
      let number = Key(Array(key.bytes.suffix(8)))
      let version = Key(value)
      let right: (Span<UInt8>) -> Bool? = { value in
        guard let record = try? VersionRecord(value) else { return true }
        guard Key().appending(record.version.number) == version else { return nil }
        // The number at the key's end is the one that was looked under.
        let expected = StoreKey.change(record.facets.id.type, record.lastUpdated, 0)
        return expected.bytes.dropLast(8) == key.bytes.dropLast(8)
      }
      var isRight = try reader.withValue(at: number, in: .current, right).flatMap(\.self)
      if isRight == nil {
        let superseded = Key(number.bytes + version.bytes)
        isRight = try reader.withValue(at: superseded, in: .superseded, right).flatMap(\.self)
      }
      if isRight != true { note(.strayChange, Table.changes.place(of: key)) }
      return .next
    }
  }

  /// Versions of a resource were walked; those of a number that has none stand alone.
  private mutating func nameStrayVersions(in reader: borrowing Reader) throws {
    try reader.walk(.superseded, .everything, .forward) { key, _ in
      let key = Key(key)
      if try !reader.hasValue(at: Key(Array(key.bytes.prefix(8))), in: .current) {
        note(.strayVersion, Table.superseded.place(of: key))
      }
      return .next
    }
  }

  /// Looks up every entry that should be there, then seeks those that should not.
  private mutating func nameIndexEntries(
    of store: ResourceStore, in reader: borrowing Reader
  ) throws {
    for number in 1..<max(try store.nextNumber(in: reader), 1) {
      guard let current = try? store.currentContent(of: number, in: reader),
        let entries = try? store.indexEntries(of: current, in: reader)
      else { continue }
      for entry in entries.sorted()
      where try !reader.contains(number, at: entry.key, in: entry.table) {
        note(
          .missingIndexEntry, "\(current.record.facets.id) in \(entry.table.place(of: entry.key))",
          in: entry.table)
      }
    }
    for stray in try store.strayIndexEntries(in: reader) {
      note(
        .strayIndexEntry,
        "number \(stray.number) in \(stray.entry.table.place(of: stray.entry.key))",
        in: stray.entry.table)
    }
  }
}
