extension DecimalValue {
  /// The value as bytes that order as the numbers do; equal values have equal bytes, and no value's
  /// bytes begin with another's, so that more may follow in a key.
  ///
  /// Layout: one byte for sign and exponent (with four more where the exponent is beyond ±60), the
  /// digits two a byte as 1…100, a final 0; all complemented for negative numbers.
  ///
  /// - Parameter maximum: at most this many digits are taken. Numbers that differ only beyond them
  ///   have equal bytes; `isKeyExact` tells.
  package func keyBytes(digitCountMaximum maximum: Int = 64) -> [UInt8] {
    guard !isZero else { return [0x80] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2 + 4)
    appendExponent(to: &bytes)
    let taken = digits.prefix(maximum)
    var position = 0
    while position < taken.count {
      let low = position + 1 < taken.count ? taken[position + 1] : 0
      bytes.append(taken[position] * 10 + low + 1)
      position += 2
    }
    bytes.append(0)
    return isNegative ? bytes.map { ~$0 } : bytes
  }

  /// Whether `keyBytes` holds every digit.
  package func isKeyExact(digitCountMaximum maximum: Int = 64) -> Bool { digits.count <= maximum }

  // Positive numbers begin with 0x81…0xFF, of which 0x84…0xFC count the exponents -60…60 and leave
  // room at both ends for those beyond, which follow in four bytes.
  private func appendExponent(to bytes: inout [UInt8]) {
    if -60...60 ~= exponent {
      bytes.append(UInt8(exponent + 0xC0))
      return
    }
    bytes.append(exponent < 0 ? 0x81 : 0xFF)
    let biased = UInt32(exponent + (1 << 31))
    for shift in stride(from: UInt32(24), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: biased >> shift))
    }
  }
}
