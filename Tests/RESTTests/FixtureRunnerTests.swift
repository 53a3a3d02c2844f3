import FHIRModel
import REST
import Testing

@testable import HTTPFixtures

/// The runner itself, against responses that are made up here.
@Suite("The runner of conversations")
struct FixtureRunnerTests {
  private func faults(_ expected: String, _ response: Response) async throws -> [String] {
    let text = """
      {"title":"t","source":"s","steps":[
        {"request":{"method":"GET","target":"/x"},"response":\(expected)}]}
      """
    let fixture = try Fixture(file: "f", bytes: Array(text.utf8))
    let run = FixtureRun(base: "http://b/fhir", token: { _ in "t" }, send: { _ in response })
    return try await run.faults(of: fixture)
  }

  private var response: Response {
    Response(
      status: 200, headers: Headers(["ETag": "W/\"1\"", "Location": "http://b/fhir/Patient/a"]),
      body: Array(#"{"a":1.50,"b":["x","y"],"c":{"d":true}}"#.utf8))
  }

  @Test(
    "accepts what is as expected",
    arguments: [
      #"{"status":200}"#,
      #"{"status":200,"headers":{"etag":"{tag}","X":null,"Location":"{base}/Patient/{id}"}}"#,
      #"{"status":200,"body":{"a":1.50,"b":["x","{any}"],"c":{"d":true},"e":null}}"#,
      #"{"status":200,"body":"{\"a\":{any}"}"#,
    ])
  func acceptance(_ expected: String) async throws {
    #expect(try await faults(expected, response) == [])
  }

  @Test(
    "finds each thing that is not",
    arguments: [
      #"{"status":201}"#,
      #"{}"#,
      #"{"status":200,"headers":{"ETag":"W/\"2\""}}"#,
      #"{"status":200,"headers":{"ETag":null}}"#,
      #"{"status":200,"headers":{"X":"{any}"}}"#,
      #"{"status":200,"headers":{"Location":"{base}/Observation/{id}"}}"#,
      #"{"status":200,"headers":{"Location":"{instant}"}}"#,
      #"{"status":200,"body":null}"#,
      #"{"status":200,"body":{"a":1.5}}"#,
      #"{"status":200,"body":{"a":"1.50"}}"#,
      #"{"status":200,"body":{"b":["x"]}}"#,
      #"{"status":200,"body":{"b":["y","x"]}}"#,
      #"{"status":200,"body":{"c":null}}"#,
      #"{"status":200,"body":{"c":{"d":false}}}"#,
      #"{"status":200,"body":{"e":1}}"#,
      #"{"status":200,"body":"x"}"#,
      #"{"status":200,"body":[]}"#,
    ])
  func refusal(_ expected: String) async throws {
    #expect(try await !faults(expected, response).isEmpty)
  }

  @Test("takes no conversation without steps for a good one")
  func emptiness() async throws {
    let empty = try Fixture(file: "f", bytes: Array(#"{"title":"t","source":"s","steps":[]}"#.utf8))
    let run = FixtureRun(base: "", token: { _ in "" }, send: { _ in Response(status: 200) })
    #expect(try await !run.faults(of: empty).isEmpty)
  }
}
