/// A sample as bytes that are ordered as samples are, for sorting outside memory.
extension Sample {
  static let byteCount = 39

  func write(to bytes: inout [UInt8]) {
    var place = 0
    func put(_ number: UInt64, _ byteCount: Int) {
      for position in 0..<byteCount {
        bytes[place &+ position] = UInt8(
          truncatingIfNeeded: number
            >> UInt64(truncatingIfNeeded: 8 &* (byteCount &- 1 &- position)))
      }
      place &+= byteCount
    }
    put(UInt64(metric), 2)
    put(Self.ordered(start), 8)
    put(Self.ordered(end), 8)
    put(UInt64(source), 2)
    put(Self.ordered(value), 8)
    put(Self.ordered(modified), 8)
    put(UInt64(zone), 2)
    put(isManual ? 1 : 0, 1)
  }

  init(bytes: Span<UInt8>) {
    var place = 0
    func take(_ byteCount: Int) -> UInt64 {
      var number: UInt64 = 0
      for position in 0..<byteCount { number = number << 8 | UInt64(bytes[place &+ position]) }
      place &+= byteCount
      return number
    }
    metric = UInt16(truncatingIfNeeded: take(2))
    start = Self.integer(take(8))
    end = Self.integer(take(8))
    source = UInt16(truncatingIfNeeded: take(2))
    value = Self.double(take(8))
    modified = Self.integer(take(8))
    zone = UInt16(truncatingIfNeeded: take(2))
    isManual = take(1) == 1
  }

  private static let sign: UInt64 = 1 << 63

  private static func ordered(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ sign }

  private static func integer(_ bits: UInt64) -> Int64 { Int64(bitPattern: bits ^ sign) }

  /// Negative numbers are ordered by falling bits, so all of them are turned round.
  private static func ordered(_ number: Double) -> UInt64 {
    let bits = number.bitPattern
    return bits & sign == 0 ? bits | sign : ~bits
  }

  private static func double(_ bits: UInt64) -> Double {
    Double(bitPattern: bits & sign == 0 ? ~bits : bits & ~sign)
  }
}
