import FHIRModel

/// - SeeAlso: https://hl7.org/fhir/R4/http.html#capabilities
extension Call {
  func capabilities() throws -> Plan {
    let others = parameters.filter { $0.name != "mode" || $0.value != "full" }
    if let other = others.first, !preferences.isLenient {
      throw InteractionError.unknownParameter(name: other.name)
    }
    guard subset == .whole else {
      let statement = surroundings.capabilities.prepared(at: base)
      return .answer(Response(200, json: try subset.applied(to: statement.bytes), as: format))
    }
    let statement = surroundings.capabilities.prepared(at: base)
    let tag = statement.entityTag
    let isKnown = request.headers["If-None-Match"].map { $0 == "*" || $0.contains(tag) } ?? false
    var response = isKnown ? Response(status: 304) : Response(status: 200)
    response.headers.append("ETag", tag)
    // It speaks of nobody and may be kept, but not used unasked: an update changes it.
    response.headers.append("Cache-Control", "no-cache")
    response.headers.append("Vary", "Accept")
    response.headers.append("X-Content-Type-Options", "nosniff")
    guard !isKnown else { return .answer(response) }
    response.headers.append("Content-Type", format.contentType)
    response.body = format.isPretty ? indented(statement.bytes) : statement.bytes
    return .answer(response)
  }
}
