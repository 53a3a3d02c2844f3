extension [UInt8] {
  /// The bytes as lower-case hexadecimal digits.
  package var hex: String {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * count)
    for byte in self {
      digits.append(hexDigits[Int(byte >> 4)])
      digits.append(hexDigits[Int(byte & 15)])
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Reads pairs of hexadecimal digits of either case; `nil` for anything else.
  package init?(hex text: some StringProtocol) {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    self = []
    reserveCapacity(digits.count / 2)
    for position in stride(from: 0, to: digits.count, by: 2) {
      guard let high = hexValue(of: digits[position]), let low = hexValue(of: digits[position + 1])
      else { return nil }
      append(high << 4 | low)
    }
  }

  /// The bytes as base64 with padding.
  ///
  /// - SeeAlso: https://www.rfc-editor.org/rfc/rfc4648#section-4
  package var base64: String {
    var text = encoded(with: base64Alphabet)
    while !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes as base64 with the alphabet for addresses and file names, without padding.
  ///
  /// - SeeAlso: https://www.rfc-editor.org/rfc/rfc4648#section-5
  package var base64URL: String {
    String(decoding: encoded(with: base64URLAlphabet), as: UTF8.self)
  }

  private func encoded(with alphabet: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((count + 2) / 3 * 4)
    var bits: UInt32 = 0
    var bitCount: UInt32 = 0
    for byte in self {
      bits = bits << 8 | UInt32(byte)
      bitCount += 8
      while bitCount >= 6 {
        bitCount -= 6
        text.append(alphabet[Int(bits >> bitCount & 63)])
      }
    }
    if bitCount > 0 { text.append(alphabet[Int(bits << (6 - bitCount) & 63)]) }
    return text
  }

  /// Reads base64 with the alphabet for addresses, without padding; `nil` for anything else, unused
  /// bits that are not zero included, so that each byte string has one text.
  package init?(base64URL text: some StringProtocol) {
    let digits = Array(text.utf8)
    guard digits.count % 4 != 1 else { return nil }
    self = []
    reserveCapacity(digits.count * 3 / 4)
    var bits: UInt32 = 0
    var bitCount: UInt32 = 0
    for digit in digits {
      guard let value = base64URLValue(of: digit) else { return nil }
      bits = bits << 6 | UInt32(value)
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        append(UInt8(truncatingIfNeeded: bits >> bitCount))
      }
    }
    guard bits & (1 << bitCount - 1) == 0 else { return nil }
  }
}

private let hexDigits = Array("0123456789abcdef".utf8)
private let base64Alphabet = Array(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
private let base64URLAlphabet = Array(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

private func hexValue(of digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
  default: nil
  }
}

private func base64URLValue(of digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
  case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
  case UInt8(ascii: "-"): 62
  case UInt8(ascii: "_"): 63
  default: nil
  }
}
