import Testing

@testable import HTTP

/// What the grammar of RFC 9112 allows, and what of it is refused here because others read it
/// differently.
@Suite("the head of a request")
struct HeadParserTests {
  private func parse(_ text: String) throws(Refusal) -> (head: RequestHead, count: Int)? {
    var parser = HeadParser()
    let bytes = Array(text.utf8)
    guard let count = try parser.parse(bytes.span) else { return nil }
    return (parser.head, count)
  }

  @Test("a plain request is read to its end and no further")
  func plain() throws {
    let text = "GET /fhir/Patient/1?a=b|c HTTP/1.1\r\nHost: x\r\nAccept: \t a b \t\r\n\r\n"
    let (head, count) = try #require(try parse(text + "GET"))
    let bytes = Array(text.utf8)
    #expect(count == bytes.count)
    #expect(head.method == .get)
    #expect(String(decoding: bytes[head.target], as: UTF8.self) == "/fhir/Patient/1?a=b|c")
    #expect(head.fields.map { String(decoding: bytes[$0.value], as: UTF8.self) } == ["x", "a b"])
    #expect(head.framing == .none)
    #expect(head.keepsConnection)
  }

  @Test("a head cut at any place is read as the whole one")
  func cutAnywhere() throws {
    let text =
      "\r\nPUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\nExpect: 100-continue\r\n\r\n"
    let bytes = Array(text.utf8)
    for first in 0..<bytes.count {
      var parser = HeadParser()
      let part = Array(bytes[..<first])
      let early = try parser.parse(part.span)
      let whole = try parser.parse(bytes.span)
      #expect(early == nil)
      #expect(whole == bytes.count)
      #expect(parser.head.framing == .length(12))
      #expect(parser.head.expectsContinue)
      #expect(parser.head.fields.count == 3)
    }
  }

  @Test(
    "what the connection does afterwards",
    arguments: [
      ("1.1", "", true), ("1.1", "Connection: close\r\n", false),
      ("1.1", "Connection: x,  Close \r\n", false), ("1.0", "", false),
      ("1.0", "Connection: keep-alive\r\n", true),
      ("1.0", "Connection: keep-alive, close\r\n", false),
      ("1.1", "Connection: closed\r\n", true),
    ])
  func keepsConnection(version: String, field: String, keeps: Bool) throws {
    let read = try parse("GET / HTTP/\(version)\r\nHost: x\r\n\(field)\r\n")
    #expect(try #require(read).head.keepsConnection == keeps)
  }

