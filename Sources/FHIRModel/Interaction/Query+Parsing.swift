/// How a query string is read: `&` parts parameters, the first `=` parts name from value, `%XX` is
/// taken off both, and `+` is a space, as forms write it. A `;` is an ordinary character.
///
/// - SeeAlso: https://url.spec.whatwg.org/#urlencoded-parsing
extension Query {
  /// Reads what follows the `?` of an address, or a body of `application/x-www-form-urlencoded`.
  ///
  /// - Throws: `InteractionError.invalidParameter` for an escape that is none, text that is not
  ///   UTF-8, and a value without a name.
  package init(
    parsing bytes: ArraySlice<UInt8>, type: ResourceType?, handling: Handling = .strict
  ) throws(InteractionError) {
    self.init(
      type: type, parameters: try [QueryParameter](percentEncoded: bytes), handling: handling)
  }

  /// Reads what follows the `?` of an address.
  ///
  /// - Throws: as `init(parsing:type:handling:)` for bytes.
  package init(
    parsing text: String, type: ResourceType?, handling: Handling = .strict
  ) throws(InteractionError) {
    try self.init(parsing: Array(text.utf8)[...], type: type, handling: handling)
  }
}

extension [QueryParameter] {
  /// Reads parameters in their order; empty parts (`a=1&&b=2`) are left out.
  ///
  /// - Throws: as `Query.init(parsing:type:handling:)`.
  package init(percentEncoded bytes: ArraySlice<UInt8>) throws(InteractionError) {
    self = []
    let bytes = bytes.span
    // Most queries have no more, and arrays grow by moving.
    if !bytes.isEmpty { reserveCapacity(8) }
    var start = 0
    while start < bytes.count {
      let end = bytes.firstPosition(of: UInt8(ascii: "&"), from: start)
      if end > start {
        append(try QueryParameter(percentEncoded: bytes.extracting(start..<end)))
      }
      start = end + 1
    }
  }
}

extension QueryParameter {
  fileprivate init(percentEncoded part: Span<UInt8>) throws(InteractionError) {
    let equals = part.firstPosition(of: UInt8(ascii: "="))
    let rawName = part.extracting(0..<equals)
    do throws(PercentEncodingError) {
      name = try percentDecoded(rawName)
      value = equals < part.count ? try percentDecoded(part.extracting((equals + 1)...)) : ""
    } catch {
      throw .invalidParameter(name: String(copying: rawName), reason: error.reason)
    }
    guard !name.isEmpty else {
      throw .invalidParameter(name: "", reason: "the value '\(value)' has no name before its '='")
    }
  }
}

private enum PercentEncodingError: Error {
  case escape(String)
  case notUTF8

  var reason: String {
    switch self {
    case .escape(let text): "'\(text)' is not a percent escape (a '%' itself is written '%25')"
    case .notUTF8: "the text behind the percent escapes is not UTF-8"
    }
  }
}

private func percentDecoded(_ text: Span<UInt8>) throws(PercentEncodingError) -> String {
  var isPlain = true
  for position in text.indices {
    let byte = text[position]
    if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "+") || byte >= 0x80 { isPlain = false }
  }
  // Nothing to take off, and ASCII is UTF-8.
  if isPlain { return String(copying: text) }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.count)
  var position = 0
  while position < text.count {
    switch text[position] {
    case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
    case UInt8(ascii: "%"):
      bytes.append(try escapedByte(text.extracting(last: text.count - position)))
      position += 2
    case let byte: bytes.append(byte)
    }
    position += 1
  }
  guard let decoded = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
  return decoded
}

/// The byte that a `%` and the two digits after it stand for.
private func escapedByte(_ escape: Span<UInt8>) throws(PercentEncodingError) -> UInt8 {
  guard escape.count > 2, let high = escape[1].hexDigitValue, let low = escape[2].hexDigitValue
  else { throw .escape(String(copying: escape.extracting(first: 3))) }
  return high << 4 | low
}

extension UInt8 {
  fileprivate var hexDigitValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
