/// Reads the XHTML of a narrative: one well-formed `div` with nothing in it but the elements and
/// attributes that R4 lists, so neither scripts nor styles from elsewhere nor forms.
///
/// - SeeAlso: https://hl7.org/fhir/R4/narrative.html
struct NarrativeReader {
  private var position = 0
  /// The elements that are open, by their positions in the table.
  private var open: [Int] = []

  private static let elements = names("elements")
  private static let attributes = names("attributes")

  private static func names(_ what: String) -> NameTable {
    let rows = EmbeddedTables.narrative.filter { $0[0].text == what }
    return NameTable(rows.flatMap { $0[1].parts(by: " ") })
  }

  static func allows(_ text: Span<UInt8>) -> Bool {
    var reader = NarrativeReader()
    return reader.readDocument(text)
  }

  private mutating func readDocument(_ text: Span<UInt8>) -> Bool {
    skipSpace(text)
    guard take("<div", text) else { return false }
    position -= 3
    guard readTag(text) else { return false }
    while !open.isEmpty {
      guard position < text.count else { return false }
      switch text[position] {
      case UInt8(ascii: "<"):
        position += 1
        guard readTag(text) else { return false }
      case UInt8(ascii: "&"): guard readEntity(text) else { return false }
      default: position += 1
      }
    }
    skipSpace(text)
    return position == text.count
  }

  /// What stands behind a `<`: a start tag, an end tag or a comment.
  private mutating func readTag(_ text: Span<UInt8>) -> Bool {
    if take("!--", text) { return skipComment(text) }
    if take("/", text) {
      guard let name = readName(text) else { return false }
      skipSpace(text)
      return take(">", text) && open.popLast() == Self.elements.position(of: text.extracting(name))
    }
    guard let name = readName(text),
      let element = Self.elements.position(of: text.extracting(name))
    else { return false }
    while true {
      let hadSpace = skipSpace(text)
      if take("/>", text) { return true }
      if take(">", text) {
        open.append(element)
        return true
      }
      guard hadSpace, readAttribute(text) else { return false }
    }
  }

  private mutating func readAttribute(_ text: Span<UInt8>) -> Bool {
    guard let name = readName(text), isAllowed(text.extracting(name)) else { return false }
    skipSpace(text)
    guard take("=", text) else { return false }
    skipSpace(text)
    guard position < text.count else { return false }
    let quote = text[position]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return false }
    position += 1
    while position < text.count, text[position] != quote {
      if text[position] == UInt8(ascii: "<") { return false }
      if text[position] == UInt8(ascii: "&") {
        guard readEntity(text) else { return false }
      } else {
        position += 1
      }
    }
    position += 1
    return position <= text.count
  }

  /// Declarations of namespaces and XML's own attributes are none of the listed ones, and harmless.
  private func isAllowed(_ name: Span<UInt8>) -> Bool {
    Self.attributes.position(of: name) != nil || starts(name, "xmlns") || starts(name, "xml:")
  }

  private func starts(_ name: Span<UInt8>, _ prefix: StaticString) -> Bool {
    name.count >= prefix.utf8CodeUnitCount
      && prefix.description.utf8.enumerated().allSatisfy { name[$0.offset] == $0.element }
  }

  /// `&name;`, `&#10;` or `&#xA;`.
  private mutating func readEntity(_ text: Span<UInt8>) -> Bool {
    position += 1
    _ = take("#", text)
    return readName(text) != nil && take(";", text)
  }

  private mutating func skipComment(_ text: Span<UInt8>) -> Bool {
    while position < text.count {
      if take("-->", text) { return true }
      position += 1
    }
    return false
  }

  private mutating func readName(_ text: Span<UInt8>) -> Range<Int>? {
    let start = position
    while position < text.count, isNameByte(text[position]) { position += 1 }
    return position > start ? start..<position : nil
  }

  private func isNameByte(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte >= 0x80 || byte == UInt8(ascii: ":")
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
  }

  @discardableResult
  private mutating func skipSpace(_ text: Span<UInt8>) -> Bool {
    let start = position
    while position < text.count, text[position].isSpace { position += 1 }
    return position > start
  }

  private mutating func take(_ expected: StaticString, _ text: Span<UInt8>) -> Bool {
    let count = expected.utf8CodeUnitCount
    guard position + count <= text.count else { return false }
    for (offset, byte) in expected.description.utf8.enumerated()
    where text[position + offset] != byte {
      return false
    }
    position += count
    return true
  }
}
