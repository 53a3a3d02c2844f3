import FHIRModel
import Search

extension ResourceStore {
  /// The search parameters of a type that a search can really use.
  package func offeredParameters(of type: ResourceType) -> [SearchParameterRow] {
    index.offeredParameters(of: type)
  }
}
