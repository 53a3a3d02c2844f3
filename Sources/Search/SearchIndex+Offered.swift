import FHIRModel

extension SearchIndex {
  /// The search parameters of a type that a plan can really use.
  package func offeredParameters(of type: ResourceType) -> [SearchParameterRow] {
    let parameters = ParameterTable.shared[type].parameters
    return Specification.shared.searchParameters(of: type).filter { row in
      parameters[row.code].map { !$0.parts.isEmpty } ?? false
    }
  }
}
