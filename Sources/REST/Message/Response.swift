/// One HTTP response. Whoever sends it adds `Date`, `Content-Length` and `Connection`.
package struct Response: Sendable {
  package var status: Int
  package var headers: Headers
  /// The content; empty for 204 and 304. In answer to HEAD it is what GET would have got: its length
  /// is sent, and itself not.
  package var body: [UInt8]

  package init(status: Int, headers: Headers = Headers(), body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
