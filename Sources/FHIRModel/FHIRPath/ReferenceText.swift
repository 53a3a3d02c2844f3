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
    let path = logicalPart(of: address)
    guard let slash = path.utf8.lastIndex(of: separator),
      LogicalID(path[path.utf8.index(after: slash)...]) != nil
    else { return nil }
    let parent = path[..<slash]
    let start = parent.utf8.lastIndex(of: separator).map { parent.utf8.index(after: $0) }
    return ResourceType(parent[(start ?? parent.startIndex)...])?.name
  }

  /// The address without `/_history/version`.
  package static func logicalPart(of address: String) -> Substring {
    let whole = address[...]
    guard let last = whole.utf8.lastIndex(of: separator) else { return whole }
    let parent = whole[..<last]
    guard parent.utf8.count > history.count,
      parent.utf8.suffix(history.count).elementsEqual(history)
    else { return whole }
    return parent.dropLast(history.count)
  }

  private static let separator = UInt8(ascii: "/")
  private static let history = Array("/_history".utf8)
}
