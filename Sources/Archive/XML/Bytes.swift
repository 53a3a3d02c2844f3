#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Span<UInt8> {
  package func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBufferPointer { bytes in
      unsafe other.withUnsafeBufferPointer { others in
        guard let start = bytes.baseAddress, let otherStart = others.baseAddress else {
          return true
        }
        return unsafe memcmp(start, otherStart, bytes.count) == 0
      }
    }
  }

  /// Whether these are the bytes of `text`.
  package func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for position in indices where unsafe self[position] != text.utf8Start[position] {
      return false
    }
    return true
  }

  /// The eight bytes from `position` on, the first of them lowest.
  @inlinable
  package func word(at position: Int) -> UInt64 {
    precondition(position >= 0 && position <= count - 8, "a word has eight bytes")
    return unsafe UInt64(
      littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  /// The place of the first `byte`; `count` if there is none.
  package func firstPosition(of byte: UInt8) -> Int {
    var position = 0
    while position <= count - 8 {
      let found = ByteScan.firstPosition(of: byte, in: word(at: position))
      if found < 8 { return position + found }
      position += 8
    }
    while position < count, self[position] != byte { position += 1 }
    return position
  }
}

extension [UInt8] {
  /// Writes a word to the eight bytes from `position` on, its lowest byte first.
  @inlinable
  package mutating func store(_ word: UInt64, at position: Int) {
    precondition(position >= 0 && position <= count - 8, "a word has eight bytes")
    unsafe withUnsafeMutableBytes {
      unsafe $0.storeBytes(of: word.littleEndian, toByteOffset: position, as: UInt64.self)
    }
  }
}
