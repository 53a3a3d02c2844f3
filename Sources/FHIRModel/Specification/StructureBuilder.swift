/// Reads the tables of types, elements and codes into `Structure`s.
struct StructureBuilder {
  private struct Row {
    let name: Substring
    let minimum: Substring
    let maximum: Substring
    let types: [Substring]
    let codes: CodeSet?
  }

  private var parents: [Substring: Substring] = [:]
  private var kinds: [Substring: Substring] = [:]
  private var rows: [Substring: [Row]] = [:]
  private var order: [Substring] = []
  private var positions: [Substring: Int] = [:]

  mutating func read() {
    var codeSets: [Substring: CodeSet] = [:]
    for row in EmbeddedTables.codes {
      codeSets[row[0]] = CodeSet(
        name: String(row[0]),
        codes: Set(row[1].split(separator: " ").map { Array($0.utf8) }))
    }
    for row in EmbeddedTables.types {
      kinds[row[0]] = row[1]
      if !row[2].isEmpty { parents[row[0]] = row[2] }
      if row[1] != "primitive" { add(row[0]) }
    }
    for row in EmbeddedTables.elements {
      let path = row[0]
      guard let dot = path.lastIndex(of: ".") else { continue }
      let owner = path[..<dot]
      add(owner)
      rows[owner, default: []].append(
        Row(
          name: path[path.index(after: dot)...], minimum: row[1], maximum: row[2],
          types: Self.types(in: row[3]), codes: codeSets[row[5]]))
      // An element with elements of its own is a structure that extends its type.
      let type = row[3]
      if type == "BackboneElement" || type == "Element" { parents[path] = type }
    }
  }

  private mutating func add(_ name: Substring) {
    guard positions[name] == nil else { return }
    positions[name] = order.count
    order.append(name)
  }

  /// Splits at the commas outside brackets.
  private static func types(in text: Substring) -> [Substring] {
    var types: [Substring] = []
    var start = text.startIndex
    var depth = 0
    for position in text.indices {
      switch text[position] {
      case "(": depth += 1
      case ")": depth -= 1
      case "," where depth == 0:
        types.append(text[start..<position])
        start = text.index(after: position)
      default: break
      }
    }
    types.append(text[start...])
    return types
  }

  func build() -> ([Structure], [String: Int]) {
    let structures = order.map { structure(of: $0) }
    let named = Dictionary(
      uniqueKeysWithValues: positions.map { (String($0.key), $0.value) })
    return (structures, named)
  }

  private func structure(of name: Substring) -> Structure {
    var elements: [Structure.Element] = []
    var members: [UInt16: [Structure.Member]] = [:]
    for (owner, row) in inherited(by: name) {
      let isChoice = row.name.hasSuffix("[x]")
      let stem = isChoice ? row.name.dropLast(3) : row.name
      elements.append(
        Structure.Element(
          name: String(row.name), isRequired: row.minimum != "0", repeats: row.maximum != "1"))
      for type in row.types {
        let typeName = type.prefix { $0 != "(" }
        let suffix = isChoice ? typeName.prefix(1).uppercased() + typeName.dropFirst() : ""
        let jsonName = Array((stem + suffix).utf8)
        let hash = JSONString.hash(of: jsonName.span, from: 0, count: jsonName.count)
        members[hash, default: []].append(
          Structure.Member(
            name: jsonName, element: elements.count - 1,
            type: elementType(type, at: owner + "." + row.name, codes: row.codes)))
      }
    }
    return Structure(
      name: String(name), elements: elements, members: members,
      isResource: kinds[name] == "resource")
  }

  /// The rows of a structure and of all that it extends, each with the path of its owner.
  private func inherited(by name: Substring) -> [(Substring, Row)] {
    let own = (rows[name] ?? []).map { (name, $0) }
    guard let parent = parents[name] else { return own }
    return inherited(by: parent) + own
  }

  private func elementType(_ type: Substring, at path: Substring, codes: CodeSet?) -> ElementType {
    if type.first == "#", let position = positions[type.dropFirst()] { return .structure(position) }
    if let position = positions[path] { return .structure(position) }
    let name = type.prefix { $0 != "(" }
    if name == "Resource" { return .resource }
    if let primitive = PrimitiveType(rawValue: String(name)) {
      return .primitive(primitive, codes: primitive == .code ? codes : nil)
    }
    guard let position = positions[name] else {
      preconditionFailure("the tables know no type \(name), which \(path) has")
    }
    guard name == "Reference" else { return .structure(position) }
    let targets = type.dropFirst(name.count + 1).dropLast().split(separator: "|").map(String.init)
    return .reference(structure: position, targets: targets)
  }
}
