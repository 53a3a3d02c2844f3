extension [QueryParameter] {
  /// The parameters as the query of an address, so that reading it gives them back: everything but
  /// letters, digits and `-._~:/,$*` is percent-encoded.
  ///
  /// - SeeAlso: https://www.rfc-editor.org/rfc/rfc3986#section-3.4
  package var percentEncoded: [UInt8] {
    var bytes: [UInt8] = []
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
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in text.utf8 {
      if byte.standsInQuery {
        append(byte)
      } else {
        append(contentsOf: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]])
      }
    }
  }
}

extension UInt8 {
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
