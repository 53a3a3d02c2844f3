/// One HTTP response. Whoever sends it adds `Date`, `Content-Length` and `Connection`.
package struct Response: Sendable {
  package var status: Int
  package var headers: Headers
  /// The beginning of the content, where it is made apart from the rest; empty elsewhere.
  package var opening: [UInt8] = []
  /// The content, or what follows its opening.
  package var rest: [UInt8]

  package init(status: Int, headers: Headers = Headers(), body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    rest = body
  }

  /// The content; empty for 204 and 304. In answer to HEAD it is what GET would have got: its length
  /// is sent, and itself not.
  package var body: [UInt8] {
    get { opening.isEmpty ? rest : opening + rest }
    set { (opening, rest) = ([], newValue) }
  }

  package var bodyByteCount: Int { opening.count + rest.count }
}
