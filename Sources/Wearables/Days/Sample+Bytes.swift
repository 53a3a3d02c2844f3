import Archive

/// A sample as bytes that are ordered as samples are, for sorting outside memory: numbers with their
/// highest byte first, those with a sign moved so that the smallest is 0.
extension Sample {
  static let byteCount = 40

  /// Writes it to the `byteCount` bytes from `place` on.
  func write(to bytes: inout [UInt8], at place: Int = 0) {
    let (start, end) = (Self.ordered(start), Self.ordered(end))
    let (value, modified) = (Self.ordered(value), Self.ordered(modified))
    func put(_ word: UInt64, _ index: Int, _ bytes: inout [UInt8]) {
      bytes.store(word.byteSwapped, at: place + 8 * index)
    }
    put(UInt64(metric) << 48 | start >> 16, 0, &bytes)
    put(start << 48 | end >> 16, 1, &bytes)
    put(end << 48 | UInt64(source) << 32 | value >> 32, 2, &bytes)
    put(value << 32 | modified >> 32, 3, &bytes)
    put(modified << 32 | UInt64(zone) << 8 | (isManual ? 1 : 0), 4, &bytes)
  }

  init(bytes: Span<UInt8>) {
    func take(_ index: Int, _ bytes: Span<UInt8>) -> UInt64 {
      bytes.word(at: 8 * index).byteSwapped
    }
    let (first, second, third) = (take(0, bytes), take(1, bytes), take(2, bytes))
    let (fourth, fifth) = (take(3, bytes), take(4, bytes))
    metric = UInt16(truncatingIfNeeded: first >> 48)
    start = Self.integer(first << 16 | second >> 48)
    end = Self.integer(second << 16 | third >> 48)
    source = UInt16(truncatingIfNeeded: third >> 32)
    value = Self.double(third << 32 | fourth >> 32)
    modified = Self.integer(fourth << 32 | fifth >> 32)
    zone = UInt16(truncatingIfNeeded: fifth >> 8)
    isManual = fifth & 1 == 1
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
