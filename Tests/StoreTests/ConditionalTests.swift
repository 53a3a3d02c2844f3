import FHIRModel
import KeyValue
import Store
import Synchronization
import Testing

@Suite("a conditional interaction")
struct ConditionalTests {
  private func query(_ value: String) throws -> Query {
    try Query.reading("Patient?identifier=urn:k|\(value)")
  }

  @Test("creates once, and answers the one it finds")
  func create() throws {
    let fixture = try Fixture(.memory)
    let patient = try Resource.patient(family: "One", identifier: "x")
    let first = try fixture.perform(.create(patient, ifNoneExist: query("x")))
    #expect(first.kind == "created")
    let second = try fixture.perform(.create(patient, ifNoneExist: query("x")))
    #expect(second.kind == "unchanged")
    #expect(try first.version == second.version)
    #expect(try fixture.history(.type(patient.type)).entries.count == 1)
  }

  @Test(
    "finds by an identifier in each of the forms that a search knows",
    arguments: [
      ("urn:k|x", true), ("urn:k|y", false), ("x", true), ("|x", false), ("urn:other|x", false),
      ("urn:k|", true), ("urn:k|y,urn:k|x", true), ("urn:k|a\\,b", false), ("urn:k|X", false),
    ])
  func forms(value: String, isFound: Bool) throws {
    let fixture = try Fixture(.memory)
    _ = try fixture.perform(
      .create(try .patient(family: "One", identifier: "x"), ifNoneExist: nil))
    let query = Query(
      type: ResourceType("Patient"),
      parameters: [QueryParameter(name: "identifier", value: value)])
    let outcome = try fixture.perform(
      .create(try .patient(family: "Two", identifier: "z"), ifNoneExist: query))
    #expect(outcome.kind == (isFound ? "unchanged" : "created"))
  }

