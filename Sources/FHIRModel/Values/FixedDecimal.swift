/// A decimal number with twenty places behind the point, for sums that are exact in every digit that
/// a device can have measured.
package struct FixedDecimal: Hashable, Comparable, Sendable {
  private static let placeCount = 20
  /// Beyond this many digits before the point, sums could overflow.
  private static let wholeDigitCountMaximum = 12
  /// The places that a quotient keeps.
  private static let quotientPlaceCount = 6

  /// In units of the last place.
  private let units: Int128

  package static let zero = FixedDecimal(units: 0)

  /// Sums of fewer than a million numbers are exact.
  package static func + (left: FixedDecimal, right: FixedDecimal) -> FixedDecimal {
    FixedDecimal(units: left.units + right.units)
  }

  package static func < (left: FixedDecimal, right: FixedDecimal) -> Bool {
    left.units < right.units
  }

  /// The quotient to six places behind the point, halves away from zero.
  package func divided(by count: Int) -> FixedDecimal {
    let step = Self.powers[Self.placeCount - Self.quotientPlaceCount]
    let divisor = Int128(count) * step
    let (quotient, rest) = units.quotientAndRemainder(dividingBy: divisor)
    let away: Int128 = rest.magnitude * 2 >= divisor.magnitude ? (units < 0 ? -1 : 1) : 0
    return FixedDecimal(units: (quotient + away) * step)
  }

  /// Those of ten.
  private static let powers: [Int128] = {
    var powers: [Int128] = [1]
    for position in 0..<placeCount { powers.append(powers[position] * 10) }
    return powers
  }()
}

extension FixedDecimal {
  /// Reads a JSON number; digits behind the twentieth place are dropped. `nil` if it has more than
  /// twelve digits before the point.
  package init?(_ text: some Sequence<UInt8>) {
    var units: Int128 = 0
    var wholeDigitCount = 0
    var placeCount = 0
    var isNegative = false
    var isBehindPoint = false
    for byte in text {
      switch byte {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): isBehindPoint = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        guard !isBehindPoint || placeCount < Self.placeCount else { continue }
        units = units * 10 + Int128(byte - UInt8(ascii: "0"))
        if isBehindPoint { placeCount += 1 } else { wholeDigitCount += 1 }
        guard wholeDigitCount <= Self.wholeDigitCountMaximum else { return nil }
      default:
        // An exponent, which no device writes.
        self.init(scientific: String(decoding: Array(text), as: UTF8.self))
        return
      }
    }
    units *= Self.powers[Self.placeCount - placeCount]
    self.init(units: isNegative ? -units : units)
  }

  private init?(scientific text: String) {
    guard let value = DecimalValue(text), value.exponent <= Self.wholeDigitCountMaximum else {
      return nil
    }
    // The first digit stands for ten to the power of `exponent - 1`.
    let kept = max(0, Self.placeCount + value.exponent)
    var units: Int128 = 0
    for digit in value.digits.prefix(kept) { units = units * 10 + Int128(digit) }
    for _ in value.digits.count..<max(kept, value.digits.count) where units != 0 { units *= 10 }
    self.init(units: value.isNegative ? -units : units)
  }
}

extension FixedDecimal {
  /// The number as JSON writes it, without zeros that say nothing.
  package var text: [UInt8] {
    let one = Self.powers[Self.placeCount].magnitude
    let (whole, fraction) = units.magnitude.quotientAndRemainder(dividingBy: one)
    var text: [UInt8] = units < 0 ? [UInt8(ascii: "-")] : []
    text.append(contentsOf: String(UInt64(whole)).utf8)
    guard fraction != 0 else { return text }
    text.append(UInt8(ascii: "."))
    let half = Self.powers[Self.placeCount / 2].magnitude
    let (high, low) = fraction.quotientAndRemainder(dividingBy: half)
    for part in [high, low] {
      let digits = String(UInt64(part)).utf8
      text.append(
        contentsOf: repeatElement(UInt8(ascii: "0"), count: Self.placeCount / 2 - digits.count))
      text.append(contentsOf: digits)
    }
    while text.last == UInt8(ascii: "0") { text.removeLast() }
    return text
  }
}

extension FixedDecimal: CustomStringConvertible {
  package var description: String { String(decoding: text, as: UTF8.self) }
}
