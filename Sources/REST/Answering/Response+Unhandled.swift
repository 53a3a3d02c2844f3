import FHIRModel

extension Response {
  /// The answer to a request that the HTTP server refuses before a handler sees it, in the form in
  /// which handlers refuse.
  ///
  /// - Parameter reason: what is wrong with the request, as a sentence without its full stop.
  package init(unhandled status: Int, because reason: String) {
    self.init(status, issues: [Issue(Self.code(of: status), reason)], as: Format())
    if status == 503 { headers.append("Retry-After", "1") }
  }

  private static func code(of status: Int) -> Issue.Code {
    switch status {
    case 408: .timeout
    case 413, 414, 431: .tooLong
    case 417, 501, 505: .notSupported
    case 503: .throttled
    default: .structure
    }
  }
}
