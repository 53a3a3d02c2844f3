import FHIRModel

extension Interaction {
  /// What it writes where nothing stands yet; `nil` for what writes nothing.
  func written() throws -> Resource? {
    switch self {
    case .conditionalUpdate(let resource, _, _): resource
    case .conditionalRevision(let revision, _): try revision.revised(nil)
    default: nil
    }
  }
}
