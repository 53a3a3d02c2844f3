import FHIRModel
import HTTPFixtures
import KeyValue
import REST
import SeededNumbers
import Store
import Synchronization
import Testing

@testable import Access

@Suite("The service")
struct ServiceTests {
  private func request(
    _ method: String, _ target: String, in scene: Scene, body: String = ""
  ) throws -> Request {
    Request(
      method: method, target: Array(target.utf8),
      headers: Headers([
        "Authorization": "Bearer " + (try scene.token(for: "operator")),
        "Content-Type": "application/fhir+json",
      ]),
      body: Array(body.utf8))
  }

  @Test("answers 507 for what doesn't fit, and goes on with what does")
  func full() async throws {
    let engine = FailingEngine()
    let scene = try Scene(engine: engine)
    let patient = #"{"resourceType":"Patient","id":"p"}"#
    let write = try request("PUT", "/fhir/Patient/p", in: scene, body: patient)
    engine.fails(with: .full)
    let refused = await scene.response(to: write)
    #expect(refused.status == 507)
    #expect(String(decoding: refused.body, as: UTF8.self).contains(#""code":"no-store""#))
    engine.fails(with: nil)
    #expect(await scene.response(to: write).status == 201)
  }

  @Test(
    "answers 503 while no reader more fits or the store is being closed",
    arguments: [StorageError.tooManyReaders, .closed])
  func passing(failure: StorageError) async throws {
    let engine = FailingEngine()
    let scene = try Scene(engine: engine)
    let read = try request("GET", "/fhir/Patient/p", in: scene)
    engine.fails(with: failure)
    let response = await scene.response(to: read)
    #expect(response.status == 503)
    #expect(response.headers["Retry-After"] != nil)
    let outcome = try Resource(
      parsing: response.body, expecting: ResourceType("OperationOutcome"))
    let issue = try #require(outcome.document.root["issue"]?.elements.first { _ in true })
    #expect(issue["code"]?.string == "transient")
    // It passes, so nobody is told.
    #expect(scene.reportCount == 0)
  }

  @Test("takes no form of a search that the log could not keep", arguments: [65_536, 65_537])
  func longForm(byteCount: Int) async throws {
    let scene = try Scene()
    let form = "_id=" + String(repeating: "x", count: byteCount - 4)
    let search = Request(
      method: "POST", target: Array("/fhir/Patient/_search".utf8),
      headers: Headers([
        "Authorization": "Bearer " + (try scene.token(for: "operator")),
        "Content-Type": "application/x-www-form-urlencoded",
      ]),
      body: Array(form.utf8))
    #expect(await scene.response(to: search).status == (byteCount > 65_536 ? 413 : 200))
  }

  @Test("answers an unforeseen failure 500, tells the operator and no one else")
  func failure() async throws {
    let engine = FailingEngine()
    let scene = try Scene(engine: engine)
    let read = try request("GET", "/fhir/Patient/p", in: scene)
    engine.fails(with: .system(call: "pread", code: 5, reason: "/var/lib/kiln"))
    let response = await scene.response(to: read)
    #expect(response.status == 500)
    #expect(!String(decoding: response.body, as: UTF8.self).contains("/var"))
    #expect(scene.reportCount == 1)
  }

  @Test("answers a HEAD with what GET has")
  func head() async throws {
    let scene = try Scene()
    let write = try request(
      "PUT", "/fhir/Patient/p", in: scene, body: #"{"resourceType":"Patient","id":"p"}"#)
    _ = await scene.response(to: write)
    let get = await scene.response(to: try request("GET", "/fhir/Patient/p", in: scene))
    let head = await scene.response(to: try request("HEAD", "/fhir/Patient/p", in: scene))
    #expect(head.status == 200)
    #expect(head.headers.bytes == get.headers.bytes)
    #expect(head.body == get.body)
  }

  @Test("answers a page of a browser only where its origin is listed")
  func origins() async throws {
    let scene = try Scene(origins: .these(["https://a.example"]))
    func allowed(_ origin: String) async throws -> String? {
      let request = Request(
        method: "GET", target: Array("/health".utf8), headers: Headers(["Origin": origin]))
      let response = await scene.response(to: request)
      #expect(response.headers["Vary"] == "Origin")
      return response.headers["Access-Control-Allow-Origin"]
    }
    #expect(try await allowed("https://a.example") == "https://a.example")
    #expect(try await allowed("https://b.example") == nil)
  }

  @Test("stays up whatever a target, a header or a body holds")
  func noise() async throws {
    let scene = try Scene()
    let good = try request(
      "PUT", "/fhir/Patient/p?_format=json&a=%41", in: scene, body: "{\"a\":1}")
    var random = SplitMix64(seed: 41)
    for _ in 0..<3000 {
      let method = ["GET", "PUT", "POST", "DELETE", "HEAD"].randomElement(using: &random) ?? "GET"
      let target = mutated(good.target, &random)
      let body = mutated(good.body, &random)
      var headers = good.headers
      for name in ["Accept", "Prefer", "If-Match", "If-None-Match", "If-None-Exist"] {
        headers.append(
          name, String(decoding: mutated(Array("W/\"1\", a=b; q=0.1".utf8), &random), as: UTF8.self)
        )
      }
      let response = await scene.response(
        to: Request(method: method, target: target, headers: headers, body: body))
      #expect(
        (200..<500).contains(response.status), "\(method) \(target) \(headers.pairs) \(body)")
      #expect(!response.headers.bytes.contains(0))
    }
    #expect(scene.reportCount == 0)
  }

  private func mutated(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
      let position = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0...2, using: &random) {
      case 0: bytes[position] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: position)
      default: bytes.insert(contentsOf: bytes[position...].prefix(7), at: position)
      }
    }
    return bytes
  }
}
