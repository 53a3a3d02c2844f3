/// All types and their elements, each type with those that it inherits.
struct TypeTable: Sendable {
  private(set) var kinds: [TypeKind] = []
  private(set) var elements: [[Element]] = []
  let valueSets: [ValueSet]
  private var names: NameTable
  private var bases: [TypeID?] = []

  init(types: [EmbeddedTables.Row], elements rows: [EmbeddedTables.Row]) {
    names = NameTable(capacity: types.count + rows.count)
    let codes = EmbeddedTables.codes
    let valueSetNames = NameTable(codes.map { $0[0] })
    valueSets = codes.map { row in
      ValueSet(
        name: String(row[0]), codes: row[1].parts(by: " ").map(String.init),
        systems: row[2].parts(by: " ").map(String.init))
    }
    for row in types { names.add(String(row[0])) }
    for row in types {
      guard let kind = TypeKind(rawValue: String(row[1])) else {
        preconditionFailure("the embedded table names an unknown kind of type")
      }
      kinds.append(kind)
      bases.append(type(named: row[2]))
    }
    addBackbones(rows)
    var own: [[Element]] = Array(repeating: [], count: names.count)
    for row in rows {
      let path = ElementPath(row[0])
      own[Int(existing(path.parent).position)].append(
        element(path, row: row, valueSets: valueSetNames))
    }
    elements = own.indices.map { position in
      ancestry(of: TypeID(position: position)).reversed().flatMap { own[Int($0.position)] }
    }
  }

  /// Gives each element that has children a type of its own, named by its path.
  private mutating func addBackbones(_ rows: [EmbeddedTables.Row]) {
    var baseOfPath: [Substring: Substring] = [:]
    for row in rows {
      if row[3] == "BackboneElement" || row[3] == "Element" { baseOfPath[row[0]] = row[3] }
      let parent = ElementPath(row[0]).parent
      guard type(named: parent) == nil, let base = baseOfPath[parent] else { continue }
      names.add(String(parent))
      kinds.append(.complex)
      bases.append(type(named: base))
    }
  }

  private func element(
    _ path: ElementPath, row: EmbeddedTables.Row, valueSets: NameTable
  ) -> Element {
    let valueSet = valueSets.position(of: row[5]).map { UInt16($0) }
    let types = path.isChoice ? TypeColumn.list(row[3]) : [TypeColumn(row[3])]
    return Element(
      name: String(path.name), isRequired: row[1] != "0", isRepeating: row[2] != "1",
      isChoice: path.isChoice, isSummary: row[4].utf8.contains(UInt8(ascii: "S")),
      isModifier: row[4].utf8.contains(UInt8(ascii: "M")),
      properties: types.map { type in
        Element.Property(
          jsonName: path.isChoice ? "\(path.name)\(type.capitalisedName)" : String(path.name),
          type: self.type(named: row[0]) ?? existing(type.name),
          targets: type.targets.compactMap { ResourceType($0) }, valueSet: valueSet)
      })
  }

  private func existing(_ name: some StringProtocol) -> TypeID {
    guard let type = type(named: name) else {
      preconditionFailure("the embedded tables have no type \(name)")
    }
    return type
  }

  func type(named name: some StringProtocol) -> TypeID? {
    names.position(of: name).map(TypeID.init(position:))
  }

  func name(of type: TypeID) -> String { names.names[Int(type.position)] }

  /// The type itself, what it is based on, and so on.
  func ancestry(of type: TypeID) -> [TypeID] {
    Array(sequence(first: type) { bases[Int($0.position)] })
  }
}

/// `Observation.component.value[x]`, taken apart.
private struct ElementPath {
  let parent: Substring
  let name: Substring
  let isChoice: Bool

  init(_ path: Substring) {
    let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) ?? path.startIndex
    parent = path[..<dot]
    let last = path[path.utf8.index(after: dot)...]
    isChoice = last.hasSuffix("[x]")
    name = isChoice ? last.dropLast(3) : last
  }
}

/// `Quantity`, `Reference(Patient|Group)` or `#Observation.referenceRange`, taken apart.
private struct TypeColumn {
  let name: Substring
  let targets: [Substring]

  init(_ text: Substring) {
    let parts = text.parts(by: "(")
    name = text.utf8.first == UInt8(ascii: "#") ? parts[0].dropFirst() : parts[0]
    targets = parts.count == 2 ? parts[1].dropLast().parts(by: "|") : []
  }

  static func list(_ text: Substring) -> [TypeColumn] { text.parts(by: ",").map(Self.init) }

  var capitalisedName: String { name.prefix(1).uppercased() + name.dropFirst() }
}
