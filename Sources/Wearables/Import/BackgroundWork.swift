import Dispatch
import Synchronization

/// Work of an import on a thread of its own, one piece at a time, while what follows is made ready.
struct BackgroundWork<Output: Sendable> {
  private let queue: DispatchQueue
  /// Rises when the piece under way is done.
  private let isDone = DispatchSemaphore(value: 0)
  private let handed = Handed()
  private var isUnderWay = false

  /// What the thread hands over.
  private final class Handed: Sendable {
    let output = Mutex<Result<Output, any Error>?>(nil)
  }

  /// - Parameter label: what a debugger calls the thread.
  init(_ label: String) { queue = DispatchQueue(label: label) }

  /// Begins with a piece.
  ///
  /// - Precondition: the one before is finished.
  mutating func begin(_ work: @escaping @Sendable () throws -> Output) {
    precondition(!isUnderWay, "one piece is under way at a time")
    isUnderWay = true
    queue.async { [handed, isDone] in
      let output = Result { try work() }
      handed.output.withLock { $0 = output }
      isDone.signal()
    }
  }

  /// Waits for the piece under way.
  ///
  /// - Returns: what it gave; `nil` if there is none.
  /// - Throws: what it threw.
  mutating func finish() throws -> Output? {
    guard isUnderWay else { return nil }
    isDone.wait()
    isUnderWay = false
    let output = handed.output.withLock {
      let output = $0
      $0 = nil
      return output
    }
    return try output?.get()
  }
}
