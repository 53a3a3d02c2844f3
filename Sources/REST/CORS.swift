/// Which pages in a browser may read answers. Credentials (cookies) are never allowed: a token is
/// sent by the page itself or not at all.
///
/// - SeeAlso: https://fetch.spec.whatwg.org/#http-cors-protocol
package enum AllowedOrigins: Hashable, Sendable {
  case any
  /// These alone, each as a browser writes it: `https://app.example.org`.
  case these([String])

  /// The headers that let the page at `origin` read an answer; none if it may not.
  func append(to headers: inout Headers, origin: String) {
    switch self {
    case .any: headers.append("Access-Control-Allow-Origin", "*")
    case .these(let origins):
      headers.append("Vary", "Origin")
      guard origins.contains(origin) else { return }
      headers.append("Access-Control-Allow-Origin", origin)
    }
    headers.append(
      "Access-Control-Expose-Headers",
      "ETag, Location, Content-Location, Last-Modified, WWW-Authenticate, Retry-After")
  }

  /// The headers that answer a preflight beside those of `append(to:origin:)`.
  static func appendPreflight(to headers: inout Headers, methods: String) {
    headers.append("Access-Control-Allow-Methods", methods)
    // A wildcard would not cover Authorization, so each is named.
    headers.append(
      "Access-Control-Allow-Headers",
      "Accept, Authorization, Content-Type, If-Match, If-Modified-Since, If-None-Exist, "
        + "If-None-Match, Prefer")
    headers.append("Access-Control-Max-Age", "7200")
  }
}
