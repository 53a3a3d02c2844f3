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
    for part in bytes.split(separator: UInt8(ascii: "&")) {
      append(try QueryParameter(percentEncoded: part))
    }
  }
}

extension QueryParameter {
  fileprivate init(percentEncoded part: ArraySlice<UInt8>) throws(InteractionError) {
    let equals = part.firstIndex(of: UInt8(ascii: "="))
    let rawName = part[..<(equals ?? part.endIndex)]
    let rawValue = equals.map { part[part.index(after: $0)...] }
    let shownName = String(decoding: rawName, as: UTF8.self)
    func decoded(_ text: ArraySlice<UInt8>) throws(InteractionError) -> String {
      do throws(PercentEncodingError) {
        return try percentDecoded(text)
      } catch {
        throw .invalidParameter(name: shownName, reason: error.reason)
      }
    }
    name = try decoded(rawName)
    value = try rawValue.map { raw throws(InteractionError) in try decoded(raw) } ?? ""
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

private func percentDecoded(
  _ text: ArraySlice<UInt8>
) throws(PercentEncodingError) -> String {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.count)
  var rest = text
  while let byte = rest.popFirst() {
    switch byte {
    case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
    case UInt8(ascii: "%"): bytes.append(try escapedByte(&rest))
    default: bytes.append(byte)
    }
  }
  guard let decoded = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
  return decoded
}

/// Takes the two digits after a `%`.
private func escapedByte(
  _ rest: inout ArraySlice<UInt8>
) throws(PercentEncodingError) -> UInt8 {
  let digits = rest.prefix(2)
  rest = rest.dropFirst(2)
  let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
  guard values.count == 2 else { throw .escape("%" + String(decoding: digits, as: UTF8.self)) }
  return UInt8(values[0] << 4 | values[1])
}
