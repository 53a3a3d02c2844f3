import FHIRModel

/// A date of an export, `2026-10-25 08:00:00 +0100`: the moment and the offset that stood beside it.
///
/// Apple writes every date of one export with the offset of the place where it was exported, so the
/// offset says nothing of where the person was.
package struct AppleStamp: Hashable, Sendable {
  /// Since 1970.
  package let milliseconds: Int64
  package let offsetSeconds: Int

  package init(milliseconds: Int64, offsetSeconds: Int) {
    self.milliseconds = milliseconds
    self.offsetSeconds = offsetSeconds
  }

  /// Reads `yyyy-MM-dd HH:mm:ss ±HHmm`, also with `T`, a fraction of a second, a colon in the offset
  /// or `Z`; `nil` for anything else and for days and times that don't exist.
  package init?(_ text: Span<UInt8>) {
    var place = 0
    guard let year = text.number(digits: 4, &place), text.skip(UInt8(ascii: "-"), &place),
      let month = text.number(digits: 2, &place), text.skip(UInt8(ascii: "-"), &place),
      let day = text.number(digits: 2, &place),
      let civil = CivilDay(year: year, month: month, day: day),
      text.skip(UInt8(ascii: " "), &place) || text.skip(UInt8(ascii: "T"), &place),
      let hour = text.number(digits: 2, &place), hour < 24, text.skip(UInt8(ascii: ":"), &place),
      let minute = text.number(digits: 2, &place), minute < 60,
      text.skip(UInt8(ascii: ":"), &place),
      let second = text.number(digits: 2, &place), second < 60,
      let fraction = text.fractionInMilliseconds(&place), let offset = text.offset(&place),
      place == text.count
    else { return nil }
    let local = civil.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second
    milliseconds = Int64(local - offset) * 1_000 + Int64(fraction)
    offsetSeconds = offset
  }

  package init?(_ text: String) { self.init(Array(text.utf8).span) }

  /// Since 1970, rounded down.
  package var seconds: Int {
    Int(milliseconds >= 0 ? milliseconds / 1_000 : (milliseconds - 999) / 1_000)
  }
}

/// Reads dates as Apple writes them, many of which are of one day and have one offset: then only the
/// time is read anew.
struct AppleStampReader {
  /// `yyyy-MM-dd` with the space behind it, and the offset with the space before it, of the last
  /// date that was read as a whole.
  private var day: (UInt64, UInt64) = (0, 0)
  private var offset: (UInt64, UInt8) = (0, 0)
  private var offsetSeconds = 0
  /// The beginning of that day, in seconds since 1970.
  private var dayStart = 0

  private static let byteCount = 25
  private static let dayMask: UInt64 = 0x00ff_ffff
  private static let offsetMask: UInt64 = 0xffff_ffff_ff00_0000

  /// The same as `AppleStamp(text)`.
  mutating func read(_ text: Span<UInt8>) -> AppleStamp? {
    guard text.count == Self.byteCount else { return AppleStamp(text) }
    let (first, second, third) = (text.word(at: 0), text.word(at: 8), text.word(at: 16))
    // HH:mm:ss stands in the second word's last five bytes and the third's first three.
    let time = second >> 24 | third << 40
    guard day == (first, second & Self.dayMask), offset == (third & Self.offsetMask, text[24]),
      let seconds = Self.seconds(time)
    else {
      guard let stamp = AppleStamp(text) else { return nil }
      if let seconds = Self.seconds(time), stamp.milliseconds % 1_000 == 0 {
        day = (first, second & Self.dayMask)
        offset = (third & Self.offsetMask, text[24])
        offsetSeconds = stamp.offsetSeconds
        dayStart = stamp.seconds - seconds
      }
      return stamp
    }
    return AppleStamp(
      milliseconds: Int64(dayStart + seconds) * 1_000, offsetSeconds: offsetSeconds)
  }

  /// The second of the day that eight bytes `HH:mm:ss` spell, the first of them lowest; `nil` if they
  /// don't.
  private static func seconds(_ time: UInt64) -> Int? {
    let digits = time ^ 0x3030_3a30_303a_3030
    // A bit is set in what is no digit, or no colon in its place.
    let faults = digits | (digits &+ 0x7676_7f76_767f_7676)
    guard faults & 0x8080_8080_8080_8080 == 0 else { return nil }
    func pair(_ shift: UInt64) -> Int {
      Int(truncatingIfNeeded: (digits >> shift & 0xf) &* 10 &+ (digits >> (shift &+ 8) & 0xf))
    }
    let (hour, minute, second) = (pair(0), pair(24), pair(48))
    guard hour < 24, minute < 60, second < 60 else { return nil }
    return (hour &* 60 &+ minute) &* 60 &+ second
  }
}

extension Span<UInt8> {
  /// The number that the next `digits` bytes spell.
  @inline(__always)
  fileprivate func number(digits: Int, _ place: inout Int) -> Int? {
    guard place + digits <= count else { return nil }
    var value = 0
    for position in place..<place + digits {
      let digit = self[position] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    place += digits
    return value
  }

  @inline(__always)
  fileprivate func skip(_ byte: UInt8, _ place: inout Int) -> Bool {
    guard place < count, self[place] == byte else { return false }
    place += 1
    return true
  }

  fileprivate func fractionInMilliseconds(_ place: inout Int) -> Int? {
    guard skip(UInt8(ascii: "."), &place) else { return 0 }
    var value = 0
    var unit = 100
    let start = place
    while let digit = number(digits: 1, &place) {
      value += digit * unit
      unit /= 10
    }
    return place > start ? value : nil
  }

  /// The offset in seconds, after a space that may be missing.
  fileprivate func offset(_ place: inout Int) -> Int? {
    _ = skip(UInt8(ascii: " "), &place)
    if skip(UInt8(ascii: "Z"), &place) { return 0 }
    let isBehind = skip(UInt8(ascii: "-"), &place)
    guard isBehind || skip(UInt8(ascii: "+"), &place), let hours = number(digits: 2, &place)
    else { return nil }
    _ = skip(UInt8(ascii: ":"), &place)
    guard let minutes = number(digits: 2, &place), hours <= 18, minutes < 60 else { return nil }
    return (hours * 3_600 + minutes * 60) * (isBehind ? -1 : 1)
  }
}
