import FHIRModel

extension Precondition {
  /// - Parameter current: the version that stands; `nil` if there is none or it was deleted.
  /// - Throws: `InteractionError.versionConflict` if the change may not be made.
  /// - SeeAlso: https://www.rfc-editor.org/rfc/rfc9110#section-13.1
  func check(against current: VersionID?, of id: ResourceID) throws(InteractionError) {
    let holds =
      switch self {
      case .none: true
      case .ifMatch(let versions): current.map(versions.contains) ?? false
      case .ifExists: current != nil
      case .ifNoneExists: current == nil
      }
    guard holds else { throw .versionConflict(id, current: current) }
  }
}
