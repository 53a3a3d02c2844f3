/// A decimal number, exact to the last digit, of any length.
///
/// `1.50` and `1.5` are equal and have the same key; what differs is how far a search for them
/// reaches (`searchRange`). The digits as written stay in the JSON document.
///
/// - SeeAlso: https://hl7.org/fhir/R4/datatypes.html#decimal
package struct DecimalValue: Sendable {
  package let isNegative: Bool
  // The value is 0.d₁d₂d₃… × 10^exponent, without zeros at either end; zero has no digits.
  let digits: [UInt8]
  let exponent: Int
  // The power of ten of the last digit that was written, and whether R4's rule for `1e2` applies.
  let lastPlace: Int
  let isSingleDigitWithExponent: Bool

  package var isZero: Bool { digits.isEmpty }

  /// The largest exponent, either way, that is read.
  package static let exponentMaximum = 1_000_000_000

  init(
    isNegative: Bool, digits: [UInt8], exponent: Int, lastPlace: Int,
    isSingleDigitWithExponent: Bool = false
  ) {
    let leading = digits.prefix { $0 == 0 }.count
    let trimmed = digits.dropFirst(leading)
    let end = trimmed.lastIndex { $0 != 0 }.map { $0 + 1 } ?? trimmed.startIndex
    self.digits = Array(trimmed[..<end])
    self.isNegative = isNegative && !self.digits.isEmpty
    self.exponent = self.digits.isEmpty ? 0 : exponent - leading
    self.lastPlace = lastPlace
    self.isSingleDigitWithExponent = isSingleDigitWithExponent
  }
}

extension DecimalValue: Comparable, Hashable {
  package static func == (left: DecimalValue, right: DecimalValue) -> Bool {
    left.isNegative == right.isNegative && left.exponent == right.exponent
      && left.digits == right.digits
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(isNegative)
    hasher.combine(exponent)
    hasher.combine(digits)
  }

  package static func < (left: DecimalValue, right: DecimalValue) -> Bool {
    if left.signum != right.signum { return left.signum < right.signum }
    return left.isNegative ? right.isMagnitudeLess(than: left) : left.isMagnitudeLess(than: right)
  }

  private var signum: Int { isZero ? 0 : isNegative ? -1 : 1 }

  private func isMagnitudeLess(than other: DecimalValue) -> Bool {
    if exponent != other.exponent { return exponent < other.exponent }
    return digits.lexicographicallyPrecedes(other.digits)
  }
}
