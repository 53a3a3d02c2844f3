import FHIRModel
import Testing

@testable import Access

/// Whose data was tried finds that in their own log; who tried learns nothing by it.
@Suite("a refused access")
struct RefusedAccessTests {
  /// What is tried, on an id.
  struct Attempt: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Whether it is answered alike, whether or not something stands there.
    var isBlind = true
    let interaction: @Sendable (_ id: String) throws -> Interaction
  }

  private static func own(_ id: String) throws -> Resource {
    try Scene.resource(Sample.observation(id, of: "b", code: "1"))
  }

  static let attempts: [Attempt] = [
    Attempt(testDescription: "read") { .read(try Scene.id("Observation/" + $0)) },
    Attempt(testDescription: "vread") { .vread(try Scene.id("Observation/" + $0), .first) },
    Attempt(testDescription: "history") {
      .history(.instance(try Scene.id("Observation/" + $0)), HistoryQuery())
    },
    Attempt(testDescription: "delete") { .delete(try Scene.id("Observation/" + $0), if: .none) },
    Attempt(testDescription: "update", isBlind: false) { .update(try own($0), if: .none) },
    Attempt(testDescription: "update of a version", isBlind: false) {
      .update(try own($0), if: .ifMatch([.first]))
    },
    Attempt(testDescription: "conditional update under its id", isBlind: false) {
      .conditionalUpdate(
        try own($0), matching: try RulesTests.query("Observation?code=none"), if: .none)
    },
    Attempt(testDescription: "creation for the other", isBlind: false) { _ in
      .create(try Scene.resource(Sample.observation("x", of: "a")), ifNoneExist: nil)
    },
  ]

  static let callers = ["person", "app"]

  private func scene() throws -> Scene {
    let scene = try Scene()
    try scene.put(
      Sample.patient("a"), Sample.patient("b"), Sample.observation("theirs", of: "a"),
      Sample.consent("c", of: "b", Sample.permit("app")))
    return scene
  }

  private func caller(_ name: String) throws -> Caller {
    name == "app" ? try Scene.app("app", for: "b", "patient/*.cruds") : try Scene.person("b")
  }

  /// The entries of a person's log about what this caller asked, without what differs from one to
  /// the next, oldest first.
  private func log(of person: String, by caller: Caller, in scene: Scene) throws -> [JSONValue] {
    let agent = try #require(caller.principal.reference)
    let search = "AuditEvent?_sort=date&_count=1000&agent=\(agent)"
    return try scene.page(search, by: try Scene.person(person)).contents.map {
      try JSONDocument(parsing: $0).root
    }
  }

  private func entities(_ event: JSONValue) -> [String] {
    event["entity"]?.elements.compactMap { $0["what"]?["reference"]?.string } ?? []
  }

  @Test("stands in the log of whose data was tried", arguments: attempts, callers)
  func isSeen(attempt: Attempt, name: String) throws {
    let scene = try scene()
    let caller = try caller(name)
    #expect(try scene.refusal(of: try attempt.interaction("theirs"), by: caller) != nil)
    let found = try log(of: "a", by: caller, in: scene)
    #expect(found.count == 1)
    let event = try #require(found.first)
    #expect(event["outcome"]?.string == "4")
    #expect(event["outcomeDesc"]?.string == "not permitted")
    #expect(entities(event).contains("Patient/a") && !entities(event).contains("Patient/b"))
    let agent = try #require(caller.principal.reference)
    #expect(try scene.page("AuditEvent?patient=a&agent=\(agent)").matches.count == 1)
  }

  @Test("shows in the caller's log as one of nothing does", arguments: attempts, callers)
  func isBlind(attempt: Attempt, name: String) throws {
    guard attempt.isBlind else { return }
    let scene = try scene()
    let caller = try caller(name)
    var seen: [[String?]] = []
    for id in ["theirs", "ghost"] {
      let refusal = try scene.refusal(of: try attempt.interaction(id), by: caller)
      #expect(refusal == .notFound(try Scene.id("Observation/" + id)))
      let event = try #require(try log(of: "b", by: caller, in: scene).last)
      let described = entities(event).map { $0.replacing(id, with: "ID") }
      seen.append(described + [event["outcome"]?.string, event["outcomeDesc"]?.string])
    }
    #expect(seen[0] == seen[1])
    #expect(seen[0].contains("Patient/b") && !seen[0].contains("Patient/a"))
  }

  @Test("by a search that names the other stands in both logs", arguments: callers)
  func search(name: String) throws {
    let scene = try scene()
    let caller = try caller(name)
    for asked in [
      "Observation?patient=a", "Observation?subject=Patient/nobody,Patient/a",
      "Observation?patient=Patient/a/_history/1",
    ] {
      #expect(try scene.found(asked, by: caller).isEmpty)
    }
    let theirs = try log(of: "a", by: caller, in: scene)
    #expect(theirs.count == 3)
    for event in theirs {
      #expect(!entities(event).contains("Patient/b"))
      // What else was asked is the caller's own affair.
      let query = event["entity"]?.elements.compactMap { $0["query"]?.string } ?? []
      #expect(query == ["T2JzZXJ2YXRpb24/"])
    }
    let own = try log(of: "b", by: caller, in: scene)
    #expect(own.count == 3 && own.allSatisfy { !entities($0).contains("Patient/a") })
    // Of a patient whom nobody admitted there is nothing to be found later.
    try scene.put(Sample.patient("nobody"))
    #expect(try log(of: "nobody", by: caller, in: scene).isEmpty)
    #expect(try scene.engine.read { try scene.store.log.verify(in: $0) }.isIntact)
  }
}

extension LogVerification {
  fileprivate var isIntact: Bool {
    if case .intact = self { true } else { false }
  }
}
