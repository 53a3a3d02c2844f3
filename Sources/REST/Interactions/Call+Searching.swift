import FHIRModel

/// search by GET and by POST.
///
/// - SeeAlso: https://hl7.org/fhir/R4/http.html#search
extension Call {
  func search(_ type: ResourceType) throws -> Plan {
    let handling: Query.Handling = preferences.isLenient ? .lenient : .strict
    return search(Query(type: type, parameters: parameters, handling: handling))
  }

  /// The parameters of the address and those of the form add up.
  func searchByForm(_ type: ResourceType) throws -> Plan {
    guard !request.body.isEmpty else { return try search(type) }
    try ContentType.check(request.headers, isOneOf: [ContentType.formType])
    let query = Target(request.target).query
    return try Call(request, place: place, query: query, form: request.body[...], in: surroundings)
      .search(type)
  }

  private func search(_ query: Query) -> Plan {
    .perform(.search(query)) { [self] _, outcome in
      guard case .searchset(let page) = outcome else { throw UnexpectedOutcome(outcome) }
      let bundle = SearchsetBundle(
        page: page, base: base, type: query.type,
        place: query.parameters.last { $0.name == SearchsetBundle.pageParameter },
        formatParameters: formatParameters)
      return Response(200, json: bundle.bytes, as: format)
    }
  }
}
