import FHIRModel
import Foundation
import KeyValue
import LMDBStorage
import Store
import Synchronization
import Testing

@testable import Access

@Suite("a guarded store on disk")
struct DiskTests {
  @Test("chains what many callers do at once, and each answer has its entry")
  func concurrency() throws {
    let folder = NSTemporaryDirectory() + "kiln-access-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let engine = try LMDBEngine(
      at: folder, tables: ResourceStore.tables + GuardedStore.tables, format: ResourceStore.format,
      options: LMDBOptions(reserveByteCount: 1 << 16, flushes: false))
    defer { engine.close() }
    let scene = try Scene(engine: engine)
    try scene.put(
      Sample.patient("a"), Sample.observation("x", of: "a"),
      Sample.consent("c", of: "a", Sample.permit("app")))
    let app = try Scene.app("app", for: "a", "patient/*.cruds")
    let before = try engine.read { try scene.store.log.head(in: $0).sequence }
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 16) { caller in
      do {
        for turn in 0..<8 {
          try scene.put(Sample.observation("o\(caller)", of: "a", code: "\(turn)"), by: app)
          guard try scene.canRead("Observation/x", app) else { throw TestFailure("not read") }
          _ = try scene.refusal(of: .delete(try Scene.id("Observation/ghost"), if: .none), by: app)
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    let verdict = try engine.read { try scene.store.log.verify(in: $0) }
    guard case .intact(let head) = verdict else { throw TestFailure("\(verdict)") }
    #expect(head.sequence == before + 16 * 8 * 3)
    #expect(try scene.page("AuditEvent?agent=Device/app&outcome=4&_summary=count").total == 128)
    #expect(try scene.page("Provenance?_summary=count").total == 3 + 128)
  }
}
