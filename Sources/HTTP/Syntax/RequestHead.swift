/// What the head of a request says, as places in its bytes: nothing is copied out of them.
package struct RequestHead: Sendable {
  package var method = Method.get
  /// The target as the handler sees it: of `http://host/path?query` the part from the path on.
  package var target = 0..<0
  /// 0 for HTTP/1.0, 1 for HTTP/1.1.
  package var minorVersion: UInt8 = 1
  package var fields: [Field] = []
  package var framing = Framing.none
  package var keepsConnection = true
  /// The client waits for `100 Continue` before it sends its body.
  package var expectsContinue = false

  package struct Field: Sendable, Hashable {
    package var name: Range<Int>
    /// The value without the spaces and tabs around it.
    package var value: Range<Int>
  }
}

/// How the end of a body is told.
package enum Framing: Hashable, Sendable {
  case none
  case length(Int)
  case chunked
}

/// The methods that HTTP and PATCH's own document define, but CONNECT.
///
/// - SeeAlso: https://www.rfc-editor.org/rfc/rfc9110#section-9.3
package enum Method: String, CaseIterable, Sendable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case delete = "DELETE"
  case patch = "PATCH"
  case options = "OPTIONS"
  case trace = "TRACE"

  /// A safe method changes nothing, so that several may run at once on one connection.
  var isSafe: Bool {
    switch self {
    case .get, .head, .options, .trace: true
    case .post, .put, .delete, .patch: false
    }
  }
}

/// How large the parts of a head may be.
package struct HeadLimits: Sendable {
  package var targetByteCountMaximum = 8 * 1024
  /// The request line and all fields together.
  package var byteCountMaximum = 32 * 1024
  package var fieldCountMaximum = 100

  package init() {}
}
