import HTTPFixtures
import REST
import Synchronization
import Testing

@testable import HTTP

@Suite("A conversation of fixtures/http through a socket")
struct FixtureTests {
  @Test("goes as it does without one", arguments: Fixture.all)
  func conversation(_ fixture: Fixture) async throws {
    let scene = try Scene()
    var configuration = ServerConfiguration(addresses: [.ip(host: "127.0.0.1", port: 0)])
    configuration.loopCount = 1
    let server = try Server(configuration, handler: scene.service)
    let thread = try HTTP.Thread {
      do { try server.run() } catch { Issue.record("run failed: \(error)") }
    }
    defer {
      server.shutdown()
      thread.join()
    }
    let run = FixtureRun(base: Scene.base, token: scene.token) { request in
      try Self.exchange(request, with: server.addresses[0])
    }
    let faults = try await run.faults(of: fixture)
    #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
  }

  /// Sends a request on a connection of its own.
  private static func exchange(
    _ request: Request, with address: ListenAddress
  ) throws -> Response {
    let client = try Client(address)
    var head = request.method + " " + String(decoding: request.target, as: UTF8.self)
    head += " HTTP/1.1\r\nHost: store.example.org\r\nConnection: close\r\n"
    head += "Content-Length: \(request.body.count)\r\n"
    try client.send(
      head + String(decoding: request.headers.bytes, as: UTF8.self) + "\r\n"
        + String(decoding: request.body, as: UTF8.self))
    return try #require(Response(parsing: try client.readAll()))
  }
}

extension Response {
  /// Reads a response whose body ends with the connection.
  fileprivate init?(parsing bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
    let lines = text[..<end.lowerBound].split(separator: "\r\n")
    guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    var headers = Headers()
    for line in lines.dropFirst() {
      let sides = line.split(separator: ": ", maxSplits: 1)
      headers.append(String(sides[0]), sides.count > 1 ? String(sides[1]) : "")
    }
    self.init(status: status, headers: headers, body: Array(text[end.upperBound...].utf8))
  }
}
