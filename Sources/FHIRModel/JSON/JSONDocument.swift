/// JSON text with the tape that was read off it. Nothing is converted: numbers, order and spelling
/// stay as they were sent.
package final class JSONDocument: Sendable {
  package let bytes: [UInt8]
  let tape: [JSONNode]

  /// Reads `bytes`, which must hold one JSON value.
  package init(
    parsing bytes: [UInt8], limits: JSONLimits = .standard
  ) throws(JSONError) {
    var scanner = JSONScanner(limits: limits, expectedByteCount: bytes.count)
    try scanner.scan(bytes.span)
    self.bytes = bytes
    tape = scanner.tape
  }

  package var root: JSONValue { JSONValue(document: self, position: 0) }
}

/// A value in a document: a place on its tape, cheap to copy.
package struct JSONValue: Sendable {
  package enum Kind: Sendable {
    case object, array, string, number, bool, null
  }

  package let document: JSONDocument
  let position: Int

  private var node: JSONNode { document.tape[position] }

  package var kind: Kind {
    switch node.kind {
    case .object: .object
    case .array: .array
    case .string, .name: .string
    case .number: .number
    case .yes, .no: .bool
    case .null: .null
    }
  }

  /// The member of this object with that name; `nil` if there is none or this is no object.
  package subscript(_ name: String) -> JSONValue? {
    guard node.kind == .object else { return nil }
    var name = name
    return name.withUTF8 { buffer in
      let wanted = unsafe Span(_unsafeElements: buffer)
      return member(wanted, hash: nameHash(wanted))
    }
  }

  /// - Parameter hash: the name's `nameHash`.
  func member(_ wanted: Span<UInt8>, hash: UInt16) -> JSONValue? {
    let bytes = document.bytes
    var name = position + 1
    let end = Int(node.next)
    while name < end {
      let node = document.tape[name]
      if node.hash == hash, node.isName(wanted, in: bytes.span) {
        return JSONValue(document: document, position: name + 1)
      }
      name = Int(node.next)
    }
    return nil
  }

  /// The member of this object that has the name of another's.
  func member(named other: JSONMember) -> JSONValue? {
    member(other.nameBytes.span, hash: other.hash)
  }

  /// The members of this object, in their order; empty if this is no object.
  package var members: JSONMembers {
    JSONMembers(places: places(in: .object))
  }

  /// The elements of this array, in their order; empty if this is no array.
  package var elements: JSONElements {
    JSONElements(places: places(in: .array))
  }

  /// Nothing if this is no such value.
  private func places(in kind: JSONNode.Kind) -> JSONPlaces {
    guard node.kind == kind else { return JSONPlaces(document: document, position: 0, end: 0) }
    return JSONPlaces(document: document, position: position + 1, end: Int(node.next))
  }

  /// The text of a string, its escapes resolved.
  package var string: String? {
    guard node.kind == .string, !node.hasEscape else {
      return stringBytes.map { String(decoding: $0, as: UTF8.self) }
    }
    return String(decoding: document.bytes[textRange], as: UTF8.self)
  }

  /// The UTF-8 of a string, its escapes resolved.
  package var stringBytes: [UInt8]? {
    guard node.kind == .string else { return nil }
    guard node.hasEscape else { return Array(document.bytes[textRange]) }
    let bytes = document.bytes
    return JSONString.decoded(bytes.span, node)
  }

  /// Lends the UTF-8 of a string, its escapes resolved, without a copy where it has none; `nil` for
  /// anything else.
  package func withUTF8<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result? {
    guard node.kind == .string else { return nil }
    let bytes = document.bytes
    if node.hasEscape {
      let decoded = JSONString.decoded(bytes.span, node)
      return try body(decoded.span)
    }
    return try body(bytes.span.extracting(node.range))
  }

  /// The digits of a number, as they were written.
  package var numberText: String? {
    node.kind == .number ? String(decoding: document.bytes[textRange], as: UTF8.self) : nil
  }

  package var bool: Bool? {
    switch node.kind {
    case .yes: true
    case .no: false
    default: nil
    }
  }

  /// The bytes of the value as written, with a string's quotation marks.
  package var rawBytes: ArraySlice<UInt8> { document.bytes[rawRange] }

  /// Where those bytes stand in the document.
  package var rawRange: Range<Int> {
    guard node.kind == .string || node.kind == .name else { return textRange }
    return textRange.lowerBound - 1..<textRange.upperBound + 1
  }

  private var textRange: Range<Int> { Int(node.offset)..<Int(node.offset + node.length) }

  var end: Int { Int(node.next) }
}

/// A member of an object.
package struct JSONMember: Sendable {
  let namePosition: Int
  package let value: JSONValue

  package var hash: UInt16 { value.document.tape[namePosition].hash }

  /// The UTF-8 of the name, its escapes resolved.
  package var nameBytes: ArraySlice<UInt8> {
    let node = value.document.tape[namePosition]
    guard node.hasEscape else {
      return value.document.bytes[Int(node.offset)..<Int(node.offset + node.length)]
    }
    let bytes = value.document.bytes
    return JSONString.decoded(bytes.span, node)[...]
  }

  package var name: String { String(decoding: nameBytes, as: UTF8.self) }

  /// Where the name's opening quotation mark stands in the document.
  package var offset: Int { Int(value.document.tape[namePosition].offset) - 1 }
}

package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
  fileprivate var places: JSONPlaces

  package mutating func next() -> JSONMember? {
    places.next().map { name in
      JSONMember(
        namePosition: name, value: JSONValue(document: places.document, position: name + 1))
    }
  }
}

package struct JSONElements: Sequence, IteratorProtocol, Sendable {
  fileprivate var places: JSONPlaces

  package mutating func next() -> JSONValue? {
    places.next().map { JSONValue(document: places.document, position: $0) }
  }
}

/// The places on the tape where the elements of an array, or the names of an object's members, stand
/// one after the other.
private struct JSONPlaces: Sendable {
  let document: JSONDocument
  var position: Int
  let end: Int

  mutating func next() -> Int? {
    guard position < end else { return nil }
    defer { position = Int(document.tape[position].next) }
    return position
  }
}
