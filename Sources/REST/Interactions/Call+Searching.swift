import FHIRModel

/// search by GET and by POST.
///
/// - SeeAlso: https://hl7.org/fhir/R4/http.html#search
extension Call {
  func search(_ type: ResourceType) throws -> Plan {
    search(Query(type: type, parameters: parameters, handling: handling))
  }

  /// Over the types that `_type` names, or over all.
  func search() throws -> Plan {
    search(try Query(overTypes: parameters, handling: handling))
  }

  /// The same by POST.
  func searchByForm(_ type: ResourceType) throws -> Plan { try withForm().search(type) }

  func searchByForm() throws -> Plan { try withForm().search() }

  private var handling: Query.Handling { preferences.isLenient ? .lenient : .strict }

  /// What is asked with stands in the log for ever and in the self link, so a form is no longer than
  /// some thousand ids need.
  private static let formByteCountMaximum = 64 * 1024

  /// The parameters of the address and those of the form add up.
  private func withForm() throws -> Call {
    guard !request.body.isEmpty else { return self }
    try ContentType.check(request.headers, isOneOf: [ContentType.formType])
    guard request.body.count <= Self.formByteCountMaximum else {
      throw Refusal.longForm(limit: Self.formByteCountMaximum)
    }
    let query = Target(request.target).query
    return try Call(
      request, place: place, query: query, form: request.body[...], in: surroundings)
  }

  private func search(_ asked: Query) -> Plan {
    let frame = SearchsetBundle.frame(base: base)
    var query = asked
    if subset == .whole { query.frame = frame }
    return .perform(.search(query)) { [self] _, outcome in
      guard case .searchset(var page) = outcome else { throw UnexpectedOutcome(outcome) }
      if page.frame == nil {
        page = try page.framed(by: frame) { try subset.applied(to: $0) }
      }
      let bundle = SearchsetBundle(
        page: page, base: base, type: asked.type,
        place: asked.parameters.last { $0.name == SearchsetBundle.pageParameter },
        formatParameters: formatParameters)
      return Response(200, opening: bundle.opening, rest: bundle.rest, as: format)
    }
  }
}
