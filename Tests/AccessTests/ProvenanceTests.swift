import FHIRModel
import Testing

@testable import Access

/// - SeeAlso: https://hl7.org/fhir/R4/provenance.html
@Suite("a Provenance")
struct ProvenanceTests {
  let scene: Scene

  init() throws {
    scene = try Scene()
    try scene.put(
      Sample.patient("a"), Sample.patient("b"),
      Sample.consent("c", of: "a", Sample.permit("app")))
  }

  private func provenances(of target: String, by caller: Caller = Scene.operator) throws
    -> [JSONValue]
  {
    try scene.page("Provenance?target=" + target, by: caller).contents.map {
      try JSONDocument(parsing: $0).root
    }
  }

  private func targets(_ provenance: JSONValue) -> [String] {
    provenance["target"]?.elements.compactMap { $0["reference"]?.string } ?? []
  }

  @Test("is written for a request that changes something, and says who, what, when and whence")
  func content() throws {
    let app = try Scene.app("app", for: "a", "patient/*.cruds")
    let resource = try Scene.resource(Sample.observation("x", of: "a"))
    let results = scene.store.perform(
      AccessRequest(
        [.update(resource, if: .none)], by: app, sourceSystem: "urn:kiln:source:com.example.health",
        device: try Scene.id("Device/watch")))
    _ = try results[0].get()
    let found = try #require(try provenances(of: "Observation/x").first)
    #expect(targets(found) == ["Observation/x/_history/1"])
    #expect(found["recorded"]?.string == "2026-11-30T08:00:00.000Z")
    let agents = try #require(found["agent"]).elements.map { $0 }
    #expect(
      agents.map { $0["who"]?["reference"]?.string } == ["Device/app", "Device/watch"])
    #expect(agents[0]["onBehalfOf"]?["reference"]?.string == "Patient/a")
    let entity = try #require(found["entity"]?.elements.first { _ in true })
    #expect(entity["role"]?.string == "source")
    #expect(entity["what"]?["identifier"]?["value"]?.string == "urn:kiln:source:com.example.health")
    #expect(found["activity"]?["coding"]?.elements.map { $0["code"]?.string } == ["CREATE"])
  }

  @Test("keeps the name and the version of the program that handed the content over")
  func program() throws {
    let write = AccessRequest(
      [.update(try Scene.resource(Sample.observation("x", of: "a")), if: .none)],
      by: Scene.operator, sourceSystem: "urn:kiln:source:com.example.health",
      sourceProgram: SourceProgram(name: "Ben’s \"Watch\"", version: "12.1"))
    _ = try scene.store.perform(write)[0].get()
    let found = try #require(try provenances(of: "Observation/x").first)
    let device = try #require(found["contained"]?.elements.first { _ in true })
    #expect(device["resourceType"]?.string == "Device")
    #expect(device["deviceName"]?.elements.map { $0["name"]?.string } == ["Ben’s \"Watch\""])
    #expect(device["version"]?.elements.map { $0["value"]?.string } == ["12.1"])
    let what = try #require(found["entity"]?.elements.first { _ in true }?["what"])
    #expect(what["reference"]?.string == "#" + (device["id"]?.string ?? ""))
    #expect(what["identifier"]?["value"]?.string == "urn:kiln:source:com.example.health")
    // A later program with the same content changes nothing, so there is nothing to tell.
    var later = write
    later.sourceProgram = SourceProgram(name: nil, version: "12.2")
    _ = try scene.store.perform(later)[0].get()
    #expect(try provenances(of: "Observation/x").count == 1)
  }

  @Test("is one for each request, however much it wrote, and none when nothing changed")
  func once() throws {
    let first = try ["x", "y", "z"].map {
      Interaction.update(try Scene.resource(Sample.observation($0, of: "a")), if: .none)
    }
    let count = { try self.scene.page("Provenance?_summary=count").total }
    let before = try #require(try count())
    for expected in [1, 1] {
      let results = scene.store.perform(AccessRequest(first, by: Scene.operator))
      for result in results { _ = try result.get() }
      #expect(try count() == before + expected)
    }
    let found = try #require(try provenances(of: "Observation/y").first)
    #expect(
      targets(found) == [
        "Observation/x/_history/1", "Observation/y/_history/1", "Observation/z/_history/1",
      ])
    try scene.perform(.delete(try Scene.id("Observation/y"), if: .none))
    #expect(try count() == before + 2)
    try scene.perform(.delete(try Scene.id("Observation/y"), if: .none))
    #expect(try count() == before + 2)
  }

  @Test("is seen by the person whom all it tells of belongs to")
  func visibility() throws {
    let own = Interaction.update(
      try Scene.resource(Sample.observation("x", of: "a")), if: .none)
    let theirs = Interaction.update(
      try Scene.resource(Sample.observation("y", of: "b")), if: .none)
    _ = scene.store.perform(AccessRequest([own], by: Scene.operator))
    let person = try Scene.person("a")
    #expect(try provenances(of: "Observation/x", by: person).count == 1)
    #expect(try provenances(of: "Observation/x", by: try Scene.person("b")).count == 0)
    let joint = try Scene.resource(Sample.observation("x", of: "a", code: "1"))
    _ = scene.store.perform(
      AccessRequest([.update(joint, if: .none), theirs], by: Scene.operator))
    #expect(try provenances(of: "Observation/x").count == 2)
    #expect(try provenances(of: "Observation/x", by: person).count == 1)
    #expect(
      try provenances(of: "Observation/x", by: try Scene.app("app", for: "a", "patient/*.rs")).count
        == 1)
    #expect(
      try provenances(of: "Observation/x", by: try Scene.app("z", for: "a", "patient/*.rs")).count
        == 0)
  }

  @Test("of a version that was another's is not shown to whose the resource is now")
  func moved() throws {
    let a = try Scene.person("a")
    let b = try Scene.person("b")
    try scene.put(Sample.observation("x", of: "a"))
    try scene.put(Sample.observation("x", of: "b"))
    let id = try Scene.id("Observation/x")
    for (person, version, other) in [(a, "1", "2"), (b, "2", "1")] {
      let found = try provenances(of: "Observation/x", by: person)
      #expect(found.map(targets) == [["Observation/x/_history/\(version)"]])
      guard
        case .history(let page) = try scene.perform(
          .history(.instance(id), HistoryQuery()), by: person)
      else { throw TestFailure("no history") }
      #expect(page.entries.map { String($0.version.version.number) } == [version])
      let hidden = try #require(VersionID(other))
      #expect(try scene.refusal(of: .vread(id, hidden), by: person) != nil)
      for (read, isSeen) in [(version, true), (other, false)] {
        let all = try scene.page("Provenance").matches.map { $0.id.description }
        let told = try all.first { name in
          targets(try scene.json(name)) == ["Observation/x/_history/\(read)"]
        }
        #expect(try scene.canRead(try #require(told), person) == isSeen)
      }
    }
    let app = try Scene.app("app", for: "a", "patient/*.rs")
    #expect(try provenances(of: "Observation/x", by: app).isEmpty)
  }

  @Test("and an entry come of each of several interactions; one that is refused leaves the others")
  func batch() throws {
    let person = try Scene.person("a")
    let query = Query(type: ResourceType("Observation"), parameters: [])
    let results = scene.store.perform(
      AccessRequest(
        [
          .update(try Scene.resource(Sample.observation("x", of: "a")), if: .none),
          .update(try Scene.resource(Sample.observation("y", of: "b")), if: .none),
          .search(query),
          .update(try Scene.resource(Sample.observation("z", of: "a")), if: .ifExists),
          .delete(try Scene.id("Observation/x"), if: .none),
        ], by: person))
    let outcomes: [String] = results.map { result in
      switch result {
      case .success(.created): "created"
      case .success(.searchset(let page)): "found \(page.matches.count)"
      case .success(.deleted(.some)): "deleted"
      case .success: "other"
      case .failure(InteractionError.forbidden): "forbidden"
      case .failure(InteractionError.versionConflict): "conflict"
      case .failure: "failed"
      }
    }
    #expect(outcomes == ["created", "forbidden", "found 1", "conflict", "deleted"])
    #expect(try !scene.canRead("Observation/y", Scene.operator))
    let entries = try scene.page("AuditEvent?agent=Patient/a&_sort=date").contents.map {
      try JSONDocument(parsing: $0).root
    }
    #expect(entries.map { $0["action"]?.string } == ["U", "U", "E", "U", "D"])
    #expect(entries.map { $0["outcome"]?.string } == ["0", "4", "0", "4", "0"])
    #expect(
      try provenances(of: "Observation/x").map(targets) == [
        ["Observation/x/_history/1", "Observation/x/_history/2"]
      ])
  }
}
