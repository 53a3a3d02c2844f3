extension DecimalValue {
  /// The exact product. It takes as many steps as both have digits, multiplied.
  package func multiplied(by other: DecimalValue) -> DecimalValue {
    var places = [Int](repeating: 0, count: digits.count + other.digits.count)
    for (position, digit) in digits.enumerated() {
      for (otherPosition, otherDigit) in other.digits.enumerated() {
        places[position + otherPosition + 1] += Int(digit) * Int(otherDigit)
      }
    }
    for position in places.indices.dropFirst().reversed() {
      places[position - 1] += places[position] / 10
      places[position] %= 10
    }
    return DecimalValue(
      isNegative: isNegative != other.isNegative, digits: places.map(UInt8.init),
      exponent: exponent + other.exponent, lastPlace: lastPlace + other.lastPlace)
  }
}
