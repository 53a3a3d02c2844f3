import FHIRModel
import KeyValue

/// - SeeAlso: `Format.md`, which says what stands in each.
extension Table {
  /// Type and id of a resource, with its number.
  static let ids = Table(position: 0, name: "store-ids", kind: .values)
  /// The current version of each resource, by number.
  static let current = Table(position: 1, name: "store-current", kind: .numbered)
  /// The versions that were current once, by number and version.
  static let superseded = Table(position: 2, name: "store-superseded", kind: .values)
  /// Every version of each type in the order of their moments.
  static let changes = Table(position: 3, name: "store-changes", kind: .values)
  /// Raw samples of persons, in pieces.
  static let samples = Table(position: 4, name: "store-samples", kind: .values)
}

/// Keys of the store's tables.
enum StoreKey {
  static func id(_ id: ResourceID) -> Key {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 + id.id.byteCount)
    bytes.append(id)
    return Key(bytes)
  }

  static func current(_ number: UInt64) -> Key {
    var key = Key(reservingByteCount: 8)
    key.append(number)
    return key
  }

  static func superseded(_ number: UInt64, _ version: VersionID) -> Key {
    var key = Key(reservingByteCount: 12)
    key.append(number)
    key.append(version.number)
    return key
  }

  static func change(_ type: ResourceType, _ moment: Instant, _ number: UInt64) -> Key {
    var key = Key(reservingByteCount: 17)
    key.append(type.position)
    key.append(moment.ticks)
    key.append(number)
    return key
  }
}
