import Dispatch
import FHIRModel
import Synchronization
import Testing

@testable import Access

@Suite("A read that looks at much")
struct LongReadsTests {
  @Test("is done on another thread, and whoever asked goes on; one that looks at little is not")
  func moves() throws {
    let scene = try Self.scene(keyCountAtOnce: 100)
    #expect(try !hasMoved(.read(try Scene.id("Observation/o1")), in: scene))
    #expect(try !hasMoved(try Scene.search("Observation?_count=2&_total=none"), in: scene))
    #expect(try hasMoved(try Scene.search("Observation?_sort=-date&_count=2"), in: scene))
    #expect(try hasMoved(.history(.type(.observation), HistoryQuery()), in: scene))
  }

  @Test(
    "is answered and recorded as if it had not been moved",
    arguments: [
      "Observation?_sort=-date,_id&_count=7", "Observation?patient=a&code=8867-4&_total=accurate",
      "Observation?code:not=1-1&_summary=count", "Patient?name=nobody", "AuditEvent?patient=a",
      "Observation?nonsense=1",
    ])
  func isTheSame(query: String) throws {
    let callers = [
      Scene.operator, try Scene.person("a"), try Scene.app("app", for: "a", "patient/*.rs"),
    ]
    for caller in callers {
      let (moved, still) = (try Self.scene(keyCountAtOnce: 0), try Self.scene(keyCountAtOnce: .max))
      let interaction = try Scene.search(query)
      #expect(
        Self.text(of: submit(interaction, in: moved, by: caller))
          == Self.text(of: submit(interaction, in: still, by: caller)))
      // What the log says of it, the read of the log itself left out.
      let entries = try [moved, still].map { scene in
        try scene.page("AuditEvent?_count=1000").contents.map {
          String(decoding: $0, as: UTF8.self)
        }
      }
      #expect(entries[0] == entries[1])
    }
  }

  @Test("is done before the store is closed")
  func finishes() throws {
    let scene = try Self.scene(keyCountAtOnce: 0)
    let answeredCount = Mutex(0)
    for _ in 0..<20 {
      scene.store.submit(
        AccessRequest([try Scene.search("Observation?_sort=date")], by: Scene.operator)
      ) { _ in
        answeredCount.withLock { $0 += 1 }
      }
    }
    scene.store.finish()
    #expect(answeredCount.withLock(\.self) == 20)
  }

  /// A person with forty Observations and a Consent for `app`.
  private static func scene(keyCountAtOnce: Int) throws -> Scene {
    let scene = try Scene(keyCountAtOnce: keyCountAtOnce)
    try scene.put(Sample.patient("a"), Sample.consent("c", of: "a", Sample.permit("app")))
    for day in 1...40 {
      let date = "2026-\(day < 20 ? 10 : 11)-\(10 + day % 20)"
      try scene.put(Sample.observation("o\(day)", of: "a", effective: date))
    }
    return scene
  }

  /// Whether the answer comes from another thread: it waits there until this one has gone on.
  private func hasMoved(_ interaction: Interaction, in scene: Scene) throws -> Bool {
    let (hasGoneOn, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let hasMoved = Mutex(false)
    scene.store.submit(AccessRequest([interaction], by: Scene.operator)) { _ in
      let isElsewhere = hasGoneOn.wait(timeout: .now() + .milliseconds(500)) == .success
      hasMoved.withLock { $0 = isElsewhere }
      isDone.signal()
    }
    hasGoneOn.signal()
    isDone.wait()
    return hasMoved.withLock(\.self)
  }

  private func submit(
    _ interaction: Interaction, in scene: Scene, by caller: Caller
  ) -> Result<Outcome, any Error>? {
    let isDone = DispatchSemaphore(value: 0)
    let result = Mutex<Result<Outcome, any Error>?>(nil)
    scene.store.submit(AccessRequest([interaction], by: caller)) { answered in
      result.withLock { $0 = answered.first }
      isDone.signal()
    }
    isDone.wait()
    return result.withLock(\.self)
  }

  private static func text(of result: Result<Outcome, any Error>?) -> [String] {
    guard case .success(.searchset(let page)) = result else {
      return ["\(String(describing: result))"]
    }
    return page.contents.map { String(decoding: $0, as: UTF8.self) } + [
      "\(page.total ?? -1)", page.next ?? "",
    ]
  }
}
