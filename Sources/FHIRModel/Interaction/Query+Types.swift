/// - SeeAlso: https://hl7.org/fhir/R4/http.html#search
extension Query {
  /// The parameter that names the types of a search over several.
  package static let typeParameter = "_type"

  /// A search over the types that `_type` names, over all types if it isn't there. Over one type it
  /// is the search of that type.
  ///
  /// - Throws: `InteractionError.invalidParameter` for what is no type.
  package init(
    overTypes parameters: [QueryParameter], handling: Handling = .strict
  ) throws(InteractionError) {
    let asked = parameters.filter { $0.name == Self.typeParameter && !$0.value.isEmpty }
    guard asked.count <= 1 else {
      throw .invalidParameter(
        name: Self.typeParameter, reason: "it is given twice: list the types with commas")
    }
    var types: Set<ResourceType> = []
    for name in asked.first?.value.split(separator: ",") ?? [] {
      guard let type = ResourceType(name) else {
        throw .invalidParameter(
          name: Self.typeParameter, reason: "'\(name)' is not a resource type of R4")
      }
      types.insert(type)
    }
    if types.count == 1 {
      let others = parameters.filter { $0.name != Self.typeParameter }
      self.init(type: types.first, parameters: others, handling: handling)
    } else {
      self.init(type: nil, parameters: parameters, handling: handling)
      self.types = types.sorted { $0.position < $1.position }
    }
  }
}
