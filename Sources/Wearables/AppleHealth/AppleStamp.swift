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
