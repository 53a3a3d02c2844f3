import FHIRModel

/// read and vread.
///
/// - SeeAlso: https://hl7.org/fhir/R4/http.html#read, https://hl7.org/fhir/R4/http.html#cread
extension Call {
  func read(_ id: ResourceID) throws -> Plan {
    try refuseParameters()
    return .perform(.read(id)) { try $0.answer(read: $1) }
  }

  func vread(_ id: ResourceID, _ version: VersionID) throws -> Plan {
    try refuseParameters()
    return .perform(.vread(id, version)) { try $0.answer(read: $1) }
  }

  private func answer(read outcome: Outcome) throws -> Response {
    guard case .found(let version) = outcome else { throw UnexpectedOutcome(outcome) }
    var response =
      try hasAlready(version)
      ? Response(empty: 304) : Response(200, json: subset.applied(to: version.bytes), as: format)
    response.appendVersion(version)
    return response
  }

  /// Whether the client's copy is this version already. `If-Modified-Since` counts only where there
  /// is no `If-None-Match`, and is passed over if it is no date.
  ///
  /// - SeeAlso: https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2
  private func hasAlready(_ version: StoredVersion) throws -> Bool {
    if let tags = request.headers["If-None-Match"] {
      return try EntityTags(tags, of: "If-None-Match").contains(version.version)
    }
    guard let date = request.headers["If-Modified-Since"],
      let moment = Instant(httpDate: date, now: configuration.clock())
    else { return false }
    return version.lastUpdated.inSeconds <= moment
  }
}

extension Instant {
  /// The last whole second at or before this moment, which is what an HTTP date can show.
  fileprivate var inSeconds: Instant {
    let rest = ticks % Self.ticksPerSecond
    return Instant(ticks: ticks - (rest < 0 ? rest + Self.ticksPerSecond : rest))
  }
}

/// The store answered an interaction with an outcome that is none of its own: a fault of this
/// program.
struct UnexpectedOutcome: Error {
  let outcome: Outcome

  init(_ outcome: Outcome) { self.outcome = outcome }
}
