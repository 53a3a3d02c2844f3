/// The classes of bytes that the grammar speaks of.
///
/// - SeeAlso: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2
extension UInt8 {
  /// A `tchar`: what methods and field names are made of.
  var isTokenCharacter: Bool {
    // Bit n of the two words is set when the byte n (or n + 64) is a tchar.
    guard self < 128 else { return false }
    let word: UInt64 = self < 64 ? 0x03ff_6cfa_0000_0000 : 0x57ff_ffff_c7ff_fffe
    return word >> UInt64(self & 63) & 1 == 1
  }

  /// Printable ASCII but the space.
  var isVisible: Bool { self > 0x20 && self < 0x7f }

  /// What may stand in a field's value: printable ASCII, space, tab and bytes beyond ASCII.
  var isFieldCharacter: Bool { self >= 0x20 && self != 0x7f || self == .tab }

  var isDigit: Bool { self >= 0x30 && self <= 0x39 }

  /// The value of a hexadecimal digit.
  var hexValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }

  /// The letter in lower case; any other byte as it is.
  var lowercased: UInt8 { self >= 0x41 && self <= 0x5a ? self | 0x20 : self }

  static var tab: UInt8 { 0x09 }
  static var lineFeed: UInt8 { 0x0a }
  static var carriageReturn: UInt8 { 0x0d }
  static var space: UInt8 { 0x20 }
  static var colon: UInt8 { 0x3a }
}

extension Span<UInt8> {
  /// Whether the bytes of `range` are `text`, which is in lower case, in letters of any case.
  func equals(_ text: [UInt8], in range: Range<Int>) -> Bool {
    guard range.count == text.count else { return false }
    for position in 0..<text.count
    where self[range.lowerBound + position].lowercased != text[position] {
      return false
    }
    return true
  }
}
