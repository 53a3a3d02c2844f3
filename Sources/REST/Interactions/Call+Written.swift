import FHIRModel

/// What a write is answered with.
///
/// - SeeAlso: https://hl7.org/fhir/R4/http.html#ops
extension Call {
  func answer(write outcome: Outcome) throws -> Response {
    switch outcome {
    case .created(let version): return try answer(201, version, "created")
    case .updated(let version): return try answer(200, version, "updated")
    case .unchanged(let version): return try answer(200, version, "unchanged")
    case .deleted(let version): return answer(deleted: version)
    case .found, .searchset, .history: throw UnexpectedOutcome(outcome)
    }
  }

  private func answer(_ status: Int, _ version: StoredVersion, _ word: String) throws -> Response {
    var response =
      switch preferences.answer {
      case .minimal: Response(empty: status)
      case .representation:
        try Response(status, json: subset.applied(to: version.bytes), as: format)
      case .operationOutcome: Response(status, issues: [done(word, version)], as: format)
      }
    response.appendVersion(version)
    let address = "\(base)/\(version.id)/_history/\(version.version.number)"
    // Who writes by a condition and wants no content back learns by it what the condition met.
    let isUntold = place.shape == .type && preferences.answer != .representation
    if status == 201 || isUntold { response.headers.append("Location", address) }
    if preferences.answer == .representation {
      response.headers.append("Content-Location", address)
    }
    return response
  }

  private func answer(deleted version: StoredVersion?) -> Response {
    let isTold = preferences.answer == .operationOutcome
    guard let version else {
      let nothing = Issue(.information, .informational, "there was nothing to delete")
      return isTold ? Response(200, issues: [nothing], as: format) : Response(empty: 204)
    }
    var response =
      isTold
      ? Response(200, issues: [done("deleted", version)], as: format) : Response(empty: 204)
    response.headers.append("ETag", version.version.entityTag)
    return response
  }

  private func done(_ word: String, _ version: StoredVersion) -> Issue {
    let words = "\(version.id) \(word), version \(version.version.number)"
    return Issue(.information, .informational, words)
  }
}
