extension Validator {
  /// Checks that a Reference leads to one of these types, as far as it says where it leads.
  ///
  /// - SeeAlso: https://hl7.org/fhir/R4/references.html#literal
  mutating func checkReference(_ value: Int, to targets: ResourceTypeSet) {
    let reference = JSONValue(document: document, position: value)
    guard reference.kind == .object else { return }
    if let literal = reference["reference"], let type = literal.string.flatMap(Self.type(in:)),
      !targets.contains(type)
    {
      fail(.value, "the reference may not lead to \(type)", at: literal.position)
    }
    if let name = reference["type"], let type = name.string.flatMap({ ResourceType($0) }),
      !targets.contains(type)
    {
      fail(.value, "the reference may not lead to \(type)", at: name.position)
    }
  }

  /// The type that `Patient/1`, `Patient/1/_history/2` or the same behind a base address names.
  static func type(in reference: String) -> ResourceType? {
    var parts = reference.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { Substring($0) }
    if parts.count >= 4, parts[parts.count - 2] == "_history" { parts.removeLast(2) }
    guard parts.count >= 2, LogicalID(parts[parts.count - 1]) != nil else { return nil }
    // An address without a base must have nothing else before the type.
    let hasBase = reference.hasPrefix("http://") || reference.hasPrefix("https://")
    guard parts.count == 2 || hasBase else { return nil }
    return ResourceType(parts[parts.count - 2])
  }
}
