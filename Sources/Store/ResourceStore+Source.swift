import FHIRModel
import KeyValue
import Search

extension ResourceStore: ResourceSource {
  package func number(
    of id: ResourceID, in reader: borrowing Reader
  ) throws -> UInt64? {
    let key = StoreKey.id(id)
    guard let value = try reader.value(at: key, in: .ids) else { return nil }
    return try Self.integer(value, at: key, of: .ids)
  }

  /// Numbers are given without a gap and never taken back, so the last one tells the next: nothing
  /// has to be counted, and nothing can be stale when another process writes.
  package func nextNumber(in reader: borrowing Reader) throws -> UInt64 {
    var next: UInt64 = 1
    try reader.walk(.current, .everything, .backward) { key, _ in
      var bytes = ByteReader()
      next = try bytes.fixed(UInt64.self, in: key) + 1
      return .stop
    }
    return next
  }

  package func document(
    of number: UInt64, in reader: borrowing Reader
  ) throws -> JSONDocument? {
    let key = StoreKey.current(number)
    let json = try reader.withValue(at: key, in: .current) { value in
      try Self.json(in: value, at: key, of: .current)
    }
    guard let json, !json.isEmpty else { return nil }
    return try Self.document(json, at: key, of: .current)
  }

  static func document(
    _ json: [UInt8], at key: Key, of table: Table
  ) throws(StoreError) -> JSONDocument {
    do { return try JSONDocument(parsing: json) } catch {
      throw .unreadable(table: table.name, key: key.bytes)
    }
  }

  static func integer<Number: FixedWidthInteger & UnsignedInteger>(
    _ bytes: [UInt8], as type: Number.Type = UInt64.self, at key: Key, of table: Table
  ) throws(StoreError) -> Number {
    guard bytes.count == Number.bitWidth / 8 else {
      throw .unreadable(table: table.name, key: key.bytes)
    }
    return bytes.reduce(0) { $0 << 8 | Number($1) }
  }
}
