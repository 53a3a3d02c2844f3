import Crypto
import FHIRModel
import Testing

@testable import Access

/// - SeeAlso: https://hl7.org/fhir/R4/auditevent.html
@Suite("an AuditEvent")
struct AuditEventTests {
  let scene: Scene
  let app: Caller

  init() throws {
    scene = try Scene()
    app = try Scene.app("app", for: "a", "patient/Observation.cruds patient/Patient.rs")
    try scene.put(
      Sample.patient("a"), Sample.patient("b"), Sample.observation("x", of: "a"),
      Sample.observation("y", of: "b"), Sample.consent("c", of: "a", Sample.permit("app")))
  }

  private func events(_ query: String, by caller: Caller = Scene.operator) throws -> [JSONValue] {
    try scene.page("AuditEvent?" + query, by: caller).contents.map {
      try JSONDocument(parsing: $0).root
    }
  }

  private func last(_ query: String = "") throws -> JSONValue {
    try #require(try events(query + "&_count=1").first)
  }

  private func references(_ event: JSONValue) -> [String] {
    event["entity"]?.elements.compactMap { $0["what"]?["reference"]?.string } ?? []
  }

  @Test("tells who read what, for whom, under which Consent, from where")
  func read() throws {
    #expect(try scene.canRead("Observation/x", app))
    let event = try last()
    #expect(event["action"]?.string == "R")
    #expect(event["outcome"]?.string == "0")
    #expect(event["subtype"]?.elements.map { $0["code"]?.string } == ["read"])
    #expect(event["recorded"]?.string == "2026-11-30T08:00:00.000Z")
    let agents = try #require(event["agent"]).elements.map { $0 }
    #expect(agents.map { $0["who"]?["reference"]?.string } == ["Device/app"])
    #expect(agents.map { $0["requestor"]?.bool } == [true])
    #expect(agents.map { $0["network"]?["address"]?.string } == ["127.0.0.1"])
    #expect(
      references(event) == ["Patient/a", "Observation/x/_history/1", "Consent/c/_history/1"])
  }

  @Test("of a search tells its query and what was shown")
  func search() throws {
    #expect(try scene.found("Observation?code=http://loinc.org%7C8867-4", by: app).count == 1)
    let event = try last()
    #expect(event["action"]?.string == "E")
    #expect(event["subtype"]?.elements.map { $0["code"]?.string } == ["search-type"])
    #expect(
      references(event) == ["Patient/a", "Observation/x/_history/1", "Consent/c/_history/1"])
    let query = event["entity"]?.elements.compactMap { $0["query"]?.string }
    #expect(query == [Array("Observation?code=http://loinc.org%7C8867-4".utf8).base64])
  }

  @Test("of a refusal tells that and why, and shows nothing")
  func refusals() throws {
    #expect(try !scene.canRead("Observation/y", app))
    var event = try last()
    #expect(event["outcome"]?.string == "4")
    #expect(references(event) == ["Patient/a", "Patient/b", "Observation/y"])
    let outside = try Scene.app("app", for: "a", "patient/Condition.rs")
    #expect(try scene.refusal(of: .read(try Scene.id("Observation/x")), by: outside) != nil)
    event = try last()
    #expect(event["outcome"]?.string == "4")
    #expect(event["outcomeDesc"]?.string?.contains("scopes") == true)
    #expect(references(event) == ["Patient/a", "Observation/x"])
  }

  @Test("of a revision tells what it came to")
  func revisions() throws {
    let resource = try Scene.resource(Sample.observation("x", of: "a", code: "1"))
    let query = try Query(parsing: "_id=x", type: resource.type)
    let told = [(mayDelete: false, action: "U", code: "update"), (true, "D", "delete")]
    for (mayDelete, action, code) in told {
      try scene.perform(
        .conditionalRevision(Rewriting(of: resource, mayDelete: mayDelete), matching: query),
        by: app)
      let event = try last()
      #expect(event["action"]?.string == action)
      #expect(event["subtype"]?.elements.map { $0["code"]?.string } == [code])
      #expect(references(event).contains("Patient/a"))
    }
  }

  @Test("of a count is there though nothing was shown")
  func counts() throws {
    #expect(try scene.page("Observation?_summary=count", by: app).total == 1)
    let event = try last("patient=Patient/a&action=E")
    #expect(references(event).contains("Patient/a"))
    _ = try scene.page("Observation?patient=b&_summary=count")
    #expect(references(try last("patient=Patient/b&action=E")) == ["Patient/b"])
  }

  @Test("of a write tells the version, whose it is and the kind")
  func writes() throws {
    let observation = try Scene.resource(Sample.observation("w", of: "a"))
    try scene.perform(.update(observation, if: .none), by: app)
    #expect(
      references(try last("action=U")).prefix(2) == ["Patient/a", "Observation/w/_history/1"])
    try scene.perform(.create(observation, ifNoneExist: nil), by: Scene.operator)
    #expect(references(try last("action=C")).first == "Patient/a")
    try scene.perform(.delete(try Scene.id("Observation/w"), if: .none), by: app)
    #expect(
      references(try last("action=D")).prefix(2) == ["Patient/a", "Observation/w/_history/2"])
  }

  @Test("is a valid one")
  func validity() throws {
    _ = try scene.canRead("Observation/x", app)
    _ = try scene.canRead("Observation/y", app)
    _ = try scene.found("Observation?code=8867-4", by: app)
    _ = try scene.found("Observation?code=8867-4")
    _ = try scene.canRead("Patient/a", try Scene.person("a"))
    let page = try scene.page("AuditEvent?_count=100")
    #expect(page.matches.count > 8)
    for content in page.contents {
      _ = try Resource(parsing: content, expecting: .auditEvent)
    }
  }

  @Test("is found by patient, entity, agent, action, outcome, subtype, date and id")
  func parameters() throws {
    scene.clock.advance(seconds: 60)
    _ = try scene.canRead("Observation/x", app)
    _ = try scene.canRead("Observation/y", app)
    scene.clock.advance(seconds: 60)
    let id = try #require(try last("agent=Device/app")["id"]?.string)
    let table: [(String, Int)] = [
      ("agent=Device/app", 2), ("agent=Device/app&outcome=0", 1), ("agent=app", 2),
      ("agent=app,other&outcome=http://hl7.org/fhir/audit-event-outcome%7C4", 1),
      ("agent=app&outcome=%7C4", 1), ("agent=app&outcome=urn:other%7C4", 0), ("agent=other", 0),
      ("agent=app&subtype=http://hl7.org/fhir/restful-interaction%7Cread", 2),
      ("agent=app&subtype=urn:other%7Cread", 0), ("agent=app&subtype=%7Cread", 0),
      ("entity=x&action=R", 1), ("entity=Observation/x/_history/1&action=R", 1),
      ("agent=Device/app&outcome=4", 1),
      ("agent=Device/app&outcome=0,4", 2), ("agent=Device/app&action=R", 2),
      ("agent=Device/app&action=E", 0), ("entity=Observation/x&action=R", 1),
      ("entity=Observation/y&action=R", 1), ("entity=Observation/y&agent=Device/app&outcome=4", 1),
      ("patient=Patient/a&agent=Device/app", 2), ("patient=a&agent=Device/app", 2),
      ("patient=Patient/b&agent=Device/app", 1), ("patient=Patient/b&action=U", 2),
      ("agent=Device/app&date=2026-11-30", 2), ("agent=Device/app&date=2026-11-29", 0),
      ("action=R&date=ge2026-11-30T08:01:00Z", 2), ("action=R&date=gt2026-11-30T08:01:00Z", 0),
      ("action=U&date=lt2026-11-30T08:01:00Z", 5), ("action=U&date=ge2026-11-30T08:01:00Z", 0),
      ("action=U&date=lt2026-11-30T08:01:00Z&date=ge2026-11-30T08:00:00Z", 5),
      ("subtype=read", 2), ("_id=\(id)", 1), ("_id=\(id),999999", 1),
      ("entity=Consent/c&action=U", 1),
    ]
    for (query, count) in table { #expect(try events(query).count == count, "\(query)") }
  }

  @Test(
    "is not sought by what is no such parameter or value",
    arguments: [
      "code=x", "date=yesterday", "date=ap2026", "patient:missing=true", "_sort=action",
      "_count=-1", "_count=x", "entity=x_", "entity=a/b/c", "_total=some", "outcome=0%7C",
      "_page=AAAA", "_count=1&_count=2", "_sort=date&_sort=-date", "_total=none&_total=accurate",
    ])
  func wrong(query: String) throws {
    #expect(
      try scene.refusal(of: try Scene.search("AuditEvent?" + query), by: Scene.operator) != nil)
  }

  @Test("comes newest first or oldest first, page by page, without what came later")
  func paging() throws {
    for _ in 1...5 { _ = try scene.canRead("Observation/x", app) }
    for order in ["date", "-date"] {
      let all = try events("agent=Device/app&_sort=" + order).compactMap { $0["id"]?.string }
      let numbers = all.compactMap { Int($0) }
      #expect(numbers == numbers.sorted { order == "date" ? $0 < $1 : $0 > $1 })
      var ids: [String] = []
      var page: String?
      repeat {
        let rest = page.map { "&_page=" + $0 } ?? ""
        let found = try scene.page("AuditEvent?agent=Device/app&_sort=\(order)&_count=2" + rest)
        ids += found.matches.map(\.id.id.text)
        page = found.next
        _ = try scene.canRead("Observation/x", app)
      } while page != nil
      #expect(ids == all, "\(order)")
    }
    let next = try #require(try scene.page("AuditEvent?agent=Device/app&_count=2").next)
    #expect(
      try scene.refusal(
        of: try Scene.search("AuditEvent?agent=Device/other&_count=2&_page=" + next),
        by: Scene.operator) == .invalidPage)
    #expect(try scene.page("AuditEvent?agent=Device/app&_count=0&_total=accurate").total == 12)
    #expect(try scene.page("AuditEvent?agent=Device/app&_count=2&_total=accurate").total == 12)
  }

  @Test("is read by the operator and by the person whom it is about, never by an app")
  func readers() throws {
    _ = try scene.canRead("Observation/x", app)
    let id = "AuditEvent/" + (try #require(try last("agent=Device/app")["id"]?.string))
    #expect(try scene.canRead(id, Scene.operator))
    #expect(try scene.canRead(id, try Scene.person("a")))
    #expect(try !scene.canRead(id, try Scene.person("b")))
    #expect(throws: InteractionError.self) {
      try scene.canRead(id, try Scene.app("app", for: "a", "patient/*.cruds"))
    }
    #expect(try events("agent=Device/app&outcome=0", by: try Scene.person("a")).count == 1)
    #expect(try events("agent=Device/app", by: try Scene.person("b")).count == 0)
    #expect(try events("patient=Patient/a", by: try Scene.person("b")).count == 0)
    #expect(try !scene.canRead("AuditEvent/999999", Scene.operator))
    #expect(try !scene.canRead("AuditEvent/x", Scene.operator))
    let first = Interaction.vread(try Scene.id(id), .first)
    #expect(try scene.refusal(of: first, by: Scene.operator) == nil)
    let second = Interaction.vread(try Scene.id(id), VersionID(2))
    #expect(
      try scene.refusal(of: second, by: Scene.operator)
        == .unknownVersion(try Scene.id(id), VersionID(2)))
  }

  @Test(
    "is sought among so many on a page, which says so and goes on",
    arguments: ["-date", "date"])
  func bounded(order: String) throws {
    let limit = AuditEventSearch.examinedCountMaximum
    let patient = try Scene.id("Patient/a")
    try append(2, reading: "Observation/wanted", about: patient)
    try append(limit + 500, reading: "Observation/other", about: try Scene.id("Patient/b"))
    try append(1, reading: "Observation/wanted", about: patient)
    var found = 0
    var pages = 0
    var next = ""
    repeat {
      let page = try scene.page(
        "AuditEvent?entity=Observation/wanted&_count=2&_sort=\(order)\(next)")
      found += page.matches.count
      pages += 1
      if page.next != nil, page.matches.count < 2 {
        #expect(page.warnings.map(\.code) == [.incomplete])
        #expect(page.total == nil)
      }
      next = page.next.map { "&_page=\($0)" } ?? ""
    } while !next.isEmpty && pages < 10
    #expect(found == 3)
    #expect(pages == 2)
    // Asked for by its patient it is found without the others.
    let page = try scene.page("AuditEvent?entity=Observation/wanted&patient=a")
    #expect(page.matches.count == 3 && page.warnings.isEmpty)
    #expect(
      try scene.page("AuditEvent?entity=Observation/wanted&_summary=count").total == 3)
  }

  private func append(_ count: Int, reading id: String, about patient: ResourceID) throws {
    let id = try Scene.id(id)
    var record = LogRecord(
      occurred: scene.clock.now, agent: LogAgent(Scene.operator), interaction: .read,
      type: id.type, target: id)
    record.patients = [patient]
    let entries = Array(repeating: LogDraft(record), count: count)
    try scene.engine.write { transaction in
      try scene.store.log.append(entries, at: scene.clock.now, in: &transaction)
    }
  }
}
