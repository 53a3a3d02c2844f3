/// Numbers as an export writes them.
enum AppleNumber {
  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Reads a decimal number; `nil` for anything else, among it `NaN` and what is too large.
  ///
  /// - Parameter allowsComma: also as the decimal point, as some locales write it.
  static func parse(_ text: Span<UInt8>, allowsComma: Bool = false) -> Double? {
    var position = 0
    let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
    if isNegative || text.count > 0 && text[0] == UInt8(ascii: "+") { position = 1 }
    var mantissa: UInt64 = 0
    var digitCount = 0
    var fractionCount = 0
    var hasPoint = false
    while position < text.count {
      let byte = text[position]
      let digit = byte &- UInt8(ascii: "0")
      if digit < 10 {
        digitCount += 1
        if hasPoint { fractionCount += 1 }
        if digitCount <= 18 { mantissa = mantissa * 10 + UInt64(digit) }
      } else if !hasPoint, byte == UInt8(ascii: ".") || allowsComma && byte == UInt8(ascii: ",") {
        hasPoint = true
      } else {
        break
      }
      position += 1
    }
    guard digitCount > 0 else { return nil }
    // Both parts are exact doubles then, and one division rounds once.
    if position == text.count, digitCount <= 18, mantissa <= 1 << 53, fractionCount <= 22 {
      let value = Double(mantissa) / powersOfTen[fractionCount]
      return isNegative ? -value : value
    }
    return slow(text, allowsComma: allowsComma)
  }

  private static func slow(_ text: Span<UInt8>, allowsComma: Bool) -> Double? {
    var bytes: [UInt8] = []
    for position in text.indices {
      let byte = text[position]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        bytes.append(byte)
      case UInt8(ascii: ",") where allowsComma: bytes.append(UInt8(ascii: "."))
      default: return nil
      }
    }
    guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value
  }

  static func parse(_ text: String, allowsComma: Bool = false) -> Double? {
    parse(Array(text.utf8).span, allowsComma: allowsComma)
  }
}