  @Test(
    "a request target in each form that a method allows",
    arguments: [
      ("GET", "http://example.org:80/a?b", "/a?b"), ("GET", "HTTPS://[::1]:8/a", "/a"),
      ("OPTIONS", "*", "*"), ("GET", "/", "/"), ("GET", "//a", "//a"),
      ("GET", "/a/../b", "/a/../b"),
      ("GET", ##"/!"#$%41&'()*+,;<=>@[\]^_`{|}~"##, ##"/!"#$%41&'()*+,;<=>@[\]^_`{|}~"##),
      ("GET", "/a?%zz", "/a?%zz"),
    ])
  func targets(method: String, target: String, seen: String) throws {
    let text = "\(method) \(target) HTTP/1.1\r\nHost: x\r\n\r\n"
    let head = try #require(try parse(text)).head
    #expect(String(decoding: Array(text.utf8)[head.target], as: UTF8.self) == seen)
  }

  @Test(
    "a request target that is refused",
    arguments: [
      "*", "a", "http://", "http:///a", "http://x", "ftp://x/a", "http://x y/a", "/%", "/%4",
      "/%zz",
      "/%00", "/../a", "/a/../../b", "/a/%2e%2e/..%2f..", "http://u@x/a", "x:80", "http://x:1a/",
    ])
  func refusedTargets(target: String) {
    let method = "GET"
    let expected: Refusal = target.contains(" ") ? .malformedRequestLine : .malformedTarget
    #expect(throws: expected) { try parse("\(method) \(target) HTTP/1.1\r\nHost: x\r\n\r\n") }
  }

  @Test(
    "a request line that is refused",
    arguments: [
      ("GET  / HTTP/1.1", Refusal.malformedRequestLine), (" GET / HTTP/1.1", .malformedRequestLine),
      ("GET /", .malformedRequestLine), ("GET / HTTP/1.1 ", .malformedRequestLine),
      ("GET / http/1.1", .malformedRequestLine), ("GET / HTTP/11", .malformedRequestLine),
      ("GET / HTTP/1.10", .malformedRequestLine), ("GET\t/ HTTP/1.1", .malformedRequestLine),
      ("G(T / HTTP/1.1", .malformedRequestLine), ("GET /\u{e9} HTTP/1.1", .malformedRequestLine),
      ("GET / HTTP/1.2", .unsupportedVersion), ("GET / HTTP/2.0", .unsupportedVersion),
      ("GET / HTTP/0.9", .unsupportedVersion), ("get / HTTP/1.1", .unknownMethod),
      ("CONNECT x:80 HTTP/1.1", .unknownMethod), ("GETS / HTTP/1.1", .unknownMethod),
      (String(repeating: "A", count: 40) + " / HTTP/1.1", .unknownMethod),
      ("GET /\u{0} HTTP/1.1", .malformedRequestLine), ("GET /\n HTTP/1.1", .bareLineEnd),
    ])
  func requestLines(line: String, refusal: Refusal) {
    #expect(throws: refusal) { try parse(line + "\r\nHost: x\r\n\r\n") }
  }

  @Test(
    "fields that are refused",
    arguments: [
      ("", Refusal.missingHost), ("Host: x\r\nHost: x\r\n", .repeatedField("host")),
      ("Host: \r\n", .malformedHost), ("Host: a b\r\n", .malformedHost),
      ("Host: a/b\r\n", .malformedHost), ("Host: x:y\r\n", .malformedHost),
      ("Host: [::1\r\n", .malformedHost), ("Host: u@x\r\n", .malformedHost),
      ("Host: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n", .repeatedField("content-length")),
      ("Host: x\r\nContent-Length: +5\r\n", .malformedContentLength),
      ("Host: x\r\nContent-Length: -5\r\n", .malformedContentLength),
      ("Host: x\r\nContent-Length: 0x5\r\n", .malformedContentLength),
      ("Host: x\r\nContent-Length: 5, 5\r\n", .malformedContentLength),
      ("Host: x\r\nContent-Length: \r\n", .malformedContentLength),
      ("Host: x\r\nContent-Length: 18446744073709551621\r\n", .malformedContentLength),
      ("Host: x\r\nContent-Length : 5\r\n", .malformedFieldName),
      (
        "Host: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        .contentLengthBesideTransferEncoding
      ),
      (
        "Host: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        .contentLengthBesideTransferEncoding
      ),
      ("Host: x\r\nTransfer-Encoding: xchunked\r\n", .unsupportedTransferCoding),
      ("Host: x\r\nTransfer-Encoding: gzip, chunked\r\n", .unsupportedTransferCoding),
      ("Host: x\r\nTransfer-Encoding: \r\n", .unsupportedTransferCoding),
      ("Host: x\r\nTransfer-Encoding: \u{b}chunked\r\n", .controlCharacter),
      (
        "Host: x\r\nTransfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n",
        .unsupportedTransferCoding
      ),
      (
        "Host: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        .repeatedField("transfer-encoding")
      ),
      ("Host: x\r\nExpect: 200-ok\r\n", .unknownExpectation),
      ("Host: x\r\nA: b\r\n c\r\n", .foldedLine), (" Host: x\r\n", .foldedLine),
      ("Host: x\r\nA\r\n", .malformedFieldName), ("Host: x\r\n: b\r\n", .malformedFieldName),
      ("Host: x\r\nA b: c\r\n", .malformedFieldName), ("Host: x\nA: b\r\n", .bareLineEnd),
      ("Host: x\r\nA: b\rc\r\n", .bareLineEnd), ("Host: x\r\nA: b\u{0}c\r\n", .controlCharacter),
      ("Host: x\r\nA: b\u{7f}\r\n", .controlCharacter),
      ("Host: x\r\nAuthorization: a\r\nAuthorization: b\r\n", .repeatedField("authorization")),
    ])
  func fields(fields: String, refusal: Refusal) {
    #expect(throws: refusal) { try parse("GET / HTTP/1.1\r\n\(fields)\r\n") }
  }

  @Test("an HTTP/1.0 request may lack its Host and has no chunks")
  func oldVersion() throws {
    #expect(try parse("GET / HTTP/1.0\r\n\r\n")?.head.minorVersion == 0)
    #expect(throws: Refusal.transferEncodingInHTTP10) {
      try parse("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n")
    }
  }

  @Test("each limit holds to the byte, and before the rest has come")
  func limits() throws {
    let target = "/" + String(repeating: "a", count: 8191)
    #expect(try parse("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n") != nil)
    #expect(throws: Refusal.targetTooLong(byteCountMaximum: 8192)) { try parse("GET \(target)a") }

    let start = "GET / HTTP/1.1\r\nHost: x\r\nA: "
    let room = 32 * 1024 - start.utf8.count - 4
    let value = String(repeating: "a", count: room)
    #expect(try parse("\(start)\(value)\r\n\r\n") != nil)
    #expect(throws: Refusal.headTooLarge(byteCountMaximum: 32 * 1024)) {
      try parse("\(start)\(value)aaaaa")
    }
    let fields = String(repeating: "A: b\r\n", count: 99)
    #expect(try parse("GET / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n") != nil)
    #expect(throws: Refusal.tooManyFields(countMaximum: 100)) {
      try parse("GET / HTTP/1.1\r\nHost: x\r\n\(fields)A: b\r\n")
    }
  }

  @Test("no bytes, however wrong, stop the parser")
  func noise() {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "GET ", "/", " HTTP/1.1", "\r\n", "\r", "\n", "Host: x\r\n", "Content-Length: ", "5", ":",
      " ",
      "\u{0}", "é", "%", "Transfer-Encoding: chunked\r\n", "..", "http://", "[", "]",
    ]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 1...12, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      _ = try? parse(text)
    }
  }
}
