/// What the JSON objects of each type may hold, laid out for checking: a member's name leads to its
/// element in one look-up, choices (`valueQuantity`) included.
final class Structures: Sendable {
  static let shared = Structures(of: Specification.shared.types)

  /// By the position of their `TypeID`.
  let all: [Structure]
  let members: [Structure.Member]
  /// Of each structure a hash table over its members: their positions plus one, 0 where it is free.
  private let slots: [UInt16]
  /// The members' names, one after the other.
  private let names: [UInt8]
  let targets: [ResourceTypeSet]
  let codes: CodeTable
  /// What a primitive's `_name` twin may hold.
  let element: Structure

  init(of types: TypeTable) {
    var builder = StructureBuilder(types: types)
    builder.addAll()
    all = builder.structures
    members = builder.members
    slots = builder.slots
    names = builder.names
    targets = builder.targets
    codes = CodeTable(types.valueSets)
    guard let element = types.type(named: "Element") else {
      preconditionFailure("the embedded tables have no type Element")
    }
    self.element = all[Int(element.position)]
  }

  /// The position of the member of this name; `hash` is the name's `nameHash`.
  @inline(__always)
  func member(_ name: Span<UInt8>, hash: UInt16, of structure: Structure) -> Int? {
    var slot = hash & structure.slotMask
    while true {
      let number = slots[Int(structure.firstSlot) + Int(slot)]
      guard number != 0 else { return nil }
      let position = Int(structure.firstMember) + Int(number) - 1
      if members[position].hash == hash, self.name(at: position, equals: name) { return position }
      slot = (slot + 1) & structure.slotMask
    }
  }

  @inline(__always)
  private func name(at position: Int, equals name: Span<UInt8>) -> Bool {
    let start = Int(members[position].nameStart)
    let end = start + Int(members[position].nameCount)
    let names = self.names
    return names.span.extracting(start..<end).equals(name)
  }
}

/// The members of one type's objects.
struct Structure: Sendable {
  let type: TypeID
  let isResource: Bool
  let firstMember: UInt32
  let firstSlot: UInt32
  /// The count of slots, a power of two, less one.
  let slotMask: UInt16
  /// One bit for each element that must be there, from the lowest for the first.
  let required: UInt64

  /// One JSON name that an element can have.
  struct Member: Sendable {
    let hash: UInt16
    let nameStart: UInt32
    let nameCount: UInt8
    /// Which of the type's elements, from 0.
    let element: UInt8
    let isRepeating: Bool
    let isChoice: Bool
    let value: Value
  }

  /// What a member may hold.
  enum Value: Sendable {
    /// With the position of the value set that a code must be of, if there is one.
    case primitive(PrimitiveType, valueSet: UInt16?)
    case structure(TypeID)
    /// A Reference, with the position of the set of types that it may lead to, if there is one.
    case reference(TypeID, targets: UInt16?)
    /// A resource of any type.
    case resource
  }
}

/// Some of the resource types.
struct ResourceTypeSet: Hashable, Sendable {
  private var bits = InlineBits()

  init(_ types: [ResourceType]) { for type in types { bits.insert(type.position) } }

  func contains(_ type: ResourceType) -> Bool { bits.contains(type.position) }

  /// One bit for each of 256 numbers.
  private struct InlineBits: Hashable {
    private var words: SIMD4<UInt64> = .zero

    mutating func insert(_ number: UInt8) { words[Int(number >> 6)] |= 1 << UInt64(number & 63) }

    func contains(_ number: UInt8) -> Bool {
      words[Int(number >> 6)] >> UInt64(number & 63) & 1 == 1
    }
  }
}

/// The codes of the value sets that elements are bound to.
struct CodeTable: Sendable {
  let names: [String]
  private let codes: NameTable
  /// For each value set the positions of its codes, rising.
  private let sets: [[UInt16]]

  init(_ valueSets: [ValueSet]) {
    var codes = NameTable(capacity: valueSets.reduce(0) { $0 + $1.codes.count })
    names = valueSets.map(\.name)
    sets = valueSets.map { $0.codes.map { UInt16(codes.add($0)) }.sorted() }
    self.codes = codes
  }

  /// Whether the code is one of the value set at this position.
  func contains(_ code: Span<UInt8>, inSet position: UInt16) -> Bool {
    guard let code = codes.position(of: code) else { return false }
    let set = sets[Int(position)]
    var low = 0
    var high = set.count
    while low < high {
      let middle = (low + high) / 2
      if set[middle] < code { low = middle + 1 } else { high = middle }
    }
    return low < set.count && set[low] == code
  }
}

/// A value set that lists its codes.
struct ValueSet: Sendable {
  let name: String
  let codes: [String]
  /// The code systems that they are of: an element of type `code` doesn't say its own.
  let systems: [String]
}
