extension DecimalValue {
  /// The numbers that a search for this value means: half a unit of its last written place to
  /// either side, the lower end included. `100` is 99.5…100.5, `100.00` is 99.995…100.005.
  ///
  /// R4 gives 95…105 for `1e2`, as if a zero stood behind the one digit; so it is read here.
  ///
  /// - SeeAlso: https://hl7.org/fhir/R4/search.html#number
  package var searchRange: Range<DecimalValue> {
    let halfPlace = (isSingleDigitWithExponent ? lastPlace - 1 : lastPlace) - 1
    let half = DecimalValue(
      isNegative: false, digits: [5], exponent: halfPlace + 1, lastPlace: halfPlace)
    return adding(half.negated)..<adding(half)
  }

  var negated: DecimalValue {
    DecimalValue(
      isNegative: !isNegative, digits: digits, exponent: exponent, lastPlace: lastPlace)
  }

  /// The exact sum. Both numbers must be of like magnitude, as a value and its half unit are: the
  /// sum holds every digit between the highest and the lowest.
  package func adding(_ other: DecimalValue) -> DecimalValue {
    guard !isZero else { return other }
    // Zero has no magnitude: its places may lie a billion away.
    if isZero || other.isZero { return isZero ? other : self }
    let low = min(lowestPlace, other.lowestPlace)
    let high = max(exponent, other.exponent) + 1
    let left = placed(from: high, to: low)
    let right = other.placed(from: high, to: low)
    let isLeftLarger = !left.lexicographicallyPrecedes(right)
    let (larger, smaller) = isLeftLarger ? (left, right) : (right, left)
    return DecimalValue(
      isNegative: isLeftLarger ? isNegative : other.isNegative,
      digits: Self.combine(
        larger, smaller, isDifference: isNegative != other.isNegative),
      exponent: high, lastPlace: low)
  }

  private var lowestPlace: Int { exponent - digits.count }

  /// The digits from place `high - 1` down to place `low`, with zeros where none stand.
  private func placed(from high: Int, to low: Int) -> [UInt8] {
    var places = [UInt8](repeating: 0, count: high - low)
    for (offset, digit) in digits.enumerated() { places[high - exponent + offset] = digit }
    return places
  }

  private static func combine(
    _ larger: [UInt8], _ smaller: [UInt8], isDifference: Bool
  ) -> [UInt8] {
    var result = larger.map(Int.init)
    for position in result.indices.reversed() {
      result[position] += isDifference ? -Int(smaller[position]) : Int(smaller[position])
      let carry = result[position] < 0 ? -1 : result[position] / 10
      result[position] -= carry * 10
      if carry != 0 { result[position - 1] += carry }
    }
    return result.map(UInt8.init)
  }
}

extension DecimalValue {
  /// A tenth of the value to either side, both ends in: what `ap` takes for near.
  ///
  /// - SeeAlso: https://hl7.org/fhir/R4/search.html#prefix
  package var approximateRange: Range<DecimalValue> {
    let tenth = DecimalValue(
      isNegative: false, digits: digits, exponent: exponent - 1, lastPlace: lastPlace - 1)
    let end = adding(tenth)
    // The first number behind the end, at a place that no value written so shortly has.
    let next = DecimalValue(
      isNegative: false, digits: [1], exponent: lastPlace - 8, lastPlace: lastPlace - 9)
    return adding(tenth.negated)..<end.adding(next)
  }
}
