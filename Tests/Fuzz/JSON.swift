// Sources: Sources/FHIRModel

/// Whatever the bytes are, the store's reader and a plain one that knows no tape must agree on
/// whether they are JSON, and on every value.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  var reader = PlainReader(bytes: bytes)
  let expected = reader.document()
  let found = (try? JSONDocument(parsing: bytes)).map { Plain($0.root) }
  precondition(expected == found, "the two readers don't agree")
  return 0
}

/// A value with nothing left of how it was written but the digits of numbers.
indirect enum Plain: Equatable {
  case object([Member])
  case array([Plain])
  case string([UInt8])
  case number(String)
  case bool(Bool)
  case null

  struct Member: Equatable {
    var name: [UInt8]
    var value: Plain
  }

  init(_ value: JSONValue) {
    switch value.kind {
    case .object:
      self = .object(
        value.members.map { Member(name: Array($0.nameBytes), value: Plain($0.value)) })
      for member in value.members {
        precondition(value[member.name] != nil, "a member is not found by its name")
      }
    case .array: self = .array(value.elements.map { Plain($0) })
    case .string: self = .string(value.stringBytes ?? [])
    case .number: self = .number(value.numberText ?? "")
    case .bool: self = .bool(value.bool ?? false)
    case .null: self = .null
    }
  }
}

/// RFC 8259 read one character after the other, as slowly as it likes.
struct PlainReader {
  var scalars: [Unicode.Scalar] = []
  var position = 0
  let isUTF8: Bool

  init(bytes: [UInt8]) {
    let text = String(validating: bytes, as: UTF8.self)
    isUTF8 = text != nil
    scalars = text.map { Array($0.unicodeScalars) } ?? []
  }

  mutating func document() -> Plain? {
    guard isUTF8 else { return nil }
    space()
    guard let value = value(depth: 1) else { return nil }
    space()
    return position == scalars.count ? value : nil
  }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  private mutating func space() {
    while let scalar = next, [" ", "\t", "\n", "\r"].contains(scalar) { position += 1 }
  }

  private mutating func value(depth: Int) -> Plain? {
    switch next {
    case "{": return depth > 128 ? nil : object(depth)
    case "[": return depth > 128 ? nil : array(depth)
    case "\"": return string().map { .string($0) }
    case "t": return word("true") ? .bool(true) : nil
    case "f": return word("false") ? .bool(false) : nil
    case "n": return word("null") ? .null : nil
    default: return number()
    }
  }

  private mutating func word(_ word: String) -> Bool {
    for scalar in word.unicodeScalars { guard take(scalar) else { return false } }
    return true
  }

  private mutating func object(_ depth: Int) -> Plain? {
    position += 1
    var members: [Plain.Member] = []
    var names: Set<[UInt8]> = []
    space()
    if take("}") { return .object([]) }
    while true {
      space()
      guard next == "\"", let name = string(), names.insert(name).inserted else { return nil }
      space()
      guard take(":") else { return nil }
      space()
      guard let value = value(depth: depth + 1) else { return nil }
      members.append(Plain.Member(name: name, value: value))
      space()
      if take("}") { return .object(members) }
      guard take(",") else { return nil }
    }
  }

  private mutating func array(_ depth: Int) -> Plain? {
    position += 1
    var values: [Plain] = []
    space()
    if take("]") { return .array([]) }
    while true {
      space()
      guard let value = value(depth: depth + 1) else { return nil }
      values.append(value)
      space()
      if take("]") { return .array(values) }
      guard take(",") else { return nil }
    }
  }

  private mutating func number() -> Plain? {
    let start = position
    _ = take("-")
    if !take("0") { guard digits() else { return nil } }
    if take(".") { guard digits() else { return nil } }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      guard digits() else { return nil }
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<position])
    return .number(String(text))
  }

  private mutating func digits() -> Bool {
    let start = position
    while let scalar = next, ("0"..."9").contains(scalar) { position += 1 }
    return position > start
  }

  /// Through UTF-16, whose code units the escapes are.
  private mutating func string() -> [UInt8]? {
    position += 1
    var units: [UInt16] = []
    while let scalar = next {
      position += 1
      switch scalar {
      case "\"": return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
      case "\\":
        guard let unit = escape() else { return nil }
        units.append(unit)
      case "\u{0}"..<" ": return nil
      default: units += Array(UTF16.encode(scalar)!)
      }
    }
    return nil
  }

  private mutating func escape() -> UInt16? {
    guard let scalar = next else { return nil }
    position += 1
    switch scalar {
    case "\"", "\\", "/": return UInt16(scalar.value)
    case "b": return 8
    case "f": return 12
    case "n": return 10
    case "r": return 13
    case "t": return 9
    case "u":
      guard position + 4 <= scalars.count else { return nil }
      let digits = scalars[position..<position + 4]
      position += 4
      guard digits.allSatisfy({ $0.properties.isASCIIHexDigit }) else { return nil }
      return UInt16(String(String.UnicodeScalarView(digits)), radix: 16)
    default: return nil
    }
  }
}
