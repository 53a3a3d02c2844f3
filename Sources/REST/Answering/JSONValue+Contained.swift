import FHIRModel

extension JSONValue {
  /// The contained resources of this resource that a subset of it refers to, and those that these
  /// refer to: a local reference has a target (ref-1), and nothing is contained without a reference
  /// to it (dom-3). None if the subset holds all of them anyway.
  ///
  /// - SeeAlso: https://hl7.org/fhir/R4/references.html#contained
  func contained(neededBy subset: JSONValue) -> [JSONValue] {
    guard let contained = self["contained"], subset["contained"] == nil else { return [] }
    var needed: Set<String> = []
    subset.addLocalTargets(to: &needed)
    var count = -1
    while needed.count != count {
      count = needed.count
      for resource in contained.elements where resource.isNamed(in: needed) {
        resource.addLocalTargets(to: &needed)
      }
    }
    return contained.elements.filter { $0.isNamed(in: needed) }
  }

  private func isNamed(in ids: Set<String>) -> Bool {
    self["id"]?.string.map(ids.contains) ?? false
  }

  /// Adds the ids of contained resources that references in here name.
  private func addLocalTargets(to ids: inout Set<String>) {
    switch kind {
    case .array: for item in elements { item.addLocalTargets(to: &ids) }
    case .object:
      for member in members {
        if member.name == "reference", let text = member.value.string, text.hasPrefix("#") {
          ids.insert(String(text.dropFirst()))
        } else {
          member.value.addLocalTargets(to: &ids)
        }
      }
    default: break
    }
  }
}
