import FHIRModel
import FoundationEssentials
import HTTPFixtures
import REST
import Testing

/// Expected values are those of `fixtures/wearables/summary.py`, which knows nothing of this store.
@Suite("A summary")
struct SummaryTests {
  private static func fixture() throws -> JSONValue {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = folder.appending(path: "fixtures/wearables/summary.json")
    return try JSONDocument(parsing: Array(Data(contentsOf: file))).root
  }

  private func ask(
    _ method: String, _ target: String, _ body: ArraySlice<UInt8> = [], in scene: Scene,
    as who: String = "operator"
  ) async throws -> Response {
    await scene.response(
      to: Request(
        method: method, target: Array(target.utf8),
        headers: Headers([
          "Authorization": "Bearer " + (try scene.token(for: who)),
          "Content-Type": "application/json",
        ]), body: Array(body)))
  }

  private func filled(from fixture: JSONValue) async throws -> Scene {
    let scene = try Scene()
    let patient = Array(#"{"resourceType":"Patient","id":"ana"}"#.utf8)
    _ = try await ask("PUT", "/fhir/Patient/ana", patient[...], in: scene)
    for call in try #require(fixture["calls"]).elements {
      let response = try await ask("POST", "/wearables/daily-values", call.rawBytes, in: scene)
      let refused = try JSONDocument(parsing: response.body).root["refused"]?.numberText
      guard response.status == 200, refused == "0" else {
        Testing.Issue.record("\(String(decoding: response.body, as: UTF8.self))")
        continue
      }
    }
    return scene
  }

  @Test("puts a person's days together as a second program does")
  func summaries() async throws {
    let fixture = try Self.fixture()
    let scene = try await filled(from: fixture)
    let summaries = Array(try #require(fixture["summaries"]).elements)
    #expect(summaries.count > 10)
    for expected in summaries {
      let query = try #require(expected["query"]?.string)
      let response = try await ask("GET", "/wearables/summary?" + query, in: scene)
      let root = try JSONDocument(parsing: response.body).root
      let found = Array(try #require(root["buckets"]).elements)
      let wanted = Array(try #require(expected["buckets"]).elements)
      #expect(found.count == wanted.count, "\(query)")
      for (found, wanted) in zip(found, wanted) {
        #expect(texts(found) == texts(wanted), "\(query)")
      }
    }
  }

  /// The digits of the expected numbers stand as texts.
  private func texts(_ bucket: JSONValue) -> [String: String] {
    var texts: [String: String] = [:]
    for member in bucket.members {
      texts[member.name] = member.value.string ?? member.value.numberText
    }
    return texts
  }
}
