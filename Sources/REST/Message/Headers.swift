/// The header fields of a request or a response, in their order; names are compared without regard
/// to case.
///
/// The fields stand in one buffer, so that a request's head is kept as it came and a response's is
/// sent as it stands: nothing becomes a `String` before someone asks.
///
/// - SeeAlso: https://www.rfc-editor.org/rfc/rfc9110#section-5
package struct Headers: Sendable {
  /// Where one field's name and value stand in the buffer.
  package struct Field: Sendable {
    package var name: Range<Int>
    package var value: Range<Int>

    package init(name: Range<Int>, value: Range<Int>) {
      self.name = name
      self.value = value
    }
  }

  /// The buffer. Of a response: `Name: value` lines, each closed by CR LF.
  package private(set) var bytes: [UInt8]
  package private(set) var fields: [Field]

  package init() {
    bytes = []
    fields = []
    bytes.reserveCapacity(320)
    fields.reserveCapacity(8)
  }

  /// Takes over a head that has been checked.
  ///
  /// - Precondition: the fields lie inside `bytes`, and their values have no white space around them.
  package init(bytes: [UInt8], fields: [Field]) {
    self.bytes = bytes
    self.fields = fields
  }

  package init(_ pairs: KeyValuePairs<String, String>) {
    self.init()
    for (name, value) in pairs { append(name, value) }
  }

  package mutating func append(_ name: String, _ value: String) {
    append(name) { $0.append(contentsOf: value.utf8) }
  }

  /// Appends a field whose value `write` appends to the buffer. Control characters in it become
  /// spaces, so that no value, wherever it came from, can begin a line of its own.
  mutating func append(_ name: String, _ write: (inout [UInt8]) -> Void) {
    let nameStart = bytes.count
    bytes.append(contentsOf: name.utf8)
    let nameEnd = bytes.count
    bytes.append(UInt8(ascii: ":"))
    bytes.append(UInt8(ascii: " "))
    let valueStart = bytes.count
    write(&bytes)
    for position in valueStart..<bytes.count where bytes[position].isControl {
      bytes[position] = UInt8(ascii: " ")
    }
    fields.append(Field(name: nameStart..<nameEnd, value: valueStart..<bytes.count))
    bytes.append(UInt8(ascii: "\r"))
    bytes.append(UInt8(ascii: "\n"))
  }
}

extension Headers {
  /// The value of the field; several are joined with `, `, which is what HTTP says they mean. `nil`
  /// if there is none, or if a value is not UTF-8.
  package subscript(name: String) -> String? {
    var joined: String?
    for field in fields where isNamed(field, name) {
      guard let value = String(validating: bytes[field.value], as: UTF8.self) else { return nil }
      joined = joined.map { $0 + ", " + value } ?? value
    }
    return joined
  }

  /// Whether there is such a field.
  package func has(_ name: String) -> Bool {
    fields.contains { isNamed($0, name) }
  }

  /// The bytes of the first field of that name.
  package func firstValue(_ name: String) -> ArraySlice<UInt8>? {
    for field in fields where isNamed(field, name) { return bytes[field.value] }
    return nil
  }

  /// Names and values as text, for a person or a test to read.
  package var pairs: [(name: String, value: String)] {
    fields.map { field in
      (
        String(decoding: bytes[field.name], as: UTF8.self),
        String(decoding: bytes[field.value], as: UTF8.self)
      )
    }
  }

  private func isNamed(_ field: Field, _ name: String) -> Bool {
    let asked = name.utf8
    guard field.name.count == asked.count else { return false }
    var position = field.name.lowerBound
    for byte in asked {
      guard bytes[position].lowercased == byte.lowercased else { return false }
      position += 1
    }
    return true
  }
}

extension UInt8 {
  fileprivate var isControl: Bool { self < 0x20 || self == 0x7F }

  /// The small letter of an ASCII capital; any other byte as it is.
  var lowercased: UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self
  }
}
