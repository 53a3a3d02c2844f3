/// R4's primitive types and the texts that each allows.
///
/// - SeeAlso: https://hl7.org/fhir/R4/datatypes.html#primitive
enum PrimitiveType: String, Sendable {
  case base64Binary, boolean, canonical, code, date, dateTime, decimal, id, instant, integer
  case markdown, oid, positiveInt, string, time, unsignedInt, uri, url, uuid, xhtml

  /// What JSON writes it as.
  var jsonKind: JSONValue.Kind {
    switch self {
    case .boolean: .bool
    case .decimal, .integer, .positiveInt, .unsignedInt: .number
    default: .string
    }
  }

  /// Whether `text` (a string without its quotation marks, or the digits of a number) is of this
  /// type.
  func allows(_ text: Span<UInt8>) -> Bool {
    switch self {
    case .boolean, .decimal: true
    case .integer: integer(text).map { Int64(Int32.min)...Int64(Int32.max) ~= $0 } ?? false
    case .unsignedInt: integer(text).map { 0...Int64(Int32.max) ~= $0 } ?? false
    case .positiveInt: integer(text).map { 1...Int64(Int32.max) ~= $0 } ?? false
    case .string, .markdown: isString(text)
    case .xhtml: NarrativeReader.allows(text)
    case .code: isCode(text)
    case .id: (1...64).contains(text.count) && text.allSatisfy(\.isIDByte)
    case .uri, .url, .canonical: text.count > 0 && !text.contains(where: \.isSpace)
    case .oid: isOID(text)
    case .uuid: isUUID(text)
    case .base64Binary: isBase64(text)
    case .time: isTime(text)
    case .date: (try? FHIRDateTime(text, as: .date)) != nil
    case .dateTime: (try? FHIRDateTime(text, as: .dateTime)) != nil
    case .instant: (try? FHIRDateTime(text, as: .instant)) != nil
    }
  }

  /// Digits with an optional sign, without fraction or exponent; `nil` for anything else.
  private func integer(_ text: Span<UInt8>) -> Int64? {
    let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
    var number: Int64 = 0
    guard text.count <= 11 else { return nil }
    // R4 knows no negative zero.
    if isNegative, text.count == 2, text[1] == UInt8(ascii: "0") { return nil }
    for position in (isNegative ? 1 : 0)..<text.count {
      guard text[position].isDigit else { return nil }
      number = number * 10 + Int64(text[position] - 0x30)
    }
    return isNegative ? -number : number
  }

  /// At most 1024 * 1024 characters, no control characters but tab, CR and LF, and not white space
  /// alone: R4 warns that such a string may be trimmed to nothing, which is no value.
  private func isString(_ text: Span<UInt8>) -> Bool {
    let characterCountMaximum = 1 << 20
    let isPlain = text.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }
    guard isPlain, !text.allSatisfy(\.isSpace) else { return false }
    return text.count <= characterCountMaximum
      || text.indices.count(where: { text[$0] & 0xc0 != 0x80 }) <= characterCountMaximum
  }

  /// No space at the ends, and single ones inside.
  private func isCode(_ text: Span<UInt8>) -> Bool {
    guard text.count > 0, !text[0].isSpace, !text[text.count - 1].isSpace else { return false }
    return text.indices.allSatisfy { !text[$0].isSpace || !text[$0 + 1].isSpace }
  }

  private func isOID(_ text: Span<UInt8>) -> Bool {
    guard let rest = text.rest(after: "urn:oid:") else { return false }
    let arcs = rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard arcs.count > 1, arcs[0].count == 1, (0x30...0x32).contains(arcs[0].first ?? 0) else {
      return false
    }
    return arcs.allSatisfy { arc in
      !arc.isEmpty && arc.allSatisfy(\.isDigit) && (arc.count == 1 || arc.first != 0x30)
    }
  }

  private func isUUID(_ text: Span<UInt8>) -> Bool {
    guard let rest = text.rest(after: "urn:uuid:"), rest.count == 36 else { return false }
    return rest.enumerated().allSatisfy { offset, byte in
      [8, 13, 18, 23].contains(offset)
        ? byte == UInt8(ascii: "-") : byte.isDigit || (0x61...0x66).contains(byte)
    }
  }

  /// Groups of four, with white space anywhere.
  private func isBase64(_ text: Span<UInt8>) -> Bool {
    var count = 0
    var padding = 0
    for position in text.indices where !text[position].isSpace {
      switch text[position] {
      case UInt8(ascii: "="): padding += 1
      case let byte where padding == 0 && byte.isBase64Byte: break
      default: return false
      }
      count += 1
    }
    return count > 0 && count.isMultiple(of: 4) && padding <= 2
  }

  /// `hh:mm:ss`, with a fraction if any, up to 23:59:60.
  private func isTime(_ text: Span<UInt8>) -> Bool {
    guard text.count >= 8, text[2] == UInt8(ascii: ":"), text[5] == UInt8(ascii: ":") else {
      return false
    }
    let limits: [(Int, UInt8)] = [(0, 23), (3, 59), (6, 60)]
    for (position, limit) in limits {
      guard text[position].isDigit, text[position + 1].isDigit else { return false }
      guard (text[position] - 0x30) * 10 + text[position + 1] - 0x30 <= limit else { return false }
    }
    guard text.count > 8 else { return true }
    guard text[8] == UInt8(ascii: "."), text.count > 9 else { return false }
    return (9..<text.count).allSatisfy { text[$0].isDigit }
  }
}

extension Span<UInt8> {
  func allSatisfy(_ holds: (UInt8) -> Bool) -> Bool {
    for position in indices where !holds(self[position]) { return false }
    return true
  }

  func contains(where holds: (UInt8) -> Bool) -> Bool { !allSatisfy { !holds($0) } }

  /// What follows `prefix`; `nil` if the bytes don't begin with it.
  fileprivate func rest(after prefix: String) -> [UInt8]? {
    let prefix = Array(prefix.utf8)
    guard count >= prefix.count, prefix.indices.allSatisfy({ self[$0] == prefix[$0] }) else {
      return nil
    }
    return (prefix.count..<count).map { self[$0] }
  }
}

extension UInt8 {
  var isDigit: Bool { self &- 0x30 < 10 }
  var isSpace: Bool { self == 0x20 || (0x09...0x0d).contains(self) }
  var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
  var isIDByte: Bool { isDigit || isLetter || self == 0x2d || self == 0x2e }
  var isBase64Byte: Bool { isDigit || isLetter || self == 0x2b || self == 0x2f }
}
