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
        name: row[0].text, codes: row[1].parts(by: " ").map(\.text),
        systems: row[2].parts(by: " ").map(\.text))
    }
    for row in types { names.add(row[0].text) }
    for row in types {
      guard let kind = TypeKind(rawValue: row[1].text) else {
        preconditionFailure("the embedded table names an unknown kind of type")
      }
      kinds.append(kind)
      bases.append(type(named: row[2]))
    }
    let paths = rows.map { ElementPath($0[0]) }
    addBackbones(rows, paths)
    var own: [[Element]] = Array(repeating: [], count: names.count)
    for (row, path) in zip(rows, paths) {
      own[Int(existing(path.parent).position)].append(
        element(path, row: row, valueSets: valueSetNames))
    }
    elements = own.indices.map { position in
      ancestry(of: TypeID(position: position)).reversed().flatMap { own[Int($0.position)] }
    }
  }

  /// Gives each element that has children a type of its own, named by its path.
  private mutating func addBackbones(_ rows: [EmbeddedTables.Row], _ paths: [ElementPath]) {
    let backbones = [existing(TableText("BackboneElement")), existing(TableText("Element"))]
    var baseOfPath: [TableText: TypeID] = [:]
    for (row, path) in zip(rows, paths) {
      if let type = type(named: row[3]), backbones.contains(type) { baseOfPath[row[0]] = type }
      guard type(named: path.parent) == nil, let base = baseOfPath[path.parent] else { continue }
      names.add(path.parent.text)
      kinds.append(.complex)
      bases.append(base)
    }
  }

  private func element(
    _ path: ElementPath, row: EmbeddedTables.Row, valueSets: NameTable
  ) -> Element {
    let valueSet = valueSets.position(of: row[5]).map { UInt16($0) }
    let backbone = type(named: row[0])
    let types = path.isChoice ? row[3].parts(by: ",") : [row[3]]
    let name = path.name.text
    return Element(
      name: name, isRequired: !row[1].begins(with: "0"), isRepeating: !row[2].begins(with: "1"),
      isChoice: path.isChoice, isSummary: row[4].bytes.contains(UInt8(ascii: "S")),
      isModifier: row[4].bytes.contains(UInt8(ascii: "M")),
      properties: types.map { text in
        let type = TypeColumn(text)
        return Element.Property(
          jsonName: path.isChoice ? name + type.capitalisedName : name,
          type: backbone ?? existing(type.name),
          targets: type.targets.compactMap { ResourceType($0) }, valueSet: valueSet)
      })
  }

  private func existing(_ name: TableText) -> TypeID {
    guard let type = type(named: name) else {
      preconditionFailure("the embedded tables have no type \(name.text)")
    }
    return type
  }

  private func type(named name: TableText) -> TypeID? {
    names.position(of: name).map(TypeID.init(position:))
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
  let parent: TableText
  let name: TableText
  let isChoice: Bool

  init(_ path: TableText) {
    let (parent, last) = path.split(atLast: ".")
    self.parent = parent
    isChoice = last.bytes.last == UInt8(ascii: "]")
    name = isChoice ? last.dropping(last: "[x]".utf8.count) : last
  }
}

/// `Quantity`, `Reference(Patient|Group)` or `#Observation.referenceRange`, taken apart.
private struct TypeColumn {
  let name: TableText
  let targets: [TableText]

  init(_ text: TableText) {
    guard text.bytes.last == UInt8(ascii: ")") else {
      name = text.begins(with: "#") ? text.dropping(first: 1) : text
      targets = []
      return
    }
    let (name, list) = text.split(atLast: "(")
    self.name = name
    targets = list.dropping(last: 1).parts(by: "|")
  }

  var capitalisedName: String { name.text.prefix(1).uppercased() + name.text.dropFirst() }
}
