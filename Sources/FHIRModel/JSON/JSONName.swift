/// A hash of a member's name from its length, its first and its last eight bytes. Names that differ
/// only between those collide, so an equal hash is a question and never an answer.
@inline(__always)
func nameHash(_ name: Span<UInt8>) -> UInt16 {
  let count = name.count
  var first: UInt64
  var last: UInt64
  if count >= 8 {
    // Both loads lie within the span, which checks it; every pattern of bits is a UInt64.
    first = unsafe name.bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self)
    last = unsafe name.bytes.unsafeLoadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
  } else if count >= 4 {
    first = UInt64(unsafe name.bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt32.self))
    last = UInt64(unsafe name.bytes.unsafeLoadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
  } else {
    first = 0
    last = 0
    for position in 0..<count { first = first << 8 | UInt64(name[position]) }
  }
  first = (first ^ UInt64(count)) &* 0x9E37_79B9_7F4A_7C15
  last = (last ^ first >> 29) &* 0xBF58_476D_1CE4_E5B9
  return UInt16(truncatingIfNeeded: (first ^ last) >> 40)
}

extension Span<UInt8> {
  /// Whether both hold the same bytes, compared eight at a time.
  @inline(__always)
  func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard count >= 8 else {
      for position in indices where self[position] != other[position] { return false }
      return true
    }
    var position = 0
    while position &+ 8 < count {
      if word(at: position) != other.word(at: position) { return false }
      position &+= 8
    }
    // The last eight, which may have been compared in part already.
    return word(at: count &- 8) == other.word(at: count &- 8)
  }

  @inline(__always)
  private func word(at position: Int) -> UInt64 {
    // The load lies within the span, which checks it; every pattern of bits is a UInt64.
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
  }
}

extension String {
  /// Whether both are the same bytes of UTF-8: `==` holds spellings for equal that Unicode does.
  package func hasSameBytes(as other: String) -> Bool { utf8.span.equals(other.utf8.span) }
}
