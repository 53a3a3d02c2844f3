import FoundationEssentials
import REST
import Synchronization
import Testing

@testable import HTTP

@Suite("a body that goes into a file")
struct UploadTests {
  /// Says where bodies go, and answers with the bytes of the file.
  final class FileReader: RequestHandler {
    let place: BodyPlace
    let last = Mutex<BodyFile?>(nil)

    init(_ place: BodyPlace) { self.place = place }

    func bodyPlace(of request: Request) -> BodyPlace { place }

    func respond(to request: Request, completion: @escaping @Sendable (Response) -> Void) {
      guard let file = request.file else {
        return completion(Response(status: 200, body: Array("no file, ".utf8) + request.body))
      }
      last.withLock { $0 = file }
      let bytes = (try? Data(contentsOf: URL(filePath: file.path))).map { Array($0) } ?? []
      completion(Response(status: 200, body: Array("\(file.byteCount): ".utf8) + bytes))
    }
  }

  private func answer(
    to text: String, _ handler: FileReader,
    _ change: (inout ServerConfiguration) -> Void = { _ in }
  ) throws -> String {
    var configuration = ServerConfiguration(addresses: [.ip(host: "127.0.0.1", port: 0)])
    configuration.loopCount = 1
    configuration.uploadFolder = FileManager.default.temporaryDirectory.path
    change(&configuration)
    let server = try Server(configuration, handler: handler)
    let thread = try HTTP.Thread {
      do { try server.run() } catch { Issue.record("run failed: \(error)") }
    }
    defer {
      server.shutdown()
      thread.join()
    }
    let client = try Client(server.addresses[0])
    try client.send(text)
    return String(decoding: try client.readAll(), as: UTF8.self)
  }

  private let head = "POST /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"

  @Test("is read from there, whether its length was told or it came in chunks")
  func arrives() throws {
    let handler = FileReader(.file)
    let known = try answer(to: head + "Content-Length: 5\r\n\r\nhello", handler)
    #expect(known.hasSuffix("\r\n\r\n5: hello"))
    let chunked = try answer(
      to: head + "Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n", handler)
    #expect(chunked.hasSuffix("\r\n\r\n5: hello"))
    let path = try #require(handler.last.withLock { $0?.path })
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test("may be larger than what goes into memory, up to its own limit")
  func limits() throws {
    let long = String(repeating: "x", count: 5_000)
    let request = head + "Content-Length: 5000\r\n\r\n" + long
    func limited(_ configuration: inout ServerConfiguration) {
      configuration.bodyByteCountMaximum = 100
      configuration.uploadByteCountMaximum = 5_000
    }
    #expect(try answer(to: request, FileReader(.file), limited).hasSuffix("5000: " + long))
    #expect(try answer(to: request, FileReader(.memory), limited).hasPrefix("HTTP/1.1 413 "))
    let longer = head + "Content-Length: 5001\r\n\r\n" + long
    #expect(try answer(to: longer, FileReader(.file), limited).hasPrefix("HTTP/1.1 413 "))
    let full = try answer(to: request, FileReader(.file)) { $0.uploadsByteCountMaximum = 1 }
    #expect(full.hasPrefix("HTTP/1.1 507 "))
    let nowhere = try answer(to: request, FileReader(.file)) { $0.uploadFolder = "/nowhere" }
    #expect(nowhere.hasPrefix("HTTP/1.1 507 "))
  }

  @Test("is left unread where nobody wants it: the answer comes at once and the connection closes")
  func unread() throws {
    let text = try answer(
      to: "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n", FileReader(.unread))
    #expect(text.contains("Connection: close"))
    #expect(text.hasSuffix("\r\n\r\nno file, "))
  }
}
