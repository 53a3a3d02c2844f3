extension [QueryParameter] {
  /// The parameters as the query of an address, so that reading it gives them back: everything but
  /// letters, digits and `-._~:/,$*` is percent-encoded.
  ///
  /// - SeeAlso: https://www.rfc-editor.org/rfc/rfc3986#section-3.4
  package var percentEncoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 8 })
    for parameter in self {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
      bytes.append(percentEncoding: parameter.name)
      bytes.append(UInt8(ascii: "="))
      bytes.append(percentEncoding: parameter.value)
    }
    return bytes
  }
}

extension [UInt8] {
  fileprivate mutating func append(percentEncoding text: String) {
    let bytes = text.utf8.span
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end].standsInQuery { end += 1 }
      append(copying: bytes.extracting(start..<end))
      start = end + 1
      guard end < bytes.count else { return }
      append(UInt8(ascii: "%"))
      append((bytes[end] >> 4).upperHexDigit)
      append((bytes[end] & 15).upperHexDigit)
    }
  }
}

extension UInt8 {
  fileprivate var upperHexDigit: UInt8 {
    self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10
  }

  fileprivate var standsInQuery: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ":"), UInt8(ascii: "/"),
      UInt8(ascii: ","), UInt8(ascii: "$"), UInt8(ascii: "*"):
      true
    default: false
    }
  }
}
