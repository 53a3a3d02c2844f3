extension DecimalValue {
  /// Reads a JSON number: `-0.50`, `1E-245`, `1.2e+2`.
  ///
  /// `nil` for anything else, and for an exponent beyond `exponentMaximum`.
  package init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    self.init(bytes.span, mayLead: false)
  }

  /// Reads a number of a search, which may also have a leading `+` or zeros.
  package init?(search text: some StringProtocol) {
    let bytes = Array(text.utf8)
    self.init(bytes.span, mayLead: true)
  }

  private init?(_ text: Span<UInt8>, mayLead: Bool) {
    var position = 0
    let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
    if isNegative || (mayLead && text.count > 0 && text[0] == UInt8(ascii: "+")) { position += 1 }
    let start = position
    var digits: [UInt8] = []
    Self.appendDigits(of: text, from: &position, to: &digits)
    let integerCount = digits.count
    guard integerCount > 0, mayLead || integerCount == 1 || text[start] != UInt8(ascii: "0") else {
      return nil
    }
    if position < text.count, text[position] == UInt8(ascii: ".") {
      position += 1
      Self.appendDigits(of: text, from: &position, to: &digits)
      guard digits.count > integerCount else { return nil }
    }
    let hasExponent = position < text.count
    guard let power = Self.exponent(of: text, from: position) else { return nil }
    self.init(
      isNegative: isNegative, digits: digits, exponent: integerCount + power,
      lastPlace: power - (digits.count - integerCount),
      isSingleDigitWithExponent: hasExponent && digits.count == 1)
  }

  private static func appendDigits(
    of text: Span<UInt8>, from position: inout Int, to digits: inout [UInt8]
  ) {
    while position < text.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[position] {
      digits.append(text[position] - UInt8(ascii: "0"))
      position += 1
    }
  }

  /// The power of ten of `e+2` up to the end of the text; 0 if there is nothing more.
  private static func exponent(of text: Span<UInt8>, from first: Int) -> Int? {
    var position = first
    guard position < text.count else { return 0 }
    guard text[position] | 0x20 == UInt8(ascii: "e") else { return nil }
    position += 1
    guard position < text.count else { return nil }
    let isNegative = text[position] == UInt8(ascii: "-")
    if isNegative || text[position] == UInt8(ascii: "+") { position += 1 }
    guard position < text.count else { return nil }
    var power = 0
    while position < text.count {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[position] else { return nil }
      power = power * 10 + Int(text[position] - UInt8(ascii: "0"))
      guard power <= exponentMaximum else { return nil }
      position += 1
    }
    return isNegative ? -power : power
  }
}
