import FHIRModel
import Testing

@testable import Access

/// How far Consents and scopes reach, and what is judged before anything is tried.
extension RulesTests {
  @Test("that is an app writes only what its Consent says, and what it could see")
  func consentToWrite() throws {
    let scene = try Scene()
    let app = try Scene.app("app", for: "a", "patient/*.cruds")
    let types = #""class":[{"system":"http://hl7.org/fhir/resource-types","code":"Observation"}]"#
    let codes = #""code":[{"coding":[{"system":"http://loinc.org","code":"85354-9"}]}]"#
    try scene.put(
      Sample.patient("a"), Sample.observation("hidden", of: "a", code: "85354-9"),
      Sample.consent(
        "c", of: "a", Sample.permit("app", types + #","provision":[{"type":"deny",\#(codes)}]"#)))
    try scene.put(Sample.observation("o", of: "a"), by: app)
    let table: [(String, Bool)] = [
      (Sample.observation("o", of: "a", code: "85354-9"), false),
      (Sample.observation("hidden", of: "a"), false),
      (Sample.observation("new", of: "a", code: "85354-9"), false),
      (#"{"resourceType":"Patient","id":"a","active":true}"#, false),
      (Sample.observation("o", of: "a", code: "8480-6"), true),
    ]
    for (text, isDone) in table {
      let refusal = try scene.refusal(of: try Self.update(text), by: app)
      #expect((refusal == nil) == isDone, "\(text)")
    }
    #expect(
      try scene.refusal(of: .delete(try Scene.id("Observation/hidden"), if: .none), by: app)
        == .notFound(try Scene.id("Observation/hidden")))
  }

  @Test("whose scope has a limit sees and writes only within it")
  func scopeLimits() throws {
    let scene = try Scene()
    let limit =
      "?category=http://terminology.hl7.org/CodeSystem/observation-category|vital-signs"
    let app = try Scene.app("app", for: "a", "patient/Observation.cruds" + limit)
    try scene.put(Sample.patient("a"), Sample.consent("c", of: "a", Sample.permit("app")))
    try scene.put(Sample.observation("v", of: "a", category: "vital-signs"), by: app)
    let lab = Sample.observation("l", of: "a", category: "laboratory")
    #expect(try scene.refusal(of: try Self.update(lab), by: app) != nil)
    try scene.put(lab)
    #expect(try scene.canRead("Observation/v", app))
    #expect(try !scene.canRead("Observation/l", app))
    #expect(try scene.found("Observation?code=8867-4", by: app) == ["Observation/v"])
    #expect(try scene.page("Observation?_summary=count", by: app).total == 1)
    let odd = try Scene.app("app", for: "a", "patient/Observation.rs?nosuchparam=x")
    let refusal = try scene.refusal(of: try Scene.search("Observation?code=8867-4"), by: odd)
    guard case .forbidden = refusal else { throw TestFailure("\(String(describing: refusal))") }
  }

  @Test(
    "that sends nothing which can be written is judged and logged all the same",
    arguments: zip(
      Who.allCases, [Verdict.done, .done, .done, .forbidden, .forbidden, .forbidden]))
  func untried(who: Who, verdict: Verdict) throws {
    let scene = try Scene()
    try scene.put(
      Sample.patient("a"),
      Sample.consent("c", of: "a", Sample.permit("app", Self.heartRate)))
    let caller = try who.caller()
    let type = try #require(ResourceType("Observation"))
    func outcome(for patient: String) throws -> Verdict {
      do {
        try scene.store.perform(
          UntriedWrite(of: type, for: try Scene.id("Patient/" + patient), by: caller))
        return .done
      } catch InteractionError.forbidden {
        return .forbidden
      }
    }
    #expect(try outcome(for: "a") == verdict)
    // Whether there is such a person makes no difference to who may not know.
    let other: Verdict = who == .operator ? .done : .forbidden
    #expect(try outcome(for: "b") == other)
    let mine = try scene.page("AuditEvent?patient=a&subtype=update&outcome=4&_summary=count")
    #expect(mine.total == (who == .operator ? 1 : 2))
  }

  @Test("that begins an import is judged and logged before it runs")
  func beginning() throws {
    let scene = try Scene()
    try scene.put(Sample.patient("a"))
    let type = try #require(ResourceType("Observation"))
    let own = try Scene.id("Patient/a")
    try scene.store.perform(
      UntriedWrite(of: type, for: own, by: try Scene.person("a"), isBeginning: true))
    let done = try scene.page("AuditEvent?patient=a&subtype=update&outcome=0&agent=Patient/a")
    #expect(done.matches.count == 1)
    #expect(throws: InteractionError.self) {
      try scene.store.perform(
        UntriedWrite(of: type, for: own, by: try Scene.person("b"), isBeginning: true))
    }
    #expect(try scene.page("AuditEvent?agent=Patient/b&outcome=4").matches.count == 1)
  }
}
