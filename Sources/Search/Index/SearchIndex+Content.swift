import FHIRModel

/// What resources hold for a search parameter, for those who decide by the same values as a search.
extension SearchIndex {
  /// Lends each value that a resource has for the parameter; none if its type has no such parameter.
  package func forEachValue(
    of parameter: String, in resource: Resource, _ body: (PathValue) throws -> Void
  ) rethrows {
    guard let found = ParameterTable.shared[resource.type].parameters[parameter] else { return }
    try found.forEachValue(in: resource.document.root, body)
  }

  /// The resource of this server that a reference names, relatively or under the public address.
  package func target(of value: PathValue) -> ResourceID? {
    guard value.type == .reference, let text = value.value["reference"]?.string else { return nil }
    return ResourceID(literal: text, addresses: configuration.addresses)
  }

  /// The moments that a date, Period or Timing covers; `nil` if it holds no date. An open end lies
  /// at the end of what `Instant` can say.
  package func moments(of value: PathValue) -> Range<Instant>? {
    guard let interval = DateInterval(value, assuming: configuration.zoneOffset),
      interval.start <= interval.end
    else { return nil }
    return Instant(ticks: interval.start)..<Instant(ticks: interval.end)
  }
}
