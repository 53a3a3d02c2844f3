import Dispatch

/// State that a thread of its own works on, a piece at a time, and its owner in between.
///
/// Sendable whatever the state is: only one of the two touches it at a time, for the owner waits for a
/// piece before it looks.
package final class BackgroundState<State>: @unchecked Sendable {
  private var state: State
  private var failure: (any Error)?
  /// Touched by the owner alone.
  private var isUnderWay = false
  private let queue: DispatchQueue
  /// Rises when the piece under way is done.
  private let isDone = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - state: what nobody else holds on to.
  ///   - label: what a debugger calls the thread.
  package init(_ state: State, label: String) {
    self.state = state
    queue = DispatchQueue(label: label)
  }

  /// Begins with a piece.
  ///
  /// - Precondition: the one before is finished.
  package func begin(_ work: @escaping @Sendable (inout State) throws -> Void) {
    precondition(!isUnderWay, "one piece is under way at a time")
    isUnderWay = true
    queue.async { [self] in
      do { try work(&state) } catch { failure = error }
      isDone.signal()
    }
  }

  /// Waits for the piece under way, if there is one.
  ///
  /// - Throws: what it threw.
  package func finish() throws {
    guard isUnderWay else { return }
    isDone.wait()
    isUnderWay = false
    guard let failure else { return }
    self.failure = nil
    throw failure
  }

  /// Lends the state to its owner.
  ///
  /// - Precondition: nothing is under way.
  package func withState<Result>(
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    precondition(!isUnderWay, "the state is another thread's while it works on it")
    return try body(&state)
  }
}
