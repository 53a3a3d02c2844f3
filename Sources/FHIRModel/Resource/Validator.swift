/// Checks a resource's JSON against the elements that R4 gives its type: names, cardinality,
/// primitive formats, required codes, types of references.
///
/// It walks over the tape and touches nothing but numbers as long as all is well; places are only
/// worked out for what is wrong.
///
/// - SeeAlso: https://hl7.org/fhir/R4/json.html
struct Validator {
  private(set) var issues: [Issue] = []
  let document: JSONDocument
  let bytes: [UInt8]
  let tape: [JSONNode]
  let structures: Structures

  /// Later faults of one resource are not listed.
  private static let issueMaximum = 20

  init(_ document: JSONDocument) {
    self.document = document
    bytes = document.bytes
    tape = document.tape
    structures = Structures.shared
  }

  /// Checks the document as a resource of this type.
  mutating func check(as type: ResourceType) {
    checkObject(0, as: structures.all[Int(type.position)])
  }

  mutating func fail(_ code: Issue.Code, _ diagnostics: String, at node: Int) {
    guard issues.count < Self.issueMaximum else { return }
    issues.append(Issue(code, diagnostics, at: place(of: node)))
  }

  // MARK: - Objects

  /// Which elements of an object have been seen.
  private struct Seen {
    var values: UInt64 = 0
    /// The `_name` twins with id and extensions.
    var twins: UInt64 = 0
  }

  private mutating func checkObject(_ object: Int, as structure: Structure) {
    guard tape[object].kind == .object else {
      return fail(.structure, "an object belongs here, not \(phrase(object))", at: object)
    }
    let end = Int(tape[object].next)
    guard end > object + 1 else {
      return fail(.structure, "an object must not be empty", at: object)
    }
    var seen = Seen()
    var name = object + 1
    while name < end {
      checkMember(name, of: object, as: structure, seen: &seen)
      name = Int(tape[name + 1].next)
    }
    let missing = structure.required & ~(seen.values | seen.twins)
    if missing != 0 { failMissing(missing, of: structure, at: object) }
  }

  private mutating func failMissing(_ missing: UInt64, of structure: Structure, at object: Int) {
    for (position, element) in Specification.shared.elements(of: structure.type).enumerated()
    where missing >> UInt64(position) & 1 == 1 {
      fail(.required, "\(element.name) is missing", at: object)
    }
  }

  private mutating func checkMember(
    _ name: Int, of object: Int, as structure: Structure, seen: inout Seen
  ) {
    if let position = position(at: name, of: structure) {
      let member = structures.members[position]
      let bit: UInt64 = 1 << UInt64(member.element)
      if member.isChoice, (seen.values | seen.twins) & bit != 0 {
        checkChoice(name, member, of: object, as: structure)
      }
      seen.values |= bit
      checkValues(name, member, of: object)
    } else if let member = memberOfTwin(at: name, of: structure) {
      let bit: UInt64 = 1 << UInt64(member.element)
      if member.isChoice, (seen.values | seen.twins) & bit != 0 {
        checkChoice(name, member, of: object, as: structure)
      }
      seen.twins |= bit
      checkTwins(name, member, of: object)
    } else if !(structure.isResource && isName(name, "resourceType")) {
      fail(
        .structure, "\(Specification.shared.name(of: structure.type)) has no such element",
        at: name)
    }
  }

  func member(at name: Int, of structure: Structure) -> Structure.Member? {
    position(at: name, of: structure).map { structures.members[$0] }
  }

  @inline(__always)
  private func position(at name: Int, of structure: Structure) -> Int? {
    let node = tape[name]
    if node.hasEscape {
      let decoded = JSONString.decoded(bytes.span, node)
      return structures.member(decoded.span, hash: node.hash, of: structure)
    }
    return structures.member(bytes.span.extracting(node.range), hash: node.hash, of: structure)
  }

  /// The primitive element whose `_name` twin stands there.
  func memberOfTwin(at name: Int, of structure: Structure) -> Structure.Member? {
    let text = JSONString.decoded(bytes.span, tape[name])
    guard text.first == UInt8(ascii: "_") else { return nil }
    let stem = text.span.extracting(droppingFirst: 1)
    guard let position = structures.member(stem, hash: nameHash(stem), of: structure),
      case .primitive = structures.members[position].value
    else { return nil }
    return structures.members[position]
  }

