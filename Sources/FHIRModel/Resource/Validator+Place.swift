extension Validator {
  /// The FHIRPath of a node: `Observation.component[1].value.ofType(Quantity).code`. Of a member's
  /// name, that of its value.
  func place(of node: Int) -> String {
    let node = tape[node].kind == .name ? node + 1 : node
    guard let root = JSONValue(document: document, position: 0)["resourceType"]?.string,
      let type = ResourceType(root)
    else { return "" }
    var path = type.name
    var value = 0
    var structure: Structure? = structures.all[Int(type.position)]
    while value < node, let child = child(of: value, holding: node) {
      if let name = child.name {
        let member = element(at: name, of: structure)
        path += "." + step(name, member)
        structure = self.structure(of: member, at: child.value)
      } else {
        path += "[\(child.position)]"
        structure = structure ?? resource(at: child.value)
      }
      value = child.value
    }
    return path
  }

  private struct Child {
    var name: Int?
    var value: Int
    var position: Int
  }

  /// The child of a container in which the node stands.
  private func child(of parent: Int, holding node: Int) -> Child? {
    let isObject = tape[parent].kind == .object
    guard isObject || tape[parent].kind == .array else { return nil }
    var first = parent + 1
    var position = 0
    while first < Int(tape[parent].next) {
      let value = isObject ? first + 1 : first
      if node < Int(tape[value].next) {
        return Child(name: isObject ? first : nil, value: value, position: position)
      }
      first = Int(tape[value].next)
      position += 1
    }
    return nil
  }

  /// The element's name, and for a choice its type.
  private func step(_ name: Int, _ member: Structure.Member?) -> String {
    let text = String(decoding: JSONString.decoded(bytes.span, tape[name]), as: UTF8.self)
    guard let member else { return String(text.prefix(60)) }
    let jsonName = text.hasPrefix("_") ? String(text.dropFirst()) : text
    guard member.isChoice, let type = typeName(of: member) else { return jsonName }
    return "\(jsonName.dropLast(type.count)).ofType(\(type))"
  }

  private func typeName(of member: Structure.Member) -> String? {
    switch member.value {
    case .primitive(let primitive, _): primitive.rawValue
    case .structure(let type), .reference(let type, _): Specification.shared.name(of: type)
    case .resource: nil
    }
  }

  private func element(at name: Int, of structure: Structure?) -> Structure.Member? {
    guard let structure else { return nil }
    return member(at: name, of: structure) ?? memberOfTwin(at: name, of: structure)
  }

  /// The structure of a member's values: for a resource only known at the value itself.
  private func structure(of member: Structure.Member?, at value: Int) -> Structure? {
    switch member?.value {
    case nil: nil
    case .primitive: structures.element
    case .structure(let type), .reference(let type, _): structures.all[Int(type.position)]
    case .resource: resource(at: value)
    }
  }

  private func resource(at value: Int) -> Structure? {
    JSONValue(document: document, position: value)["resourceType"]?.string
      .flatMap { ResourceType($0) }.map { structures.all[Int($0.position)] }
  }

  /// What stands at a node, in words.
  func phrase(_ node: Int) -> String {
    switch tape[node].kind {
    case .object: "an object"
    case .array: "an array"
    case .string, .name: "a string"
    case .number: "a number"
    case .yes, .no: "a boolean"
    case .null: "null"
    }
  }

  func isName(_ node: Int, _ name: StaticString) -> Bool {
    JSONString.decoded(bytes.span, tape[node]).elementsEqual(name.description.utf8)
  }
}

extension JSONValue {
  /// The value as written, shortened for a message.
  var excerpt: String {
    let text = String(decoding: rawBytes.prefix(60), as: UTF8.self)
    return rawBytes.count > 60 ? text + "…" : text
  }
}
