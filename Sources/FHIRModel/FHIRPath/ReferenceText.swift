/// What the text of a Reference says without being followed.
///
/// - SeeAlso: https://hl7.org/fhir/R4/references.html#literal
package enum ReferenceText {
  /// The resource type that a Reference names: in its address (`Patient/1`,
  /// `http://example.org/fhir/Patient/1/_history/2`), else in its `type`; `nil` if in neither.
  package static func type(named reference: JSONValue) -> String? {
    if let text = reference["reference"]?.string, let type = type(in: text) { return type }
    return reference["type"]?.string
  }

  /// The type in an address that ends in `Type/id` or `Type/id/_history/version`.
  package static func type(in address: String) -> String? {
    let parts = logicalPart(of: address).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 2, LogicalID(parts[parts.count - 1]) != nil else { return nil }
    return ResourceType(parts[parts.count - 2])?.name
  }

  /// The address without `/_history/version`.
  package static func logicalPart(of address: String) -> Substring {
    let parts = address.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[parts.count - 2] == "_history" else { return address[...] }
    let cut = parts[parts.count - 2].startIndex
    return address[..<address.index(before: cut)]
  }
}
