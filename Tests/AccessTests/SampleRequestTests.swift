import FHIRModel
import KeyValue
import Store
import Testing

@testable import Access

@Suite("Raw samples")
struct SampleRequestTests {
  private func request(_ patient: String, by caller: Caller) throws -> SampleRequest {
    SampleRequest(
      on: SampleTable.Owner(patient: try Scene.id("Patient/" + patient), origin: "apple-health"),
      by: caller)
  }

  private func scene() throws -> Scene {
    let scene = try Scene()
    try scene.put(
      #"{"resourceType":"Patient","id":"ana"}"#, #"{"resourceType":"Patient","id":"ben"}"#)
    return scene
  }

  private let piece = SamplePiece(.samples(metric: "steps", day: 1)) { _ in [1] }

  @Test("are the operator's and each person's own, and no app's")
  func callers() throws {
    let scene = try scene()
    let app = try Scene.app("lunch", for: "ana", "patient/*.cruds")
    let cases: [(Caller, String, Bool)] = [
      (Scene.operator, "ana", true), (try Scene.person("ana"), "ana", true),
      (try Scene.person("ana"), "ben", false), (app, "ana", false), (app, "ben", false),
    ]
    for (caller, patient, isAllowed) in cases {
      let request = try request(patient, by: caller)
      let works: [() throws -> Void] = [
        { _ = try scene.store.keep([piece], request) },
        {
          try scene.store.samples(request) { _ in
          } _: { _, _, _ in
          }
        },
        { _ = try scene.store.removeSamples(request) },
      ]
      for work in works {
        if isAllowed {
          try work()
        } else {
          #expect(throws: InteractionError.self) { try work() }
        }
      }
    }
  }

  @Test("are kept in one commit, and count what changed")
  func keeping() throws {
    let scene = try scene()
    let request = try request("ana", by: Scene.operator)
    let other = SamplePiece(.samples(metric: "steps", day: 2)) { ($0 ?? []) + [2] }
    #expect(try scene.store.keep([piece, other], request) == 2)
    #expect(try scene.store.keep([piece, other], request) == 1)
    struct Broken: Error {}
    let broken = SamplePiece(.rule) { _ in throw Broken() }
    #expect(throws: Broken.self) { try scene.store.keep([other, broken], request) }
    var seen: [String] = []
    try scene.store.samples(request) {
      #expect($0 == nil)
    } _: {
      seen.append("\($0) \($1) \($2)")
    }
    #expect(seen == ["steps 1 [1]", "steps 2 [2, 2]"])
  }

  @Test("leave an entry in the person's log for each access, permitted or refused")
  func logged() throws {
    let scene = try scene()
    let before = try scene.found("AuditEvent?patient=ana").count
    let own = try request("ana", by: Scene.operator)
    _ = try scene.store.keep([piece], own)
    try scene.store.samples(own) { _ in
    } _: { _, _, _ in
    }
    _ = try scene.store.removeSamples(own)
    let app = try request("ana", by: try Scene.app("lunch", for: "ana", "patient/*.cruds"))
    #expect(throws: InteractionError.self) { try scene.store.keep([piece], app) }
    // The first search of the log is in it too.
    #expect(try scene.found("AuditEvent?patient=ana").count == before + 5)
    #expect(try scene.found("AuditEvent?patient=ana&outcome=4").count == 1)
  }
}
