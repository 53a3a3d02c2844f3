import FHIRModel
import KeyValue
import Search

/// The current version of a resource, read to be written over.
struct CurrentContent {
  let number: UInt64
  let record: VersionRecord
  let json: [UInt8]
  /// The content, if it was read already.
  var document: JSONDocument?

  /// The version that a client can name; `nil` if the resource is deleted.
  var standingVersion: VersionID? { record.isDeleted ? nil : record.version }

  /// `nil` if the resource is deleted.
  func resource() throws(StoreError) -> Resource? {
    guard !record.isDeleted else { return nil }
    guard let document = document ?? (try? JSONDocument(parsing: json)),
      let resource = try? Resource(trusted: document)
    else {
      throw StoreError.unreadable(
        table: Table.current.name, key: StoreKey.current(number).bytes)
    }
    return resource
  }

  /// What the index holds of it; `nil` if the resource is deleted.
  func indexed() throws(StoreError) -> IndexedVersion? { try resource().map(indexed) }

  /// What the index holds of it, its content being read already.
  func indexed(as resource: Resource) -> IndexedVersion {
    IndexedVersion(
      resource: resource, id: record.facets.id.id, lastUpdated: record.lastUpdated)
  }
}

extension ResourceStore {
  /// `nil` if there never was such a resource.
  func currentContent(
    of id: ResourceID, in reader: borrowing Reader
  ) throws -> CurrentContent? {
    try number(of: id, in: reader).map { try currentContent(of: $0, in: reader) }
  }

  func currentContent(
    of number: UInt64, in reader: borrowing Reader
  ) throws -> CurrentContent {
    let key = StoreKey.current(number)
    let found = try reader.withValue(at: key, in: .current) { value in
      CurrentContent(
        number: number, record: try Self.record(in: value, at: key, of: .current),
        json: try Self.json(in: value, at: key, of: .current))
    }
    guard let found else { throw StoreError.missing(table: Table.current.name, key: key.bytes) }
    return found
  }
}
