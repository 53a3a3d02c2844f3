/// A key in a table: bytes, ordered as unsigned bytes from the left.
///
/// Keys are 1 to 511 bytes long (lmdb.h, `MDB_MAXKEYSIZE`); an engine refuses others with
/// `StorageError.keyByteCount`.
package struct Key: Hashable, Sendable {
  package private(set) var bytes: [UInt8]

  /// The longest key that every engine takes.
  package static let byteCountMaximum = 511

  /// The length of each key of a numbered table.
  package static let numberByteCount = 8

  package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  package init(_ span: Span<UInt8>) {
    bytes = [UInt8](capacity: span.count) { output in
      for position in span.indices { output.append(span[position]) }
    }
  }

  package init(reservingByteCount count: Int) {
    bytes = []
    bytes.reserveCapacity(count)
  }

  // One function a width: a generic one is not specialised across modules, and called through
  // witnesses it costs more than the look into the table that its key is for.

  /// Appends the integer with its highest byte first, so that keys order as numbers do.
  package mutating func append(_ number: UInt8) { bytes.append(number) }
  package mutating func append(_ number: UInt16) { appendBytes(of: number) }
  package mutating func append(_ number: UInt32) { appendBytes(of: number) }
  package mutating func append(_ number: UInt64) { appendBytes(of: number) }

  @inline(__always)
  private mutating func appendBytes<Number: FixedWidthInteger & UnsignedInteger>(
    of number: Number
  ) {
    bytes.append(addingCapacity: Number.bitWidth / 8) { output in
      var shift = Number.bitWidth
      while shift > 0 {
        shift -= 8
        output.append(UInt8(truncatingIfNeeded: number &>> Number(truncatingIfNeeded: shift)))
      }
    }
  }

  /// Puts the four bytes of a number in the place of those from `place` on.
  package mutating func replace(at place: Int, with number: UInt32) {
    for offset in 0..<4 {
      bytes[place + offset] = UInt8(truncatingIfNeeded: number &>> UInt32(24 - 8 * offset))
    }
  }

  /// Appends a signed integer so that negative numbers order before positive ones.
  package mutating func append(_ number: Int64) {
    append(UInt64(bitPattern: number) ^ (1 << 63))
  }

  package mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }

  package func appending(_ number: UInt8) -> Key {
    var key = self
    key.append(number)
    return key
  }

  package func appending(_ number: UInt16) -> Key {
    var key = self
    key.append(number)
    return key
  }

  package func appending(_ number: UInt32) -> Key {
    var key = self
    key.append(number)
    return key
  }

  package func appending(_ number: UInt64) -> Key {
    var key = self
    key.append(number)
    return key
  }

  package func appending(_ number: Int64) -> Key {
    var key = self
    key.append(number)
    return key
  }

  /// The first key after all keys that begin with these bytes; `nil` if there is none.
  package var afterPrefix: Key? {
    var end = bytes
    while let last = end.last {
      end.removeLast()
      if last < 255 {
        end.append(last + 1)
        return Key(end)
      }
    }
    return nil
  }
}

extension Key {
  /// - Throws: `StorageError.keyByteCount` for a key that a table of this kind can't hold.
  package func checkByteCount(_ kind: Table.Kind) throws(StorageError) {
    let isFitting =
      kind == .numbered
      ? bytes.count == Key.numberByteCount : 1...Key.byteCountMaximum ~= bytes.count
    guard isFitting else { throw .keyByteCount(bytes.count) }
  }
}

extension Key: Comparable {
  package static func < (left: Key, right: Key) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

/// The keys from `lower` (included) to `upper` (left out, or open).
package struct KeyRange: Hashable, Sendable {
  package var lower: Key
  package var upper: Key?

  package init(from lower: Key, to upper: Key?) {
    self.lower = lower
    self.upper = upper
  }

  /// All keys that begin with `prefix`; the empty prefix stands for the whole table.
  package init(prefix: Key) {
    self.init(from: prefix, to: prefix.bytes.isEmpty ? nil : prefix.afterPrefix)
  }

  package static let everything = KeyRange(from: Key(), to: nil)

  /// - Throws: `StorageError.keyByteCount` for an end that no key can be at; an empty `lower` stands
  ///   for the table's beginning.
  package func checkByteCounts(_ kind: Table.Kind) throws(StorageError) {
    if !lower.bytes.isEmpty { try lower.checkByteCount(kind) }
    if let upper { try upper.checkByteCount(kind) }
  }
}
