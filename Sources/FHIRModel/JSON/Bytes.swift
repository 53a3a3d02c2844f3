extension Span<UInt8> {
  /// The first position of `byte` from `start` on; `count` if there is none.
  package func firstPosition(of byte: UInt8, from start: Int = 0) -> Int {
    var position = start
    while position < count, self[position] != byte { position += 1 }
    return position
  }

  package func contains(_ byte: UInt8) -> Bool { firstPosition(of: byte) < count }

  /// The integer in the eight bytes from `position` on, highest byte first. All must be there.
  package func bigEndianNumber(at position: Int) -> UInt64 {
    precondition(position >= 0 && count - position >= 8, "the eight bytes are in the span")
    return unsafe withUnsafeBytes {
      UInt64(bigEndian: unsafe $0.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    }
  }
}

extension [UInt8] {
  /// A copy of `bytes`.
  package init(copying bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
  }

  /// Appends a copy of `bytes`.
  package mutating func append(copying bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Appends copies of four pieces, one behind the other: the array grows once.
  package mutating func append(
    copying first: Span<UInt8>, _ second: Span<UInt8>, _ third: Span<UInt8>, _ fourth: Span<UInt8>
  ) {
    append(addingCapacity: first.count + second.count + third.count + fourth.count) { output in
      unsafe output.withUnsafeMutableBufferPointer { buffer, count in
        unsafe buffer.put(first, behind: &count)
        unsafe buffer.put(second, behind: &count)
        unsafe buffer.put(third, behind: &count)
        unsafe buffer.put(fourth, behind: &count)
      }
    }
  }

  /// Appends the eight bytes of each integer, highest first.
  package mutating func append(bigEndian first: UInt64, _ second: UInt64) {
    unsafe Swift.withUnsafeBytes(of: (first.bigEndian, second.bigEndian)) {
      unsafe append(contentsOf: $0)
    }
  }

  /// Appends the eight bytes of an integer, highest first.
  package mutating func append(bigEndian number: UInt64) {
    unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe append(contentsOf: $0) }
  }
}

extension UnsafeMutableBufferPointer<UInt8> {
  @inline(__always)
  fileprivate func put(_ piece: Span<UInt8>, behind count: inout Int) {
    precondition(piece.count <= self.count - count, "there is room for all pieces")
    unsafe piece.withUnsafeBufferPointer { piece in
      guard let from = piece.baseAddress, let start = baseAddress else { return }
      unsafe (start + count).update(from: from, count: piece.count)
    }
    count += piece.count
  }
}

/// Lends the first `count` bytes of words whose bytes stand as they are to be read.
func withBytes(
  _ words: InlineArray<5, UInt64>, first count: Int, _ body: (Span<UInt8>) -> Void
) {
  unsafe withUnsafeBytes(of: words) {
    body(unsafe Span(_unsafeBytes: $0).extracting(first: count))
  }
}

extension String {
  /// The text of UTF-8; what is none is replaced.
  package init(copying bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
