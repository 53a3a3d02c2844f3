import REST
import Synchronization
import Testing

@testable import HTTP

@Suite("a server on loopback")
struct ServerTests {
  /// Keeps what it is asked and answers with what it is given, from a thread of its own if asked to.
  final class Recorder: RequestHandler {
    let requests = Mutex<[Request]>([])
    let response: Response
    let answersElsewhere: Bool

    init(response: Response = Response(status: 200), answersElsewhere: Bool = false) {
      self.response = response
      self.answersElsewhere = answersElsewhere
    }

    func respond(to request: Request, completion: @escaping @Sendable (Response) -> Void) {
      requests.withLock { $0.append(request) }
      guard answersElsewhere else { return completion(response) }
      Task.detached { [response] in completion(response) }
    }
  }

  /// Runs a server around `body`, and expects that it ends when it is told to.
  private func serving(
    _ handler: Recorder, at address: ListenAddress = .ip(host: "127.0.0.1", port: 0),
    _ body: (Server) throws -> Void
  ) throws {
    var configuration = ServerConfiguration(addresses: [address])
    configuration.loopCount = 2
    let server = try Server(configuration, handler: handler)
    let hasEnded = Mutex(false)
    let thread = try HTTP.Thread {
      do {
        try server.run()
        hasEnded.withLock { $0 = true }
      } catch {
        Issue.record("run failed: \(error)")
      }
    }
    defer {
      server.shutdown()
      thread.join()
      #expect(hasEnded.withLock { $0 })
    }
    try body(server)
  }

  private func text(_ client: Client) throws -> String {
    String(decoding: try client.readAll(), as: UTF8.self)
  }

  @Test("a request reaches the handler as it was sent", arguments: [false, true])
  func request(answersElsewhere: Bool) throws {
    let response = Response(
      status: 201, headers: Headers(["Location": "/x", "ETag": "W/\"1\""]), body: Array("{}".utf8))
    let handler = Recorder(response: response, answersElsewhere: answersElsewhere)
    try serving(handler) { server in
      let client = try Client(server.addresses[0])
      try client.send(
        "PUT http://h/fhir/Patient?a=b|c HTTP/1.1\r\nhost: h\r\nIf-Match: W/\"3\"\r\n"
          + "Content-Length: 4\r\nConnection: close\r\n\r\nbody")
      let answer = try text(client)
      #expect(answer.hasPrefix("HTTP/1.1 201 Created\r\nLocation: /x\r\nETag: W/\"1\"\r\nDate: "))
      #expect(answer.hasSuffix("Content-Length: 2\r\nConnection: close\r\n\r\n{}"))
    }
    let request = try #require(handler.requests.withLock { $0.first })
    #expect(request.method == "PUT")
    #expect(String(decoding: request.target, as: UTF8.self) == "/fhir/Patient?a=b|c")
    #expect(request.headers["HOST"] == "h")
    #expect(request.headers["if-match"] == "W/\"3\"")
    #expect(String(decoding: request.body, as: UTF8.self) == "body")
    #expect(!request.isSecure)
    #expect(request.peer == "127.0.0.1")
  }

  @Test("a refused request never reaches the handler")
  func refusal() throws {
    let handler = Recorder()
    try serving(handler) { server in
      let client = try Client(server.addresses[0])
      try client.send("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n")
      let answer = try text(client)
      #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
      #expect(answer.contains("\r\nContent-Type: application/fhir+json"))
      #expect(answer.contains(#""resourceType":"OperationOutcome""#))
      #expect(answer.contains("the header field host stands twice"))
    }
    #expect(handler.requests.withLock { $0.isEmpty })
  }