  /// Refuses a second type of a choice; the `_name` twin of the same type is none.
  private mutating func checkChoice(
    _ name: Int, _ member: Structure.Member, of object: Int, as structure: Structure
  ) {
    var other = object + 1
    while other < name {
      let earlier = self.member(at: other, of: structure) ?? memberOfTwin(at: other, of: structure)
      if let earlier, earlier.element == member.element, earlier.nameStart != member.nameStart {
        return fail(.structure, "only one type of value is allowed", at: name)
      }
      other = Int(tape[other + 1].next)
    }
  }

  // MARK: - Values

  private mutating func checkValues(_ name: Int, _ member: Structure.Member, of object: Int) {
    let value = name + 1
    guard member.isRepeating else { return checkValue(value, as: member.value) }
    guard tape[value].kind == .array else {
      return fail(.structure, "an array belongs here, not \(phrase(value))", at: value)
    }
    let end = Int(tape[value].next)
    guard end > value + 1 else { return fail(.structure, "an array must not be empty", at: value) }
    var item = value + 1
    while item < end {
      if tape[item].kind == .null, case .primitive = member.value {
        checkNull(item, in: value, named: name, of: object)
      } else {
        checkValue(item, as: member.value)
      }
      item = Int(tape[item].next)
    }
  }

  private mutating func checkValue(_ value: Int, as type: Structure.Value) {
    switch type {
    case .primitive(let primitive, let valueSet):
      checkPrimitive(value, as: primitive, in: valueSet)
    case .structure(let type): checkObject(value, as: structures.all[Int(type.position)])
    case .reference(let type, let targets):
      checkObject(value, as: structures.all[Int(type.position)])
      if let targets { checkReference(value, to: structures.targets[Int(targets)]) }
    case .resource: checkResource(value)
    }
  }

  private mutating func checkResource(_ value: Int) {
    guard tape[value].kind == .object else {
      return fail(.structure, "a resource belongs here, not \(phrase(value))", at: value)
    }
    guard let name = JSONValue(document: document, position: value)["resourceType"] else {
      return fail(.required, "resourceType is missing", at: value)
    }
    guard let type = name.withUTF8({ ResourceType(name: $0) }) ?? nil else {
      return fail(.value, "\(name.excerpt) is no resource type of R4", at: name.position)
    }
    checkObject(value, as: structures.all[Int(type.position)])
  }

  // MARK: - Twins

  /// Checks `_name`, which holds the id and extensions of the primitive element `name`.
  private mutating func checkTwins(_ name: Int, _ member: Structure.Member, of object: Int) {
    let twin = name + 1
    guard member.isRepeating else { return checkObject(twin, as: structures.element) }
    guard tape[twin].kind == .array else {
      return fail(.structure, "an array belongs here, not \(phrase(twin))", at: twin)
    }
    guard count(twin) > 0 else { return fail(.structure, "an array must not be empty", at: twin) }
    let values = partner(of: name, in: object)
    if let values, tape[values].kind == .array, count(values) != count(twin) {
      fail(.structure, "it must have as many items as the values that it belongs to", at: twin)
    }
    let end = Int(tape[twin].next)
    var item = twin + 1
    while item < end {
      if tape[item].kind != .null {
        checkObject(item, as: structures.element)
      } else if values == nil {
        fail(.structure, "null stands here without a value that it belongs to", at: item)
      }
      item = Int(tape[item].next)
    }
  }

  /// `null` may stand for a value that has only extensions, in the twin at the same place.
  private mutating func checkNull(_ item: Int, in array: Int, named name: Int, of object: Int) {
    if let twins = partner(of: name, in: object), tape[twins].kind == .array {
      var twin = twins + 1
      var value = array + 1
      while value < item, twin < Int(tape[twins].next) {
        value = Int(tape[value].next)
        twin = Int(tape[twin].next)
      }
      if twin < Int(tape[twins].next), tape[twin].kind != .null { return }
    }
    fail(.structure, "null stands here without an extension in its place", at: item)
  }

  /// The value of `_name` for `name`, and the other way round.
  private func partner(of name: Int, in object: Int) -> Int? {
    let text = JSONString.decoded(bytes.span, tape[name])
    let wanted =
      text.first == UInt8(ascii: "_") ? Array(text.dropFirst()) : [UInt8(ascii: "_")] + text
    var other = object + 1
    while other < Int(tape[object].next) {
      if JSONString.decoded(bytes.span, tape[other]) == wanted { return other + 1 }
      other = Int(tape[other + 1].next)
    }
    return nil
  }

  private func count(_ array: Int) -> Int {
    JSONValue(document: document, position: array).elements.reduce(0) { count, _ in count + 1 }
  }
}
