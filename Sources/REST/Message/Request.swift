/// One HTTP request, its body read to the end and freed of its transfer coding.
package struct Request: Sendable {
  /// What came before the body: shared by all copies of the request.
  private let head: Head
  package var body: [UInt8]
  /// The body, where the handler asked for it in a file; `body` is empty then.
  package var file: BodyFile?

  private final class Head: Sendable {
    let method: String
    let target: [UInt8]
    let headers: Headers
    let isSecure: Bool
    let peer: String

    init(_ method: String, _ target: [UInt8], _ headers: Headers, isSecure: Bool, peer: String) {
      self.method = method
      self.target = target
      self.headers = headers
      self.isSecure = isSecure
      self.peer = peer
    }
  }

  package init(
    method: String, target: [UInt8], headers: Headers = Headers(), body: [UInt8] = [],
    isSecure: Bool = false, peer: String = ""
  ) {
    head = Head(method, target, headers, isSecure: isSecure, peer: peer)
    self.body = body
  }

  /// A request that is yet to come.
  package static let none = Request(method: "", target: [])

  /// As sent; methods are compared with regard to case.
  package var method: String { head.method }
  /// The request target as sent: path and query, `/fhir/Patient/1?_format=json`.
  package var target: [UInt8] { head.target }
  package var headers: Headers { head.headers }
  /// Whether it came over TLS.
  package var isSecure: Bool { head.isSecure }
  /// Who sent it, for the log: a numeric IP address, or `unix`.
  package var peer: String { head.peer }
}