  @Test("IPv6 is served")
  func version6() throws {
    let handler = Recorder()
    try serving(handler, at: .ip(host: "::1", port: 0)) { server in
      let client = try Client(server.addresses[0])
      try client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(try text(client).hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
    #expect(handler.requests.withLock { $0.first?.peer } == "::1")
  }

  @Test("a server that was told to end before it ran ends at once")
  func earlyShutdown() throws {
    let server = try Server(
      ServerConfiguration(addresses: [.ip(host: "127.0.0.1", port: 0)]), handler: Recorder())
    server.shutdown()
    try server.run()
  }

  @Test("an address that is taken is named")
  func takenAddress() throws {
    try serving(Recorder()) { server in
      let error = #expect(throws: SystemError.self) {
        try Server(ServerConfiguration(addresses: server.addresses), handler: Recorder())
      }
      #expect(error?.description.contains(server.addresses[0].description) ?? false)
    }
  }
}

@Suite("the parts of a server")
struct PartTests {
  @Test("dates stand as in RFC 9110, section 5.6.7, and as Python's email.utils writes them")
  func dates() {
    #expect(DateField.text(ofSecond: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(DateField.text(ofSecond: 0) == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(DateField.text(ofSecond: 951_825_600) == "Tue, 29 Feb 2000 12:00:00 GMT")
    #expect(DateField.text(ofSecond: 1_709_251_199) == "Thu, 29 Feb 2024 23:59:59 GMT")
    #expect(DateField.text(ofSecond: 4_107_542_400) == "Mon, 01 Mar 2100 00:00:00 GMT")
    #expect(DateField.text(ofSecond: 1_796_083_199) == "Mon, 30 Nov 2026 23:59:59 GMT")
  }

  @Test(
    "addresses are read as they are written",
    arguments: ["127.0.0.1:80", "[::1]:8080", "unix:/a/b"])
  func addresses(text: String) {
    #expect(ListenAddress(parsing: text)?.description == text)
  }

  @Test(
    "what is no address is not guessed at",
    arguments: [
      "", "80", ":80", "localhost:80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "::1:80",
      "[127.0.0.1]:80", "127.0.0.1:+1", "unix:", "1.2.3:80", "[::1]", "127.0.0.1:80 ",
    ])
  func wrongAddresses(text: String) {
    #expect(ListenAddress(parsing: text) == nil)
  }

  @Test("only addresses of this machine are loopback")
  func loopback() throws {
    for (text, isLoopback) in [
      ("127.0.0.1:1", true), ("127.9.0.1:1", true), ("[::1]:1", true), ("unix:/a", true),
      ("0.0.0.0:1", false), ("[::]:1", false), ("10.0.0.1:1", false),
      ("[::ffff:10.0.0.1]:1", false),
    ] {
      #expect(try #require(ListenAddress(parsing: text)).isLoopback == isLoopback)
    }
  }

  @Test(
    "a peer's address is written as RFC 5952 says, and counted with its network",
    arguments: [
      ("192.0.2.1", "192.0.2.1"), ("2001:DB8::0001", "2001:db8::1"), ("::", "::"),
      ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
      ("::ffff:192.0.2.1", "192.0.2.1"), ("1::", "1::"),
    ])
  func peers(host: String, text: String) throws {
    let peer = Peer(try #require(SocketAddress(host: host, port: 1)))
    #expect(peer.text == text)
    #expect(peer.address?.count == (text.contains(":") ? 8 : 4))
  }

  @Test("a place that was given up is not reached by its old token")
  func staleTokens() {
    var table = ConnectionTable()
    func insert() -> Connection {
      table.insert {
        Connection(
          token: $0, peer: Peer(SocketAddress()),
          transport: Transport(socket: Socket(descriptor: -1), tls: nil), limits: HeadLimits(),
          now: 0)
      }
    }
    let first = insert()
    var isRemoved = table.remove(first.token)
    #expect(isRemoved)
    let second = insert()
    #expect(table[first.token] == nil)
    isRemoved = table.remove(first.token)
    #expect(!isRemoved)
    #expect(table[second.token] === second)
    #expect(table.count == 1)
  }
}
