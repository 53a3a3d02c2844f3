import FHIRModel
import Store

/// What can be asked of one resource type, for a CapabilityStatement.
package struct TypeOffer: Sendable {
  /// The interactions that some caller may have performed.
  package var codes: Set<InteractionCode>
  package var searchParameters: [SearchParameterRow]

  package init(codes: Set<InteractionCode>, searchParameters: [SearchParameterRow]) {
    self.codes = codes
    self.searchParameters = searchParameters
  }
}

extension GuardedStore {
  /// What an operator, who may do the most, can ask of a type.
  package func offer(of type: ResourceType) -> TypeOffer {
    let parameters = store.offeredParameters(of: type)
    switch type {
    case .auditEvent:
      return TypeOffer(
        codes: AuditEventSearch.codes,
        searchParameters: parameters.filter { AuditEventQuery.filterNames.contains($0.code) })
    case .provenance:
      return TypeOffer(
        codes: Set(InteractionCode.allCases.filter { !$0.isWrite }), searchParameters: parameters)
    default:
      return TypeOffer(codes: Set(InteractionCode.allCases), searchParameters: parameters)
    }
  }
}
