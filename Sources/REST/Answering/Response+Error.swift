import FHIRModel

/// Every refusal's status and words, each decided here and nowhere else.
/// What a failure is answered with.
struct Verdict: Sendable {
  var status: Int
  var issues: [Issue]
  var headers = Headers()

  /// - Parameter hadToken: whether the request carried a token, so that 401 can tell "none" from
  ///   "no good".
  init(on error: any Error, hadToken: Bool = false) {
    switch error {
    case let error as InteractionError:
      self.init(refusing: error)
      if case .unauthenticated = error { appendChallenge(hadToken: hadToken) }
    case let refusal as Refusal: self.init(refusing: refusal)
    default:
      // The details are for the operator, who is told by `ServiceConfiguration.report`.
      self.init(500, .exception, "the store failed; nothing was changed")
    }
  }

  /// Why, in one sentence for a person.
  var reason: String { issues.map(\.diagnostics).joined(separator: "; ") }

  /// - SeeAlso: https://hl7.org/fhir/R4/http.html#Status-Codes
  private init(refusing error: InteractionError) {
    switch error {
    case .invalid(let issues):
      // What breaks a rule of this store and not FHIR's is 422, the rest could not be read as FHIR.
      let isRule = issues.allSatisfy { $0.code == .businessRule || $0.code == .invariant }
      self.init(status: isRule && !issues.isEmpty ? 422 : 400, issues: issues)
    case .unknownResourceType(let name):
      self.init(404, .notSupported, "\(name) is not a resource type of R4")
    case .notFound(let id):
      self.init(404, .notFound, "\(id) is not known")
    case .unknownVersion(let id, let version):
      self.init(404, .notFound, "\(id) has no version \(version.number)")
    case .gone(let id, let version):
      self.init(410, .deleted, "\(id) was deleted by version \(version.number)")
      headers.append("ETag", version.entityTag)
    case .versionConflict(let id, let current):
      let standing = current.map { "version \($0.number) stands" } ?? "there is no current version"
      self.init(412, .conflict, "of \(id) \(standing)")
    case .multipleMatches(let count):
      let words = "the criteria match \(count) resources or more, and one was meant"
      self.init(412, .multipleMatches, words)
    case .idMismatch(let expected, let found):
      let other = found.map { "is \($0.text)" } ?? "is missing"
      self.init(400, .invalid, "the id must be \(expected.text) and \(other)", at: "id")
    case .unknownParameter(let name):
      let words = "there is no parameter '\(name)' here"
      self.init(400, .notSupported, words, at: name)
    case .unsupportedModifier(let parameter, let modifier):
      let words = "the modifier '\(modifier)' is not supported for '\(parameter)'"
      self.init(400, .notSupported, words, at: parameter)
    case .invalidParameter(let name, let reason):
      self.init(400, .invalid, "'\(name)': \(reason)", at: name)
    case .invalidPage:
      self.init(400, .value, "this link to a page is none of this search's")
    case .notAllowed(let reason):
      self.init(405, .notSupported, reason)
      headers.append("Allow", "GET, HEAD, OPTIONS")
    case .unauthenticated(let reason):
      self.init(401, .login, reason)
    case .forbidden(let reason):
      self.init(403, .forbidden, reason)
    case .storageFull:
      self.init(507, .noStore, "it doesn't fit into the store; nothing was changed")
    case .unavailable(let reason):
      self.init(503, .transient, reason)
      headers.append("Retry-After", "1")
    }
  }

  private init(refusing refusal: Refusal) {
    switch refusal {
    case .unknownPath(let path):
      self.init(404, .notFound, "nothing is served at '\(path)'")
    case .impossibleID(let id):
      self.init(404, .notFound, Refusal.wordsForID(id))
    case .unknownVersion(let version):
      self.init(404, .notFound, "'\(version)' is not the number of a version")
    case .unknownOperation(let name):
      self.init(404, .notSupported, "there is no operation '\(name)'")
    case .unknownMethod(let method):
      self.init(501, .notSupported, "the method '\(method)' is not known here")
    case .methodNotAllowed(let method, let allowed):
      let words = "'\(method)' is not supported here, only \(allowed.joined(separator: ", "))"
      self.init(405, .notSupported, words)
      headers.append("Allow", allowed.joined(separator: ", "))
    case .notAcceptable(let asked):
      let words = "'\(asked)' can't be given, only application/fhir+json"
      self.init(406, .notSupported, words)
    case .unsupportedContent(let reason, let taken):
      self.init(415, .notSupported, reason)
      headers.append("Accept", taken.joined(separator: ", "))
    case .header(let name, let reason):
      self.init(400, .invalid, "\(name): \(reason)")
    case .tooMany(let limit):
      self.init(413, .tooCostly, "at most \(limit) values are taken in one request")
    case .longForm(let limit):
      self.init(413, .tooLong, "the form of a search may have at most \(limit) bytes")
    case .unreadable(let reason):
      self.init(400, .invalid, reason)
    }
  }

  private init(status: Int, issues: [Issue]) {
    self.status = status
    self.issues = issues
  }

  private init(_ status: Int, _ code: Issue.Code, _ words: String, at place: String? = nil) {
    self.init(status: status, issues: [Issue(code, words, at: place)])
  }

  /// - SeeAlso: https://www.rfc-editor.org/rfc/rfc6750#section-3
  private mutating func appendChallenge(hadToken: Bool) {
    let reason = hadToken ? ", error=\"invalid_token\"" : ""
    headers.append("WWW-Authenticate", "Bearer realm=\"kiln\"" + reason)
  }
}

extension Response {
  /// - Parameter hadToken: as for `Verdict`.
  init(refusing error: any Error, as format: Format = Format(), hadToken: Bool = false) {
    let verdict = Verdict(on: error, hadToken: hadToken)
    self.init(verdict.status, issues: verdict.issues, as: format)
    for (name, value) in verdict.headers.pairs { headers.append(name, value) }
  }
}
