extension Specification {
  /// The type of this name: `Observation`, `CodeableConcept`, `string`, `Observation.component`.
  package func type(named name: String) -> TypeID? { types.type(named: name) }

  package func name(of type: TypeID) -> String { types.name(of: type) }

  package func kind(of type: TypeID) -> TypeKind { types.kinds[Int(type.position)] }

  /// The elements of a type in the order of its definition, inherited ones first. Of a primitive
  /// type, those of its `_name` twin.
  package func elements(of type: TypeID) -> [Element] { types.elements[Int(type.position)] }

  /// The element of this FHIRPath name, `value` for `value[x]`.
  package func element(_ name: String, of type: TypeID) -> Element? {
    elements(of: type).first { $0.name == name }
  }
}
