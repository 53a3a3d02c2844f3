/// The elements of every structure, laid out for checking: a member's name leads to its element in
/// one look-up, choices (`valueQuantity`) included.
final class Structures: Sendable {
  static let shared = Structures()

  private let all: [Structure]
  private let positions: [String: Int]

  /// The structure of a resource or data type.
  func structure(named name: String) -> Structure? { positions[name].map { all[$0] } }

  func structure(at position: Int) -> Structure { all[position] }

  private init() {
    var builder = StructureBuilder()
    builder.read()
    (all, positions) = builder.build()
  }
}

/// The elements of one object.
struct Structure: Sendable {
  /// The type's name, or the path of an element that has elements of its own.
  let name: String
  let elements: [Element]
  /// By the hash of their names, as the tape has it.
  let members: [UInt16: [Member]]
  let isResource: Bool

  struct Element: Sendable {
    let name: String
    let isRequired: Bool
    let repeats: Bool
  }

  /// One JSON name that an element can have.
  struct Member: Sendable {
    let name: [UInt8]
    /// Which of the structure's elements.
    let element: Int
    let type: ElementType
  }

  func member(_ name: ArraySlice<UInt8>, hash: UInt16) -> Member? {
    members[hash]?.first { name.elementsEqual($0.name) }
  }
}

/// What an element may hold.
enum ElementType: Sendable {
  case primitive(PrimitiveType, codes: CodeSet?)
  case structure(Int)
  /// A Reference that may lead to these types; to any if there are none.
  case reference(structure: Int, targets: [String])
  /// A resource of any type.
  case resource
}

/// The codes that a required binding allows.
final class CodeSet: Sendable {
  let name: String
  let codes: Set<[UInt8]>

  init(name: String, codes: Set<[UInt8]>) {
    self.name = name
    self.codes = codes
  }
}
