import Access
import FHIRModel
import Foundation
import Kiln
import LMDBStorage
import Store
import Synchronization

/// Durable conditional updates, and bare LMDB committing the same writes in groups of the same size.
struct BenchUpdates {
  let folder: String
  private static let clientCount = 64

  /// Records what updates write, then commits the same again to a copy without a store above it.
  ///
  /// - Returns: the documents a second of the bare commits, and the documents in a group.
  func bareRate(_ updates: [BenchReads.Update], seconds: Double) throws -> (Double, Double) {
    let copies = try (0..<2).map { try copy(to: folder + "-copy\($0)") }
    defer { for copy in copies { try? FileManager.default.removeItem(atPath: copy) } }
    let (groups, documentCount) = try record(in: copies[0], updates, seconds: seconds)
    let engine = try LMDBEngine(
      at: copies[1], tables: Assembly.tables, format: ResourceStore.format)
    defer { engine.close() }
    let start = ContinuousClock.now
    for group in groups {
      try engine.write { transaction in
        for write in group { try write.perform(in: &transaction) }
      }
    }
    let duration = (ContinuousClock.now - start).inSeconds
    return (
      Double(documentCount) / duration, Double(documentCount) / Double(max(groups.count, 1))
    )
  }

  private func copy(to copy: String) throws -> String {
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    let assembly = try Assembly.open(folder)
    defer { assembly.close() }
    try assembly.disk?.backup(to: copy + "/data.mdb")
    return copy
  }

  private func record(
    in folder: String, _ updates: [BenchReads.Update], seconds: Double
  ) throws -> ([[RecordedWrite]], Int) {
    let engine = RecordingEngine(
      try LMDBEngine(at: folder, tables: Assembly.tables, format: ResourceStore.format))
    let assembly = try Assembly(over: engine)
    defer { assembly.close() }
    let end = ContinuousClock.now + .milliseconds(Int(seconds * 1000))
    let counts = try Clients.run(count: Self.clientCount) { client in
      var count = 0
      while ContinuousClock.now < end {
        let update = updates[(client + count * Self.clientCount) % updates.count]
        let value = "62.\(client)\(count)1"
        let results = assembly.guarded.perform(
          AccessRequest(
            [try update.interaction(value: value)], by: Caller(.operator(name: "kiln bench"))))
        _ = try results[0].get()
        count += 1
      }
      return count
    }
    return (engine.recorded(), counts.reduce(0, +))
  }
}

/// Callers that wait for each answer before they ask again, each on a thread of its own.
enum Clients {
  static func run(count: Int, _ body: @escaping @Sendable (Int) throws -> Int) throws -> [Int] {
    let results = Collected()
    let threads = (0..<count).map { number in
      let thread = Thread { results.add(Result { try body(number) }) }
      thread.start()
      return thread
    }
    return try results.wait(for: threads.count)
  }
}

/// What threads hand over.
private final class Collected: Sendable {
  private let isAdded = DispatchSemaphore(value: 0)
  private let results = Mutex<[Result<Int, any Error>]>([])

  func add(_ result: Result<Int, any Error>) {
    results.withLock { $0.append(result) }
    isAdded.signal()
  }

  func wait(for count: Int) throws -> [Int] {
    for _ in 0..<count { isAdded.wait() }
    return try results.withLock { $0 }.map { try $0.get() }
  }
}
