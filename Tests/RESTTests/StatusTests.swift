import FHIRModel
import Testing

@testable import REST

/// Every refusal's status, decided by the specification's list.
///
/// - SeeAlso: https://hl7.org/fhir/R4/http.html#Status-Codes
@Suite("A refusal")
struct StatusTests {
  private static let id = ResourceID("Patient/p")

  private static let expected: [(any Error & Sendable, Int, String)] = {
    guard let id, let other = LogicalID("q") else { return [] }
    let errors: [(InteractionError, Int, String)] = [
      (.invalid([Issue(.structure, "x")]), 400, "structure"),
      (.invalid([Issue(.businessRule, "x")]), 422, "business-rule"),
      (.invalid([Issue(.businessRule, "x"), Issue(.value, "y")]), 400, "business-rule"),
      (.unknownResourceType("X"), 404, "not-supported"),
      (.notFound(id), 404, "not-found"),
      (.unknownVersion(id, .first), 404, "not-found"),
      (.gone(id, .first), 410, "deleted"),
      (.versionConflict(id, current: .first), 412, "conflict"),
      (.versionConflict(id, current: nil), 412, "conflict"),
      (.multipleMatches(count: 2), 412, "multiple-matches"),
      (.idMismatch(expected: other, found: nil), 400, "invalid"),
      (.unknownParameter(name: "x"), 400, "not-supported"),
      (.unsupportedModifier(parameter: "x", modifier: "y"), 400, "not-supported"),
      (.invalidParameter(name: "x", reason: "y"), 400, "invalid"),
      (.invalidPage, 400, "value"),
      (.notAllowed(reason: "x"), 405, "not-supported"),
      (.unauthenticated(reason: "x"), 401, "login"),
      (.forbidden(reason: "x"), 403, "forbidden"),
      (.storageFull, 507, "no-store"),
      (.unavailable(reason: "x"), 503, "transient"),
    ]
    let refusals: [(Refusal, Int, String)] = [
      (.unknownPath("/x"), 404, "not-found"),
      (.impossibleID("a_b"), 404, "not-found"),
      (.unknownVersion("x"), 404, "not-found"),
      (.unknownOperation("$x"), 404, "not-supported"),
      (.unknownMethod("BREW"), 501, "not-supported"),
      (.methodNotAllowed("PATCH", allowed: ["GET"]), 405, "not-supported"),
      (.notAcceptable(asked: "image/png"), 406, "not-supported"),
      (.unsupportedContent(reason: "x", taken: []), 415, "not-supported"),
      (.header(name: "If-Match", reason: "x"), 400, "invalid"),
      (.tooMany(limit: 1), 413, "too-costly"),
      (.longForm(limit: 1), 413, "too-long"),
      (.unreadable(reason: "x"), 400, "invalid"),
    ]
    return errors.map { ($0.0, $0.1, $0.2) } + refusals.map { ($0.0, $0.1, $0.2) }
      + [(Unforeseen(), 500, "exception")]
  }()

  private struct Unforeseen: Error {}

  @Test("has the specification's status and says why in an OperationOutcome")
  func statuses() throws {
    #expect(Self.expected.count == 33)
    for (error, status, code) in Self.expected {
      let response = Response(refusing: error)
      #expect(response.status == status, "\(error)")
      // What it says must itself be a valid resource.
      let outcome = try Resource(
        parsing: response.body, expecting: ResourceType("OperationOutcome"))
      let issue = try #require(outcome.document.root["issue"]?.elements.first { _ in true })
      #expect(issue["code"]?.string == code, "\(error)")
      #expect(issue["severity"]?.string == "error", "\(error)")
    }
  }

  @Test("says what HTTP wants said beside it")
  func headers() throws {
    let id = try #require(Self.id)
    func header(_ name: String, _ error: any Error) -> String? {
      Response(refusing: error).headers[name]
    }
    #expect(
      header("Allow", Refusal.methodNotAllowed("PUT", allowed: ["GET", "HEAD"])) == "GET, HEAD")
    #expect(header("Allow", InteractionError.notAllowed(reason: "")) != nil)
    #expect(header("ETag", InteractionError.gone(id, VersionID(3))) == "W/\"3\"")
    #expect(header("Retry-After", InteractionError.unavailable(reason: "")) != nil)
    #expect(header("WWW-Authenticate", InteractionError.unauthenticated(reason: "")) != nil)
    #expect(header("Cache-Control", InteractionError.notFound(id)) == "no-store")
  }

  @Test("of an unforeseen failure keeps the details for the operator")
  func details() {
    struct Secret: Error, CustomStringConvertible { var description: String { "/var/db" } }
    let body = String(decoding: Response(refusing: Secret()).body, as: UTF8.self)
    #expect(!body.contains("/var/db"))
  }

  @Test("can't begin a header of its own with what a client sent")
  func injection() {
    var headers = Headers()
    headers.append("Location", "x\r\nSet-Cookie: y")
    #expect(headers.fields.count == 1)
    #expect(headers["Location"] == "x  Set-Cookie: y")
    let lines = headers.bytes.split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 1)
  }
}
