/// Why an interaction was refused. REST makes each a status in one exhaustive switch.
package enum InteractionError: Error, Hashable, Sendable {
  /// The content is not a valid resource.
  case invalid([Issue])
  case unknownResourceType(String)
  /// Nothing is stored there, or nothing that the caller may see.
  case notFound(ResourceID)
  case unknownVersion(ResourceID, VersionID)
  /// The resource was deleted by this version.
  case gone(ResourceID, VersionID)
  /// A precondition failed; `current` is the version that stands, `nil` if there is none.
  case versionConflict(ResourceID, current: VersionID?)
  /// A conditional interaction matched more than one resource.
  case multipleMatches(count: Int)
  /// The id in the content is not the one in the address.
  case idMismatch(expected: LogicalID, found: LogicalID?)
  case unknownParameter(name: String)
  case unsupportedModifier(parameter: String, modifier: String)
  case invalidParameter(name: String, reason: String)
  /// The sealed place of a page is not one of this store's, or not of this search.
  case invalidPage
  /// The interaction is not offered for this type (a client's write of an AuditEvent).
  case notAllowed(reason: String)
  /// No valid token.
  case unauthenticated(reason: String)
  /// Outside the caller's scopes or role.
  case forbidden(reason: String)
  /// It doesn't fit on the disk.
  case storageFull
  /// It can't be served now; the same request later may succeed.
  case unavailable(reason: String)
}
