/// Lays the types' elements out as `Structures` has them.
struct StructureBuilder {
  private let types: TypeTable
  private(set) var structures: [Structure] = []
  private(set) var members: [Structure.Member] = []
  private(set) var slots: [UInt16] = []
  private(set) var names: [UInt8] = []
  private(set) var targets: [ResourceTypeSet] = []
  private var nameStarts: [String: UInt32] = [:]
  private var targetPositions: [ResourceTypeSet: UInt16] = [:]

  init(types: TypeTable) { self.types = types }

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
    let name = Array(property.jsonName.utf8)
    let start = nameStarts[property.jsonName] ?? UInt32(names.count)
    if nameStarts.updateValue(start, forKey: property.jsonName) == nil { names += name }
    return Structure.Member(
      hash: nameHash(name.span), nameStart: start, nameCount: UInt8(name.count), element: position,
      isRepeating: element.isRepeating, isChoice: element.isChoice, value: value(of: property))
  }

  private mutating func value(of property: Element.Property) -> Structure.Value {
    let name = types.name(of: property.type)
    if let primitive = PrimitiveType(rawValue: name) {
      return .primitive(primitive, valueSet: property.valueSet)
    }
    if name == "Resource" { return .resource }
    guard name == "Reference" else { return .structure(property.type) }
    return .reference(
      property.type, targets: property.targets.isEmpty ? nil : position(of: property.targets))
  }

  private mutating func position(of types: [ResourceType]) -> UInt16 {
    let set = ResourceTypeSet(types)
    if let known = targetPositions[set] { return known }
    targets.append(set)
    targetPositions[set] = UInt16(targets.count - 1)
    return UInt16(targets.count - 1)
  }
}
