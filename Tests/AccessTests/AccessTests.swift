import FHIRModel
import Testing

@testable import Access

@Suite("Access")
struct AccessTests {
  @Test("an app sees what its patient permits it, and nothing else")
  func consent() throws {
    let scene = try Scene()
    try scene.put(
      Sample.patient("a"), Sample.patient("b"), Sample.observation("mine", of: "a"),
      Sample.observation("theirs", of: "b"))
    let app = try Scene.app("app", for: "a", "patient/*.rs")
    #expect(try !scene.canRead("Observation/mine", app))
    #expect(try scene.found("Observation?code=8867-4", by: app) == [])

    try scene.put(Sample.consent("c", of: "a", Sample.permit("app")))
    #expect(try scene.canRead("Observation/mine", app))
    #expect(try scene.canRead("Patient/a", app))
    #expect(try !scene.canRead("Observation/theirs", app))
    #expect(try !scene.canRead("Patient/b", app))
    #expect(try scene.found("Observation?code=8867-4", by: app) == ["Observation/mine"])
    #expect(try scene.page("Observation?_summary=count", by: app).total == 1)

    let other = try Scene.app("other", for: "a", "patient/*.rs")
    #expect(try !scene.canRead("Observation/mine", other))

    try scene.put(Sample.consent("c", of: "a", Sample.permit("app"), status: "inactive"))
    #expect(try !scene.canRead("Observation/mine", app))
  }

  @Test("what is about another patient too is not shown to an app, whatever one of them permits")
  func shared() throws {
    let scene = try Scene()
    try scene.put(
      Sample.patient("b"),
      #"{"resourceType":"Patient","id":"a","link":[{"other":{"reference":"Patient/b"},"type":"seealso"}]}"#,
      #"{"resourceType":"Observation","id":"o","status":"final","code":{"text":"x"},"#
        + #""subject":{"reference":"Patient/b"},"performer":[{"reference":"Patient/a"}]}"#,
      Sample.consent("c", of: "a", Sample.permit("app")))
    let app = try Scene.app("app", for: "a", "patient/*.rs")
    #expect(try !scene.canRead("Observation/o", app))
    #expect(try scene.found("Observation?performer=Patient/a", by: app) == [])
    #expect(try scene.page("Observation?_summary=count", by: app).total == 0)
    #expect(try scene.canRead("Patient/a", app))
    // Both persons see it: it lies in the compartment of each.
    #expect(try scene.canRead("Observation/o", try Scene.person("a")))
    #expect(try scene.canRead("Observation/o", try Scene.person("b")))
  }

  @Test("an operator's search over several persons is logged for each of them, with their part")
  func operatorsSearch() throws {
    let scene = try Scene()
    try scene.put(
      Sample.patient("a"), Sample.patient("b"), Sample.observation("x", of: "a"),
      Sample.observation("y", of: "b"))
    #expect(try scene.found("Observation?code=8867-4&_sort=_id").count == 2)
    let entry = try #require(
      try scene.page("AuditEvent?action=E&_count=1", by: try Scene.person("a")).contents.first)
    let text = String(decoding: entry, as: UTF8.self)
    #expect(text.contains("Observation/x/_history/1"))
    #expect(!text.contains("Observation/y"))
    #expect(!text.contains("Patient/b"))
  }
}
