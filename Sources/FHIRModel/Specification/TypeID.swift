/// A type of R4 by its position: a resource type, a data type, or the type that an element with
/// children of its own has (`Observation.component`).
package struct TypeID: Hashable, Sendable {
  let position: UInt16

  init(position: Int) { self.position = UInt16(position) }

  package init(_ type: ResourceType) { position = UInt16(type.position) }
}

/// What kind of type it is, which decides how its values stand in JSON.
package enum TypeKind: String, Hashable, Sendable {
  case resource
  /// `Resource` and `DomainResource`: a value is of some resource type, which it names.
  case abstract
  case complex
  case primitive
}

/// An element of a type.
package struct Element: Hashable, Sendable {
  /// The name as FHIRPath has it: `value`, not `value[x]` and not `valueQuantity`.
  package let name: String
  package let isRequired: Bool
  /// Any number of values, in a JSON array; else at most one, without.
  package let isRepeating: Bool
  /// One of several types, which the name in JSON ends in: `valueQuantity`.
  package let isChoice: Bool
  package let isSummary: Bool
  package let isModifier: Bool
  /// One for each type; exactly one if the element is no choice.
  package let properties: [Property]

  /// One name under which the element can stand in JSON.
  package struct Property: Hashable, Sendable {
    package let jsonName: String
    package let type: TypeID
    /// What a Reference or canonical may refer to; empty for anything.
    package let targets: [ResourceType]
    /// The value set that a code must be of, by its position in the table of codes.
    let valueSet: UInt16?
  }
}
