extension [UInt8] {
  private static let dashes: Set<Int> = [8, 13, 18, 23]

  /// The 16 bytes of a UUID, if this is the text of one with lower-case digits; else `nil`.
  var uuidBytes: [UInt8]? {
    guard count == 36 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for (position, character) in enumerated() {
      if Self.dashes.contains(position) {
        guard character == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = character.lowerHexValue else { return nil }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return bytes
  }

  /// The text of the UUID that these 16 bytes are.
  var uuidText: [UInt8] {
    var text: [UInt8] = []
    for byte in self {
      if Self.dashes.contains(text.count) { text.append(UInt8(ascii: "-")) }
      text.append((byte >> 4).lowerHexDigit)
      text.append((byte & 15).lowerHexDigit)
    }
    return text
  }
}

extension UInt8 {
  fileprivate var lowerHexValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  fileprivate var lowerHexDigit: UInt8 {
    self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "a") + self - 10
  }
}
