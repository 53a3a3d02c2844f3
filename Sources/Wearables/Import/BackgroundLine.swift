import Dispatch
import Synchronization

/// Pieces of work on a thread of their own, one after the other as they were given, while more are made
/// ready. As few wait as need to, so that memory holds few.
///
/// A piece that throws ends the line: those behind it are dropped.
final class BackgroundLine<Output: Sendable>: Sendable {
  private let state = Mutex(State())
  private let queue: DispatchQueue
  /// Counts the pieces that may still be given.
  private let room: DispatchSemaphore

  private struct State {
    /// What pieces gave and nobody has taken.
    var outputs: [Output] = []
    var failure: (any Error)?
    var isCancelled = false

    var isEnded: Bool { isCancelled || failure != nil }
  }

  /// - Parameters:
  ///   - label: what a debugger calls the thread.
  ///   - waitingCount: how many pieces may wait for the one under way.
  init(_ label: String, waitingCount: Int = 1) {
    queue = DispatchQueue(label: label)
    room = DispatchSemaphore(value: waitingCount + 1)
  }

  /// Gives it a piece; waits while there is no room for it.
  func add(_ work: @escaping @Sendable () throws -> Output) {
    room.wait()
    queue.async { [self] in
      defer { room.signal() }
      guard !state.withLock({ $0.isEnded }) else { return }
      do {
        let output = try work()
        state.withLock { $0.outputs.append(output) }
      } catch {
        state.withLock { $0.failure = error }
      }
    }
  }

  /// What pieces gave since they were asked last, in their order.
  ///
  /// - Throws: what a piece threw, as often as it is asked.
  func take() throws -> [Output] {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      defer { state.outputs = [] }
      return state.outputs
    }
  }

  /// Waits for all pieces.
  ///
  /// - Returns: as `take`.
  func finish() throws -> [Output] {
    queue.sync {}
    return try take()
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Drops what waits, and waits for the piece under way.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    queue.sync {}
  }
}
