extension Span<UInt8> {
  /// The first position of `byte` from `start` on; `count` if there is none.
  package func firstPosition(of byte: UInt8, from start: Int = 0) -> Int {
    var position = start
    while position < count, self[position] != byte { position += 1 }
    return position
  }

  package func contains(_ byte: UInt8) -> Bool { firstPosition(of: byte) < count }
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
}

extension String {
  /// The text of UTF-8; what is none is replaced.
  package init(copying bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
