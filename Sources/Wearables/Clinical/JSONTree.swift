import FHIRModel

/// JSON that is being changed: the order of members stays, and numbers and texts as they were written.
indirect enum JSONTree: Sendable, Equatable {
  /// The bytes of a text, number, boolean or null as JSON writes it.
  case scalar([UInt8])
  case array([JSONTree])
  case object([Member])

  struct Member: Sendable, Equatable {
    var name: String
    var value: JSONTree
  }

  init(_ value: JSONValue) {
    switch value.kind {
    case .object:
      self = .object(value.members.map { Member(name: $0.name, value: JSONTree($0.value)) })
    case .array: self = .array(value.elements.map { JSONTree($0) })
    default: self = .scalar(Array(value.rawBytes))
    }
  }

  static func text(_ text: String) -> JSONTree {
    var writer = JSONWriter()
    writer.string(text)
    return .scalar(writer.bytes)
  }

  static func bool(_ value: Bool) -> JSONTree { .scalar(Array((value ? "true" : "false").utf8)) }

  static func object(_ members: KeyValuePairs<String, JSONTree>) -> JSONTree {
    .object(members.map { Member(name: $0.key, value: $0.value) })
  }

  var members: [Member] {
    if case .object(let members) = self { members } else { [] }
  }

  var elements: [JSONTree] {
    if case .array(let elements) = self { elements } else { [] }
  }

  /// The first member of that name.
  subscript(_ name: String) -> JSONTree? { members.first { $0.name == name }?.value }

  /// The text of a scalar that is one.
  var text: String? {
    guard case .scalar(let bytes) = self, bytes.first == UInt8(ascii: "\"") else { return nil }
    return (try? JSONDocument(parsing: bytes))?.root.string
  }

  var bool: Bool? {
    guard case .scalar(let bytes) = self else { return nil }
    if bytes.elementsEqual("true".utf8) { return true }
    return bytes.elementsEqual("false".utf8) ? false : nil
  }

  /// Sets the member, in its place or at the end.
  mutating func set(_ name: String, to value: JSONTree) {
    var members = self.members
    if let position = members.firstIndex(where: { $0.name == name }) {
      members[position].value = value
    } else {
      members.append(Member(name: name, value: value))
    }
    self = .object(members)
  }

  mutating func remove(_ name: String) {
    self = .object(members.filter { $0.name != name })
  }

  var bytes: [UInt8] {
    var writer = JSONWriter(reservingByteCount: 2_048)
    write(to: &writer)
    return writer.bytes
  }

  private func write(to json: inout JSONWriter) {
    switch self {
    case .scalar(let bytes): json.raw(bytes)
    case .array(let elements): json.array { json in for each in elements { each.write(to: &json) } }
    case .object(let members):
      json.object { json in
        for member in members {
          json.name(member.name)
          member.value.write(to: &json)
        }
      }
    }
  }
}
