import Foundation
import HTTP
import REST

/// A server whose answers are made of the requests alone, for the checks that try the HTTP room from
/// outside.
///
///     HTTPEcho --listen 127.0.0.1:0 [--tls CERTIFICATE KEY] [--loops N] [--drain SECONDS]
///              [--connections N] [--per-address N] [--bodies BYTES] [--fast-deadlines]
///              [--page FILE]
@main
struct Echo {
  static func main() throws {
    var words = CommandLine.arguments.dropFirst()
    var configuration = ServerConfiguration(addresses: [])
    var handler = EchoHandler()
    func next() -> String { words.popFirst() ?? "" }
    func number() -> Int { Int(next()) ?? 0 }
    while let word = words.popFirst() {
      switch word {
      case "--listen":
        if let address = ListenAddress(parsing: next()) { configuration.addresses.append(address) }
      case "--tls": configuration.tls = TLSFiles(certificate: next(), key: next())
      case "--loops": configuration.loopCount = number()
      case "--drain": configuration.deadlines.drainSeconds = Double(number())
      case "--connections": configuration.connections.countMaximum = number()
      case "--per-address": configuration.connections.countPerAddressMaximum = number()
      case "--page": handler.page = try Data(contentsOf: URL(fileURLWithPath: next())).map { $0 }
      case "--bodies": configuration.bodiesByteCountMaximum = number()
      case "--fast-deadlines":
        configuration.deadlines.handshakeSeconds = 1
        configuration.deadlines.headSeconds = 1
        configuration.deadlines.bodyWindowSeconds = 1
        configuration.deadlines.idleSeconds = 2
        configuration.deadlines.writeStallSeconds = 2
      default: return say("what is \(word)?")
      }
    }
    do {
      let server = try Server(configuration, handler: handler)
      try server.heedSignals()
      for address in server.addresses {
        say("serving \(configuration.tls == nil ? "http" : "https")://\(address)")
      }
      try server.run()
    } catch {
      say("\(error)")
      exit(1)
    }
  }

  static func say(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
  }
}

/// Answers 200 with the method, the target and the body; some paths do more:
/// `/fixed` a constant, `/large/N` N bytes, `/later/MS` after so many milliseconds and from another
/// thread, `/status/N` that status, `/page` the file it was started with.
struct EchoHandler: RequestHandler {
  var page: [UInt8] = []

  private static let fixed = Response(
    status: 200, headers: Headers(["Content-Type": "text/plain"]),
    body: Array("Hello, World! Hello, World! Hello".utf8))

  func respond(to request: Request, completion: @escaping @Sendable (Response) -> Void) {
    let parts = String(decoding: request.target, as: UTF8.self).split(separator: "/")
    let number = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    switch parts.first {
    case "fixed": completion(Self.fixed)
    case "page":
      completion(
        Response(status: 200, headers: Headers(["Content-Type": "text/html"]), body: page))
    case "large":
      completion(Response(status: 200, body: [UInt8](repeating: 0x78, count: number)))
    case "later":
      Task.detached {
        try? await Task.sleep(for: .milliseconds(number))
        completion(echo(of: request))
      }
    case "status": completion(Response(status: number))
    default: completion(echo(of: request))
    }
  }

  private func echo(of request: Request) -> Response {
    var body = Array("\(request.method) ".utf8)
    body += request.target
    body += Array(" \(request.isSecure ? "secure" : "plain") \(request.body.count)\n".utf8)
    body += request.body
    return Response(
      status: 200, headers: Headers(["Content-Type": "text/plain; charset=utf-8"]), body: body)
  }
}
