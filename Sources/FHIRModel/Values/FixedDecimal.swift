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

  private init(units: Int128) { self.units = units }

  package static let zero = FixedDecimal(units: 0)

  /// Reads a JSON number; digits behind the twentieth place are dropped. `nil` if it has more than
  /// twelve digits before the point.
  package init?(_ text: String) {
    guard let value = DecimalValue(text), value.exponent <= Self.wholeDigitCountMaximum else {
      return nil
    }
    var units: Int128 = 0
    // The first digit stands for ten to the power of `exponent - 1`.
    let placesKept = max(0, Self.placeCount + value.exponent)
    for digit in value.digits.prefix(placesKept) { units = units * 10 + Int128(digit) }
    for _ in 0..<max(0, placesKept - value.digits.count) where units != 0 { units *= 10 }
    self.units = value.isNegative ? -units : units
  }

  /// Sums of fewer than a million numbers are exact.
  package static func + (left: FixedDecimal, right: FixedDecimal) -> FixedDecimal {
    FixedDecimal(units: left.units + right.units)
  }

  package static func < (left: FixedDecimal, right: FixedDecimal) -> Bool {
    left.units < right.units
  }

  /// The quotient to six places behind the point, halves away from zero.
  package func divided(by count: Int) -> FixedDecimal {
    var step: Int128 = 1
    for _ in 0..<(Self.placeCount - Self.quotientPlaceCount) { step *= 10 }
    let divisor = Int128(count) * step
    let (quotient, rest) = units.quotientAndRemainder(dividingBy: divisor)
    let away: Int128 = rest.magnitude * 2 >= divisor.magnitude ? (units < 0 ? -1 : 1) : 0
    return FixedDecimal(units: (quotient + away) * step)
  }
}

extension FixedDecimal: CustomStringConvertible {
  /// As JSON writes it, without zeros that say nothing.
  package var description: String {
    let digits = String(units.magnitude)
    let padded = String(repeating: "0", count: max(0, Self.placeCount + 1 - digits.count)) + digits
    let whole = padded.dropLast(Self.placeCount)
    var fraction = padded.suffix(Self.placeCount)
    while fraction.last == "0" { fraction.removeLast() }
    return (units < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
  }
}
