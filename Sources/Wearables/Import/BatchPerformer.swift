import Dispatch
import FHIRModel
import Synchronization

/// Performs an import's batches, one at a time and in their order, on a thread of its own, so that
/// the next one is made meanwhile.
struct BatchPerformer {
  typealias Results = [Result<Outcome, any Error>]

  private let perform: AppleHealthImport.Perform
  private let queue = DispatchQueue(label: "kiln.import.batches")
  /// Rises when the batch under way is done.
  private let isDone = DispatchSemaphore(value: 0)
  private let outcome = Handed()
  private var isUnderWay = false

  /// What the thread hands over.
  private final class Handed: Sendable {
    let results = Mutex<Result<Results, any Error>>(.success([]))
  }

  init(_ perform: @escaping AppleHealthImport.Perform) { self.perform = perform }

  /// Begins with a batch.
  ///
  /// - Precondition: the one before is finished.
  mutating func begin(_ batch: ImportBatch) {
    precondition(!isUnderWay, "one batch is performed at a time")
    isUnderWay = true
    queue.async { [perform, outcome, isDone] in
      let results = Result { try perform(batch) }
      outcome.results.withLock { $0 = results }
      isDone.signal()
    }
  }

  /// Waits for the batch under way.
  ///
  /// - Returns: what became of it; nothing if there is none.
  /// - Throws: what it failed with.
  mutating func finish() throws -> Results {
    guard isUnderWay else { return [] }
    isDone.wait()
    isUnderWay = false
    return try outcome.results.withLock { $0 }.get()
  }
}
