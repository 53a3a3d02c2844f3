import FHIRModel
import Testing

@testable import REST

@Suite("What a request asks for")
struct AskingTests {
  // RFC 9110, section 8.8.3
  @Test(
    "as entity tags is read as RFC 9110 writes them",
    arguments: [
      ("*", EntityTags.any),
      ("W/\"3\"", .versions([VersionID(3)])),
      ("\"3\"", .versions([VersionID(3)])),
      (" W/\"1\" ,\t\"2\"", .versions([VersionID(1), VersionID(2)])),
      ("W/\"a,b\", \"2\"", .versions([VersionID(2)])),
      ("W/\"03\"", .versions([])),
    ])
  func tags(_ text: String, _ expected: EntityTags) throws {
    #expect(try EntityTags(text, of: "If-Match") == expected)
  }

  @Test(
    "as entity tags is refused if it is none",
    arguments: ["", "3", "W/3", "w/\"3\"", "\"3", "\"3\" \"4\"", "*, \"3\"", "\"3\"x", "W/garbage"])
  func badTags(_ text: String) {
    #expect(throws: Refusal.self) { try EntityTags(text, of: "If-Match") }
  }

  @Test("as preferences is read where it is known and passed over where not")
  func preferences() {
    #expect(Preferences("return=minimal").answer == .minimal)
    #expect(Preferences("respond-async, Return=\"minimal\"; a=b").answer == .minimal)
    #expect(Preferences("return=OperationOutcome,handling=lenient").answer == .operationOutcome)
    #expect(Preferences("handling=lenient").isLenient)
    #expect(!Preferences("handling=strict").isLenient)
    #expect(Preferences("return=none, wait=10, ,=").answer == .representation)
  }

  // RFC 9110, section 12.5.1: the most specific range gives the weight.
  @Test(
    "as a format is weighed",
    arguments: [
      ("application/fhir+json", "application/fhir+json; charset=utf-8"),
      ("application/json, application/fhir+json", "application/fhir+json; charset=utf-8"),
      ("application/json, application/fhir+json;q=0.1", "application/json; charset=utf-8"),
      ("*/*;q=0.1, application/json;q=0.2", "application/json; charset=utf-8"),
      ("application/fhir+json;q=0, */*", "application/json; charset=utf-8"),
      ("text/*", "text/json; charset=utf-8"),
      ("application/json+fhir", "application/fhir+json; charset=utf-8"),
      ("a;b=c, */*", "application/fhir+json; charset=utf-8"),
    ])
  func formats(_ accept: String, _ expected: String) throws {
    #expect(try Format(accept: accept).contentType == expected)
  }

  @Test(
    "as a format is refused if it can't be given",
    arguments: [
      "", "image/png", "application/fhir+xml", "application/fhir+json;q=0", "nonsense",
      "application/fhir+json;q=2", "application/fhir+json; fhirVersion=5.0",
    ])
  func unacceptable(_ accept: String) {
    #expect(throws: Refusal.self) { try Format(accept: accept) }
  }

  @Test("by a path is one of the shapes, or nothing")
  func places() throws {
    func shape(_ path: String) -> Place.Shape? {
      try? Place(path: Array(path.utf8)[...], base: "/fhir").shape
    }
    let expected: [(String, Place.Shape?)] = [
      ("/fhir", .system), ("/fhir/", .system), ("/fhir/metadata", .metadata),
      ("/fhir/_history", .systemHistory), ("/fhir/Patient", .type), ("/fhir/Patient/", .type),
      ("/fhir/Patient/_search", .typeSearch), ("/fhir/Patient/_history", .typeHistory),
      ("/fhir/Patient/1", .instance), ("/fhir/Patient/_x", .instance),
      ("/fhir/Patient/1/_history", .instanceHistory), ("/fhir/Patient/1/_history/2", .version),
      ("/health", .health), ("/wearables/daily-values", .dailyValues),
      ("/health/x", nil), ("/fhirs", nil), ("", nil), ("/", nil), ("/fhir//", nil),
      ("/fhir/Nope", nil), ("/fhir/Patient/1/2", nil), ("/fhir/Patient/1/_history/2/3", nil),
      ("/fhir/Patient/1/x/2", nil), ("/fhir/$op", nil), ("/fhir/Patient/1/$op", nil),
      ("/fhir/%zz", nil), ("/fhir/Patient%2F1", nil),
    ]
    for (path, expected) in expected { #expect(shape(path) == expected, "\(path)") }
  }

  @Test("by an absolute target is its path")
  func absoluteTargets() {
    let target = Target(Array("http://a:1/fhir/Patient?a=b?c".utf8))
    #expect(String(decoding: target.path, as: UTF8.self) == "/fhir/Patient")
    #expect(String(decoding: target.query, as: UTF8.self) == "a=b?c")
    #expect(Target(Array("http://a".utf8)).path.isEmpty)
  }
}
