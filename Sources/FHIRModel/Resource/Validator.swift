/// Checks a resource's JSON against the elements that R4 gives its type: names, cardinality,
/// primitive formats, required codes, types of references.
///
/// - SeeAlso: https://hl7.org/fhir/R4/json.html
struct Validator {
  private(set) var issues: [Issue] = []
  private var place: [Place] = []

  /// Later faults of one resource are not listed.
  private static let issueMaximum = 20

  enum Place {
    case type(String)
    case member(JSONMember)
    case item(Int)
  }

  mutating func check(_ root: JSONValue, as type: ResourceType) {
    guard let structure = Structures.shared.structure(named: type.name) else {
      preconditionFailure("the tables list the elements of every resource type")
    }
    place = [.type(type.name)]
    check(root, as: structure)
  }

  private mutating func check(_ object: JSONValue, as structure: Structure) {
    guard object.kind == .object else { return fail(.structure, "an object is expected") }
    var seen = [UInt8](repeating: 0, count: structure.elements.count)
    for member in object.members where issues.count < Self.issueMaximum {
      place.append(.member(member))
      check(member, of: structure, seen: &seen)
      place.removeLast()
    }
    for (position, element) in structure.elements.enumerated()
    where element.isRequired && seen[position] == 0 {
      fail(.required, "\(element.name) is missing")
    }
  }

  private mutating func check(
    _ member: JSONMember, of structure: Structure, seen: inout [UInt8]
  ) {
    let name = member.nameBytes
    if name.first == UInt8(ascii: "_") {
      return checkTwin(member, of: structure, seen: &seen)
    }
    guard let known = structure.member(name, hash: member.hash) else {
      if structure.isResource, member.name == "resourceType" { return }
      return fail(.structure, "\(structure.name) has no element \(member.name)")
    }
    let element = structure.elements[known.element]
    // Bit 0: the value, bit 1: the twin with its id and extensions.
    if seen[known.element] & 1 != 0 {
      return fail(.structure, "\(element.name) has two values")
    }
    seen[known.element] |= 1
    guard element.repeats else {
      if member.value.kind == .array { return fail(.structure, "\(element.name) is no array") }
      return check(member.value, as: known.type)
    }
    guard member.value.kind == .array else {
      return fail(.structure, "\(element.name) is an array")
    }
    for (position, item) in member.value.elements.enumerated() {
      place.append(.item(position))
      checkItem(item, as: known.type)
      place.removeLast()
    }
  }

  /// `null` may stand for an item of primitives that has extensions only; that its twin has them
  /// is checked there.
  private mutating func checkItem(_ item: JSONValue, as type: ElementType) {
    if item.kind == .null, case .primitive = type { return }
    check(item, as: type)
  }

  private mutating func check(_ value: JSONValue, as type: ElementType) {
    switch type {
    case .primitive(let primitive, let codes): check(value, as: primitive, codes)
    case .structure(let position): check(value, as: Structures.shared.structure(at: position))
    case .reference(let position, let targets):
      check(value, as: Structures.shared.structure(at: position))
      checkTarget(of: value, among: targets)
    case .resource: checkResource(value)
    }
  }

  private mutating func checkResource(_ value: JSONValue) {
    guard let name = value["resourceType"]?.string else {
      return fail(.required, "resourceType is missing")
    }
    guard let structure = Structures.shared.structure(named: name), structure.isResource else {
      return fail(.value, "\(name) is not a resource type of R4")
    }
    check(value, as: structure)
  }

  private mutating func check(
    _ value: JSONValue, as primitive: PrimitiveType, _ codes: CodeSet?
  ) {
    guard value.kind == primitive.jsonKind else {
      return fail(.structure, "a \(primitive.rawValue) is no JSON \(value.kind)")
    }
    guard value.withText({ primitive.allows($0) }) else {
      return fail(.value, "\(value.excerpt) is no valid \(primitive.rawValue)")
    }
    if let codes, let code = value.stringBytes, !codes.codes.contains(code) {
      fail(.codeInvalid, "\(value.excerpt) is not one of the codes of \(codes.name)")
    }
  }

  /// A relative reference names its type, which must be one that the element may lead to.
  private mutating func checkTarget(of value: JSONValue, among targets: [String]) {
    guard !targets.isEmpty, let reference = value["reference"]?.string else { return }
    let parts = reference.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 2, !reference.contains(":"), ResourceType(parts[0]) != nil else { return }
    if !targets.contains(where: { $0 == parts[0] }) {
      fail(.value, "the reference may not lead to a \(parts[0])")
    }
  }

  mutating func fail(_ code: Issue.Code, _ diagnostics: String) {
    guard issues.count < Self.issueMaximum else { return }
    issues.append(Issue(code, diagnostics, at: expression))
  }

  /// The place as FHIRPath writes it.
  private var expression: String {
    place.reduce(into: "") { text, part in
      switch part {
      case .type(let name): text = name
      case .member(let member): text += "." + member.name
      case .item(let position): text += "[\(position)]"
      }
    }
  }
}

extension Validator {
  /// Checks `_name`, which holds the id and extensions of the primitive element `name`.
  fileprivate mutating func checkTwin(
    _ member: JSONMember, of structure: Structure, seen: inout [UInt8]
  ) {
    let name = member.nameBytes.dropFirst()
    let bytes = Array(name)
    let hash = JSONString.hash(of: bytes.span, from: 0, count: bytes.count)
    guard let known = structure.member(name, hash: hash), case .primitive = known.type else {
      return fail(.structure, "\(structure.name) has no primitive element for \(member.name)")
    }
    guard seen[known.element] & 2 == 0 else {
      return fail(.structure, "\(structure.elements[known.element].name) has two values")
    }
    seen[known.element] |= 2
    guard let element = Structures.shared.structure(named: "Element") else { return }
    guard structure.elements[known.element].repeats else {
      return check(member.value, as: element)
    }
    guard member.value.kind == .array else { return fail(.structure, "\(member.name) is an array") }
    for (position, item) in member.value.elements.enumerated() where item.kind != .null {
      place.append(.item(position))
      check(item, as: element)
      place.removeLast()
    }
  }
}

extension JSONValue {
  /// Lends the decoded text of a string, or the digits of a number, without copying where it can.
  func withText<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    let copied = stringBytes ?? Array(rawBytes)
    return body(copied.span)
  }

  /// The value as written, shortened for a message.
  var excerpt: String {
    let text = String(decoding: rawBytes.prefix(60), as: UTF8.self)
    return rawBytes.count > 60 ? text + "…" : text
  }
}
