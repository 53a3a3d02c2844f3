import FHIRModel

/// Every refusal's status and words, each decided here and nowhere else.
extension Response {
  /// - Parameter hadToken: whether the request carried a token, so that 401 can tell "none" from
  ///   "no good".
  init(refusing error: any Error, as format: Format = Format(), hadToken: Bool = false) {
    switch error {
    case let error as InteractionError:
      self.init(refusing: error, as: format)
      if case .unauthenticated = error { appendChallenge(hadToken: hadToken) }
    case let error as Refusal: self.init(refusing: error, as: format)
    default:
      // The details are for the operator, who is told by `ServiceConfiguration.report`.
      self.init(500, .exception, "the store failed; nothing was changed", as: format)
    }
  }

  /// - SeeAlso: https://hl7.org/fhir/R4/http.html#Status-Codes
  private init(refusing error: InteractionError, as format: Format) {
    switch error {
    case .invalid(let issues):
      // What breaks a rule of this store and not FHIR's is 422, the rest could not be read as FHIR.
      let isRule = issues.allSatisfy { $0.code == .businessRule || $0.code == .invariant }
      self.init(isRule && !issues.isEmpty ? 422 : 400, issues: issues, as: format)
    case .unknownResourceType(let name):
      self.init(404, .notSupported, "\(name) is not a resource type of R4", as: format)
    case .notFound(let id):
      self.init(404, .notFound, "\(id) is not known", as: format)
    case .unknownVersion(let id, let version):
      self.init(404, .notFound, "\(id) has no version \(version.number)", as: format)
    case .gone(let id, let version):
      self.init(410, .deleted, "\(id) was deleted by version \(version.number)", as: format)
      headers.append("ETag", version.entityTag)
    case .versionConflict(let id, let current):
      let standing = current.map { "version \($0.number) stands" } ?? "there is no current version"
      self.init(412, .conflict, "of \(id) \(standing)", as: format)
    case .multipleMatches(let count):
      let words = "the criteria match \(count) resources or more, and one was meant"
      self.init(412, .multipleMatches, words, as: format)
    case .idMismatch(let expected, let found):
      let other = found.map { "is \($0.text)" } ?? "is missing"
      self.init(400, .invalid, "the id must be \(expected.text) and \(other)", at: "id", as: format)
    case .unknownParameter(let name):
      let words = "there is no parameter '\(name)' here"
      self.init(400, .notSupported, words, at: name, as: format)
    case .unsupportedModifier(let parameter, let modifier):
      let words = "the modifier '\(modifier)' is not supported for '\(parameter)'"
      self.init(400, .notSupported, words, at: parameter, as: format)
    case .invalidParameter(let name, let reason):
      self.init(400, .invalid, "'\(name)': \(reason)", at: name, as: format)
    case .invalidPage:
      self.init(400, .value, "this link to a page is none of this search's", as: format)
    case .notAllowed(let reason):
      self.init(405, .notSupported, reason, as: format)
      headers.append("Allow", "GET, HEAD, OPTIONS")
    case .unauthenticated(let reason):
      self.init(401, .login, reason, as: format)
    case .forbidden(let reason):
      self.init(403, .forbidden, reason, as: format)
    case .storageFull:
      self.init(507, .noStore, "it doesn't fit into the store; nothing was changed", as: format)
    case .unavailable(let reason):
      self.init(503, .transient, reason, as: format)
      headers.append("Retry-After", "1")
    }
  }

  private init(refusing refusal: Refusal, as format: Format) {
    switch refusal {
    case .unknownPath(let path):
      self.init(404, .notFound, "nothing is served at '\(path)'", as: format)
    case .impossibleID(let id):
      self.init(404, .notFound, Refusal.wordsForID(id), as: format)
    case .unknownVersion(let version):
      self.init(404, .notFound, "'\(version)' is not the number of a version", as: format)
    case .unknownOperation(let name):
      self.init(404, .notSupported, "there is no operation '\(name)'", as: format)
    case .methodNotAllowed(let method, let allowed):
      let words = "'\(method)' is not supported here, only \(allowed.joined(separator: ", "))"
      self.init(405, .notSupported, words, as: format)
      headers.append("Allow", allowed.joined(separator: ", "))
    case .notAcceptable(let asked):
      let words = "'\(asked)' can't be given, only application/fhir+json"
      self.init(406, .notSupported, words, as: format)
    case .unsupportedContent(let reason):
      self.init(415, .notSupported, reason, as: format)
      headers.append("Accept", ContentType.jsonTypes.prefix(2).joined(separator: ", "))
    case .header(let name, let reason):
      self.init(400, .invalid, "\(name): \(reason)", as: format)
    case .unreadable(let reason):
      self.init(400, .invalid, reason, as: format)
    }
  }

  private init(
    _ status: Int, _ code: Issue.Code, _ words: String, at place: String? = nil, as format: Format
  ) {
    self.init(status, issues: [Issue(code, words, at: place)], as: format)
  }

  /// - SeeAlso: https://www.rfc-editor.org/rfc/rfc6750#section-3
  private mutating func appendChallenge(hadToken: Bool) {
    let reason = hadToken ? ", error=\"invalid_token\"" : ""
    headers.append("WWW-Authenticate", "Bearer realm=\"kiln\"" + reason)
  }
}
