/// How far local time is ahead of UTC: whole minutes, from -14:00 to +14:00.
package struct UTCOffset: Hashable, Sendable {
  package let minutes: Int

  /// `nil` if it is more than 14 hours.
  package init?(minutes: Int) {
    guard abs(minutes) <= 14 * 60 else { return nil }
    self.minutes = minutes
  }

  private init(zero: Void) { minutes = 0 }

  package static let utc = UTCOffset(zero: ())

  var ticks: Int64 { Int64(minutes) * 60 * Instant.ticksPerSecond }
}

extension UTCOffset: CustomStringConvertible {
  /// `+02:00`, `-03:30`; `Z` for UTC.
  package var description: String {
    guard minutes != 0 else { return "Z" }
    var text: [UInt8] = [UInt8(ascii: minutes < 0 ? "-" : "+")]
    text.append(number: abs(minutes) / 60, digits: 2)
    text.append(UInt8(ascii: ":"))
    text.append(number: abs(minutes) % 60, digits: 2)
    return String(decoding: text, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends the last `digits` decimal digits of `number`, with leading zeros.
  mutating func append(number: Int, digits: Int) {
    var divisor = 1
    for _ in 1..<digits { divisor *= 10 }
    for _ in 0..<digits {
      append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }
}