  // The list under https://hl7.org/fhir/R4/http.html#cond-update.
  @Test("updates as R4's list of matches and ids says")
  func update() throws {
    let fixture = try Fixture(.memory)
    func update(_ id: String?, _ family: String) throws -> Outcome {
      try fixture.perform(
        .conditionalUpdate(
          .patient(id, family: family, identifier: "x"), matching: query("x"), if: .none))
    }
    let made = try update(nil, "One")
    #expect(made.kind == "created")
    #expect(try made.version.id == id("Patient/made-1"))
    #expect(try update(nil, "Two").kind == "updated")
    #expect(try update("made-1", "Three").kind == "updated")
    #expect(try update(nil, "Three").kind == "unchanged")
    #expect(
      throws: InteractionError.idMismatch(
        expected: LogicalID("made-1")!, found: LogicalID("other")!)
    ) { try update("other", "Four") }
    #expect(
      try fixture.perform(
        .conditionalUpdate(
          .patient("own", family: "Y", identifier: "y"), matching: query("y"), if: .none)
      ).version.id == id("Patient/own"))
    // Nothing matches, but the id is another's.
    #expect(throws: InteractionError.versionConflict(try id("Patient/own"), current: .first)) {
      try fixture.perform(
        .conditionalUpdate(
          .patient("own", family: "Z", identifier: "z"), matching: query("z"), if: .none))
    }
  }

  @Test("is refused when several match, and nothing is written")
  func several() throws {
    let fixture = try Fixture(.memory)
    for name in ["a", "b", "c"] {
      try fixture.perform(.update(.patient(name, family: name, identifier: "x"), if: .none))
    }
    for write: Interaction in [
      .create(try .patient(family: "New", identifier: "x"), ifNoneExist: try query("x")),
      .conditionalUpdate(
        try .patient(family: "New", identifier: "x"), matching: try query("x"), if: .none),
      .conditionalRevision(
        Renaming(to: try .patient(family: "New", identifier: "x")), matching: try query("x")),
      .conditionalDelete(matching: try query("x")),
    ] {
      #expect(throws: InteractionError.multipleMatches(count: 2)) { try fixture.perform(write) }
    }
    #expect(try fixture.history(.system).entries.count == 3)
  }

  @Test("revises the one that matches, makes one if none does, and deletes it if nothing is left")
  func revision() throws {
    let fixture = try Fixture(.memory)
    func revise(_ family: String?) throws -> Outcome {
      let next = try family.map { try Resource.patient(family: $0, identifier: "x") }
      return try fixture.perform(
        .conditionalRevision(Renaming(to: next), matching: query("x")))
    }
    #expect(try revise(nil).kind == "nothing deleted")
    #expect(try revise("One").kind == "created")
    #expect(try revise("Two").kind == "updated")
    #expect(try revise("Two").kind == "unchanged")
    #expect(try revise("kept").kind == "unchanged")
    #expect(try revise(nil).kind == "deleted")
    // What was deleted doesn't stand: there is nothing to keep.
    #expect(try revise("kept").kind == "created")
    let type = try #require(ResourceType("Patient"))
    #expect(try fixture.history(.type(type)).entries.count == 4)
    #expect(try fixture.integrity().differences == [])
  }

  @Test("deletes the one that matches, and nothing if none does")
  func delete() throws {
    let fixture = try Fixture(.memory)
    try fixture.perform(.update(.patient("a", family: "One", identifier: "x"), if: .none))
    #expect(try fixture.perform(.conditionalDelete(matching: query("y"))).kind == "nothing deleted")
    #expect(try fixture.perform(.conditionalDelete(matching: query("x"))).kind == "deleted")
    #expect(try fixture.perform(.conditionalDelete(matching: query("x"))).kind == "nothing deleted")
  }

  @Test("without a condition, or with one that isn't understood, is refused")
  func noCondition() throws {
    let fixture = try Fixture(.memory)
    try fixture.perform(.update(.patient("a", family: "One"), if: .none))
    for text in ["Patient", "Patient?_count=1", "Patient?nosuch=1"] {
      #expect(throws: InteractionError.self) {
        try fixture.perform(.conditionalDelete(matching: try Query.reading(text)))
      }
    }
    #expect(try fixture.found("Patient?family=One") == ["Patient/a"])
  }

  @Test("from 64 callers at once makes one resource", arguments: Bench.EngineKind.allCases)
  func race(kind: Bench.EngineKind) throws {
    let fixture = try Fixture(kind)
    let (store, engine) = (fixture.store, fixture.bench.engine)
    let callerCount = 64
    let outcomes = Mutex<[String]>([])
    let threads = try (0..<callerCount).map { caller in
      let write = Interaction.conditionalUpdate(
        try .patient(family: "Version \(caller % 4)", identifier: "same"),
        matching: try query("same"), if: .none)
      return Caller {
        let outcome = try? engine.write { transaction in
          try store.perform(write, in: &transaction) { _ in }
        }
        outcomes.withLock { $0.append(outcome?.kind ?? "failed") }
      }
    }
    for thread in threads { thread.start() }
    for thread in threads { thread.wait() }
    let kinds = outcomes.withLock { $0 }
    #expect(kinds.count == callerCount)
    #expect(kinds.filter { $0 == "created" }.count == 1)
    #expect(!kinds.contains("failed"))
    let type = try #require(ResourceType("Patient"))
    let history = try fixture.history(.type(type), HistoryQuery(count: 100)).entries
    #expect(Set(history.map(\.version.id)).count == 1)
    #expect(history.count == kinds.filter { $0 != "unchanged" }.count)
    #expect(try fixture.integrity().differences == [])
  }
}

/// Puts one patient in the place of another, or leaves the one that stands if it is called `kept`.
private struct Renaming: Revision {
  let next: Resource?

  init(to next: Resource?) { self.next = next }

  var type: ResourceType { ResourceType.patients }
  var mayDelete: Bool { next == nil }

  func revised(_ current: Resource?) -> Resource? {
    let names = next?.document.root["name"].map { Array($0.elements) }
    let isKept = names?.first?["family"]?.string == "kept"
    return isKept ? current ?? next : next
  }
}

extension ResourceType {
  fileprivate static let patients: ResourceType = {
    guard let type = ResourceType("Patient") else { preconditionFailure("R4 has the type") }
    return type
  }()
}
