import REST

extension Output {
  /// Appends `response` as the answer to a request.
  ///
  /// - Parameters:
  ///   - isHead: the request was HEAD: the length is sent and the body is not.
  ///   - connection: what the answer says about the connection after it.
  /// - SeeAlso: https://www.rfc-editor.org/rfc/rfc9112#section-6.3
  mutating func append(
    _ response: Response, isHead: Bool, connection: ConnectionOption, date: DateField
  ) {
    append(statusLine: response.status)
    append(response.headers.bytes)
    append(date.line)
    let hasBody = response.status != 204 && response.status != 304
    if hasBody {
      append("Content-Length: ")
      append(decimal: response.bodyByteCount)
      append("\r\n")
    }
    switch connection {
    case .kept: append("\r\n")
    case .keptForOldVersion: append("Connection: keep-alive\r\n\r\n")
    case .closed: append("Connection: close\r\n\r\n")
    }
    guard hasBody, !isHead else { return }
    append(response.opening)
    append(response.rest)
  }

  private mutating func append(statusLine status: Int) {
    switch status {
    case 200: append("HTTP/1.1 200 OK\r\n")
    case 201: append("HTTP/1.1 201 Created\r\n")
    case 304: append("HTTP/1.1 304 Not Modified\r\n")
    default:
      append("HTTP/1.1 ")
      append(decimal: status)
      append(Self.phrases[status] ?? [UInt8(ascii: " ")])
      append("\r\n")
    }
  }

  /// - SeeAlso: https://www.iana.org/assignments/http-status-codes
  private static let phrases: [Int: [UInt8]] = [
    202: "Accepted", 204: "No Content", 301: "Moved Permanently", 302: "Found", 303: "See Other",
    307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
    403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
    408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required",
    412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
    415: "Unsupported Media Type", 417: "Expectation Failed", 422: "Unprocessable Content",
    429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
    505: "HTTP Version Not Supported", 507: "Insufficient Storage",
  ].mapValues { Array(" \($0)".utf8) }
}

/// What an answer says about the connection after it.
enum ConnectionOption {
  case kept
  /// An HTTP/1.0 client must be told that the connection stays.
  case keptForOldVersion
  case closed
}
