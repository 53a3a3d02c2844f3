/// Why a request is refused before any handler sees it. After each of them the connection closes,
/// since what follows on it can't be told apart from the rest of what was refused.
///
/// - SeeAlso: https://www.rfc-editor.org/rfc/rfc9112 and https://www.rfc-editor.org/rfc/rfc9110#section-15
package enum Refusal: Error, Hashable, Sendable {
  case malformedRequestLine
  case malformedTarget
  case unsupportedVersion
  case unknownMethod
  /// CR without LF, or LF without CR.
  case bareLineEnd
  case controlCharacter
  case foldedLine
  case malformedFieldName
  case missingHost
  case malformedHost
  /// A field that may stand once stands twice.
  case repeatedField(String)
  case malformedContentLength
  case contentLengthBesideTransferEncoding
  case transferEncodingInHTTP10
  case unsupportedTransferCoding
  case unknownExpectation
  case malformedChunk
  case targetTooLong(byteCountMaximum: Int)
  case headTooLarge(byteCountMaximum: Int)
  case tooManyFields(countMaximum: Int)
  case bodyTooLarge(byteCountMaximum: Int)
  case headTooSlow
  case bodyTooSlow
  case tooManyConnections
  case tooManyBodies
  /// There is no room for a body that goes into a file.
  case noRoomForUpload
}

extension Refusal {
  /// The status of the answer.
  package var status: Int {
    switch self {
    case .malformedRequestLine, .malformedTarget, .bareLineEnd, .controlCharacter, .foldedLine,
      .malformedFieldName, .missingHost, .malformedHost, .repeatedField, .malformedContentLength,
      .contentLengthBesideTransferEncoding, .transferEncodingInHTTP10, .malformedChunk:
      400
    case .headTooSlow, .bodyTooSlow: 408
    case .bodyTooLarge: 413
    case .targetTooLong: 414
    case .unknownExpectation: 417
    case .headTooLarge, .tooManyFields: 431
    case .unknownMethod, .unsupportedTransferCoding: 501
    case .tooManyConnections, .tooManyBodies: 503
    case .noRoomForUpload: 507
    case .unsupportedVersion: 505
    }
  }

  /// What was wrong, as a sentence for whoever wrote the client.
  package var reason: String {
    switch self {
    case .malformedRequestLine:
      "the request line is not: method, target and version, one space apart"
    case .malformedTarget: "the request target is malformed"
    case .unsupportedVersion: "only HTTP/1.1 and HTTP/1.0 are spoken here"
    case .unknownMethod: "the method is not known here"
    case .bareLineEnd: "a line must end with CR LF, and neither may stand alone"
    case .controlCharacter: "a header field holds a control character"
    case .foldedLine: "a header field goes on in a second line"
    case .malformedFieldName: "a header field is not: a name, a colon and a value"
    case .missingHost: "the Host field is missing"
    case .malformedHost: "the Host field is not a host with an optional port"
    case .repeatedField(let name): "the header field \(name) stands twice"
    case .malformedContentLength: "Content-Length is not a number of bytes in digits"
    case .contentLengthBesideTransferEncoding: "Content-Length stands beside Transfer-Encoding"
    case .transferEncodingInHTTP10: "Transfer-Encoding stands in an HTTP/1.0 request"
    case .unsupportedTransferCoding: "the only transfer coding understood here is chunked"
    case .unknownExpectation: "the only expectation understood here is 100-continue"
    case .malformedChunk: "the chunked body is malformed"
    case .targetTooLong(let maximum): "the request target is longer than \(maximum) bytes"
    case .headTooLarge(let maximum): "the header block is longer than \(maximum) bytes"
    case .tooManyFields(let maximum): "the request has more than \(maximum) header fields"
    case .bodyTooLarge(let maximum): "the body is longer than \(maximum) bytes"
    case .headTooSlow: "the header block did not arrive in time"
    case .bodyTooSlow: "the body arrived too slowly"
    case .tooManyConnections: "too many connections are open"
    case .tooManyBodies: "too many large bodies are being received"
    case .noRoomForUpload: "there is no room for the upload now"
    }
  }
}
