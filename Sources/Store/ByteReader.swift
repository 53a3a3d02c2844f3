import FHIRModel

/// A place in stored bytes. Every read checks that the bytes are there.
package struct ByteReader {
  /// The bytes end before the value does, or are no such value.
  package struct Failure: Error {
    package init() {}
  }

  package private(set) var position: Int

  package init(at position: Int = 0) { self.position = position }

  package mutating func byte(in bytes: Span<UInt8>) throws(Failure) -> UInt8 {
    guard position < bytes.count else { throw Failure() }
    defer { position += 1 }
    return bytes[position]
  }

  /// An integer of a fixed width, highest byte first.
  package mutating func fixed(
    _ type: UInt32.Type, in bytes: Span<UInt8>
  ) throws(Failure) -> UInt32 {
    var number: UInt32 = 0
    for _ in 0..<4 { number = number &<< 8 | UInt32(try byte(in: bytes)) }
    return number
  }

  /// An integer of a fixed width, highest byte first.
  package mutating func fixed(
    _ type: UInt64.Type, in bytes: Span<UInt8>
  ) throws(Failure) -> UInt64 {
    guard position + 8 <= bytes.count else { throw Failure() }
    defer { position += 8 }
    return bytes.bigEndianNumber(at: position)
  }

  package mutating func moment(in bytes: Span<UInt8>) throws(Failure) -> Instant {
    Instant(ticks: Int64(bitPattern: try fixed(UInt64.self, in: bytes) ^ 1 << 63))
  }

  /// An integer in groups of seven bits, lowest first, each but the last with its high bit set.
  package mutating func varint(in bytes: Span<UInt8>) throws(Failure) -> UInt64 {
    let first = try byte(in: bytes)
    if first < 0x80 { return UInt64(first) }
    var number = UInt64(first & 0x7F)
    for shift in stride(from: UInt64(7), to: 64, by: 7) {
      let next = try byte(in: bytes)
      let group = UInt64(next & 0x7F)
      guard shift < 63 || group < 2 else { throw Failure() }
      number |= group << shift
      if next & 0x80 == 0 { return number }
    }
    throw Failure()
  }

  /// A count of things that take at least a byte each.
  package mutating func count(in bytes: Span<UInt8>) throws(Failure) -> Int {
    let count = try varint(in: bytes)
    guard position <= bytes.count, count <= UInt64(bytes.count - position) else { throw Failure() }
    return Int(count)
  }

  package mutating func text(in bytes: Span<UInt8>) throws(Failure) -> String {
    let count = try count(in: bytes)
    return String(copying: bytes.extracting(try places(count, in: bytes)))
  }

  /// A type and an id, as `append` writes them.
  package mutating func id(in bytes: Span<UInt8>) throws(Failure) -> ResourceID {
    guard let type = ResourceType(position: try byte(in: bytes)) else { throw Failure() }
    let count = Int(try byte(in: bytes))
    if count == 0 {
      let high = try fixed(UInt64.self, in: bytes)
      return ResourceID(type, LogicalID(uuid: high, try fixed(UInt64.self, in: bytes)))
    }
    guard let id = LogicalID(bytes.extracting(try places(count, in: bytes))) else {
      throw Failure()
    }
    return ResourceID(type, id)
  }

  /// Goes past so many bytes and says where they are.
  private mutating func places(
    _ count: Int, in bytes: Span<UInt8>
  ) throws(Failure) -> Range<Int> {
    guard count <= bytes.count - position else { throw Failure() }
    defer { position += count }
    return position..<position + count
  }
}

extension [UInt8] {
  package mutating func append(moment: Instant) {
    append(fixed: UInt64(bitPattern: moment.ticks) ^ 1 << 63)
  }

  // One function a width: a generic one is not specialised across modules.

  package mutating func append(fixed number: UInt32) {
    let bytes = InlineArray<4, UInt8> {
      UInt8(truncatingIfNeeded: number &>> UInt32(truncatingIfNeeded: 24 &- 8 &* $0))
    }
    append(copying: bytes.span)
  }

  package mutating func append(fixed number: UInt64) {
    append(bigEndian: number)
  }

  package mutating func append(varint number: Int) { append(varint: UInt64(number)) }
  package mutating func append(varint number: UInt32) { append(varint: UInt64(number)) }

  package mutating func append(varint number: UInt64) {
    var rest = number
    while rest > 0x7F {
      append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// Appends a type and an id in as few bytes as they take: a UUID is held as its 16 bytes.
  package mutating func append(_ id: ResourceID) {
    guard let uuid = id.id.uuid else {
      append(id.type.position)
      append(UInt8(id.id.byteCount))
      id.id.append(to: &self)
      return
    }
    append(id.type.position)
    append(0)
    append(bigEndian: uuid.high, uuid.low)
  }

  package mutating func append(counted text: String) {
    append(varint: text.utf8.count)
    append(contentsOf: text.utf8)
  }
}
