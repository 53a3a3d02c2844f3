import FHIRModel
import KeyValue
import Store
import Synchronization
import Testing

@testable import Access

/// An engine whose writer works when the test says so, and fails when the test says so.
final class SteppingEngine: Engine {
  private let inner = MemoryEngine(tables: ResourceStore.tables + GuardedStore.tables)
  private let waiting = Mutex<[Change]>([])
  private let failure = Mutex<StorageError?>(nil)
  private let readFailure = Mutex<StorageError?>(nil)
  private let isStepping = Mutex(false)

  func step(by steps: Bool) { isStepping.withLock { $0 = steps } }
  func fail(with error: StorageError?) { failure.withLock { $0 = error } }
  func failReads(with error: StorageError?) { readFailure.withLock { $0 = error } }
  var waitingCount: Int { waiting.withLock { $0.count } }

  /// Performs what waits; what comes meanwhile waits for the next step.
  func step() {
    let changes = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for change in changes { run(change) }
  }

  private func run(_ change: Change) {
    if let failure = failure.withLock({ $0 }) { return change.completion(.failure(failure)) }
    inner.submit(change)
  }

  func submit(_ change: Change) {
    if isStepping.withLock({ $0 }) {
      waiting.withLock { $0.append(change) }
    } else {
      run(change)
    }
  }

  func read<Result>(_ body: (borrowing Reader) throws -> Result) throws -> Result {
    if let failure = readFailure.withLock({ $0 }) { throw failure }
    return try inner.read(body)
  }

  func write<Result>(_ body: (inout WriteTransaction) throws -> Result) throws -> Result {
    try inner.write(body)
  }

  var latestCommit: Commit { get throws { try inner.latestCommit } }

  func releasePages(over byteCount: Int) { inner.releasePages(over: byteCount) }

  func close() { inner.close() }
}

@Suite("an answer and its log entry")
struct LogBufferTests {
  let engine = SteppingEngine()

  private func scene(_ policy: LogPolicy) throws -> Scene {
    let scene = try Scene(engine: engine, logPolicy: policy)
    try scene.put(Sample.patient("a"), Sample.observation("x", of: "a"))
    return scene
  }

  /// Reads without waiting; the answers come into the list.
  private func read(_ scene: Scene, into answers: Answers) throws {
    let interaction = Interaction.read(try Scene.id("Observation/x"))
    scene.store.submit(AccessRequest([interaction], by: Scene.operator)) { results in
      answers.append(results[0])
    }
  }

  final class Answers: Sendable {
    private let results = Mutex<[Result<Outcome, any Error>]>([])
    func append(_ result: Result<Outcome, any Error>) { results.withLock { $0.append(result) } }
    var count: Int { results.withLock { $0.count } }
    var errors: [InteractionError] {
      results.withLock { $0 }.compactMap { result in
        if case .failure(let error) = result { error as? InteractionError } else { nil }
      }
    }
  }

  private func logCount(_ scene: Scene) throws -> UInt64 {
    try engine.read { try scene.store.log.head(in: $0).sequence }
  }

  @Test("leave together: the answer waits until the entry is durable")
  func held() throws {
    let scene = try scene(.beforeAnswer)
    let before = try logCount(scene)
    engine.step(by: true)
    let answers = Answers()
    for _ in 1...5 { try read(scene, into: answers) }
    #expect(answers.count == 0)
    // All five are in one change, since none was under way when the first came.
    #expect(engine.waitingCount == 1)
    engine.step()
    #expect(answers.count == 5)
    #expect(answers.errors == [])
    #expect(try logCount(scene) == before + 5)
    #expect(engine.waitingCount == 0)
  }

  @Test("that can't be written isn't answered")
  func unlogged() throws {
    let scene = try scene(.beforeAnswer)
    let before = try logCount(scene)
    engine.fail(with: .full)
    let answers = Answers()
    try read(scene, into: answers)
    #expect(answers.errors == [.unlogged])
    engine.fail(with: nil)
    try read(scene, into: answers)
    #expect(answers.errors.count == 1)
    #expect(answers.count == 2)
    #expect(try logCount(scene) == before + 1)
  }

  @Test("leave at once when entries are buffered, until one can't be written")
  func buffered() throws {
    let scene = try scene(.buffered)
    let before = try logCount(scene)
    let answers = Answers()
    for _ in 1...3 { try read(scene, into: answers) }
    #expect(answers.count == 3)
    #expect(try logCount(scene) == before)
    engine.fail(with: .full)
    scene.store.flushLog()
    #expect(try logCount(scene) == before)
    try read(scene, into: answers)
    #expect(answers.errors == [.unlogged])
    engine.fail(with: nil)
    try read(scene, into: answers)
    #expect(answers.errors.count == 1)
    // The three that were kept, and the one that waited for them.
    #expect(try logCount(scene) == before + 4)
    try read(scene, into: answers)
    scene.store.flushLog()
    #expect(try logCount(scene) == before + 5)
    #expect(try engine.read { try scene.store.log.verify(in: $0) } != .headNotFound(.empty))
  }

  @Test("of a read for which no place is left: unavailable, and logged as the server's failure")
  func noPlace() throws {
    let scene = try scene(.beforeAnswer)
    let before = try logCount(scene)
    let answers = Answers()
    engine.failReads(with: .tooManyReaders)
    try read(scene, into: answers)
    engine.failReads(with: nil)
    #expect(answers.errors == [.unavailable(reason: "too many read the store at once")])
    #expect(try logCount(scene) == before + 1)
    #expect(try scene.page("AuditEvent?outcome=8").matches.count == 1)
  }

  @Test("of a write that doesn't fit: 507, and logged if the log still has room")
  func full() throws {
    let scene = try scene(.beforeAnswer)
    let before = try logCount(scene)
    engine.step(by: true)
    let answers = Answers()
    let patient = try Scene.resource(Sample.patient("b"))
    scene.store.submit(
      AccessRequest([.update(patient, if: .none)], by: Scene.operator)
    ) { answers.append($0[0]) }
    engine.fail(with: .full)
    engine.step()
    #expect(answers.count == 0)
    engine.fail(with: nil)
    engine.step()
    #expect(answers.errors == [.storageFull])
    #expect(try logCount(scene) == before + 1)
    engine.step(by: false)
    let entry = try #require(try scene.page("AuditEvent?outcome=8").contents.first)
    #expect(String(decoding: entry, as: UTF8.self).contains("Patient/b"))
  }

  @Test("is made before the entry is durable, leaves after it, and never if it can't be written")
  func preparing() throws {
    let scene = try scene(.beforeAnswer)
    let events = Mutex<[String]>([])
    func ask() throws {
      let interaction = Interaction.read(try Scene.id("Observation/x"))
      scene.store.prepare(answerTo: AccessRequest([interaction], by: Scene.operator)) { results in
        let word = if case .success = results[0] { "found" } else { "refused" }
        events.withLock { $0.append("\(word) made") }
        return { events.withLock { $0.append("\(word) left") } }
      }
    }
    engine.step(by: true)
    try ask()
    #expect(events.withLock(\.self) == ["found made"])
    engine.step()
    #expect(events.withLock(\.self) == ["found made", "found left"])
    try ask()
    engine.fail(with: .full)
    engine.step()
    #expect(
      events.withLock { Array($0.dropFirst(2)) } == ["found made", "refused made", "refused left"])
  }
}
