/// Lays the types' elements out as `Structures` has them.
struct StructureBuilder {
  private let types: TypeTable
  private(set) var structures: [Structure] = []
  private(set) var members: [Structure.Member] = []
  private(set) var slots: [UInt16] = []
  private(set) var targets: [ResourceTypeSet] = []
  private var table = NameTable(capacity: 16_000)
  private var targetPositions: [ResourceTypeSet: UInt16] = [:]
  /// By the position of a type, what its values are; those of primitives and references say more of it.
  private let values: [Structure.Value]

  init(types: TypeTable) {
    self.types = types
    values = types.kinds.indices.map { position in
      let type = TypeID(position: position)
      let name = types.name(of: type)
      if let primitive = PrimitiveType(rawValue: name) {
        return .primitive(primitive, valueSet: nil)
      }
      switch name {
      case "Resource": return .resource
      case "Reference": return .reference(type, targets: nil)
      default: return .structure(type)
      }
    }
  }

  /// The members' names, one after the other.
  var names: [UInt8] { table.bytes }

  mutating func addAll() {
    for position in types.elements.indices { add(TypeID(position: position)) }
  }

  private mutating func add(_ type: TypeID) {
    let elements = types.elements[Int(type.position)]
    // The checker keeps which elements it has seen in the bits of one word.
    precondition(elements.count <= UInt64.bitWidth, "a type has more elements than there are bits")
    let firstMember = members.count
    var required: UInt64 = 0
    for (position, element) in elements.enumerated() {
      if element.isRequired { required |= 1 << UInt64(position) }
      for property in element.properties {
        members.append(member(property, of: element, at: UInt8(position)))
      }
    }
    structures.append(
      Structure(
        type: type, isResource: types.kinds[Int(type.position)] == .resource,
        firstMember: UInt32(firstMember), firstSlot: UInt32(slots.count),
        slotMask: addSlots(for: members[firstMember...]), required: required))
  }

  /// Adds a hash table over the members, at most half full, and returns its mask.
  private mutating func addSlots(for members: ArraySlice<Structure.Member>) -> UInt16 {
    var count = 4
    while count < members.count * 2 { count *= 2 }
    let first = slots.count
    slots += repeatElement(0, count: count)
    for (position, member) in members.enumerated() {
      var slot = Int(member.hash) & (count - 1)
      while slots[first + slot] != 0 { slot = (slot + 1) & (count - 1) }
      slots[first + slot] = UInt16(position + 1)
    }
    return UInt16(count - 1)
  }

  private mutating func member(
    _ property: Element.Property, of element: Element, at position: UInt8
  ) -> Structure.Member {
    let added = table.add(property.jsonName)
    let name = table.place(of: added)
    return Structure.Member(
      hash: name.hash, nameStart: name.start, nameCount: UInt8(name.count), element: position,
      isRepeating: element.isRepeating, isChoice: element.isChoice, value: value(of: property))
  }

  private mutating func value(of property: Element.Property) -> Structure.Value {
    switch values[Int(property.type.position)] {
    case .primitive(let type, _): .primitive(type, valueSet: property.valueSet)
    case .reference(let type, _) where !property.targets.isEmpty:
      .reference(type, targets: position(of: property.targets))
    case let value: value
    }
  }

  private mutating func position(of types: [ResourceType]) -> UInt16 {
    let set = ResourceTypeSet(types)
    if let known = targetPositions[set] { return known }
    targets.append(set)
    targetPositions[set] = UInt16(targets.count - 1)
    return UInt16(targets.count - 1)
  }
}
