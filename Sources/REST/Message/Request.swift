/// One HTTP request, its body read to the end and freed of its transfer coding.
package struct Request: Sendable {
  /// As sent; methods are compared with regard to case.
  package var method: String
  /// The request target as sent: path and query, `/fhir/Patient/1?_format=json`.
  package var target: [UInt8]
  package var headers: Headers
  package var body: [UInt8]
  /// The body, where the handler asked for it in a file; `body` is empty then.
  package var file: BodyFile?
  /// Whether it came over TLS.
  package var isSecure: Bool
  /// Who sent it, for the log: a numeric IP address, or `unix`.
  package var peer: String

  package init(
    method: String, target: [UInt8], headers: Headers = Headers(), body: [UInt8] = [],
    isSecure: Bool = false, peer: String = ""
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.isSecure = isSecure
    self.peer = peer
  }
}
