import Dispatch
import Synchronization

extension Engine {
  /// Queues `body` like `submit` and waits until its commit is durable.
  ///
  /// Must not be called from a completion: the writer would wait for itself.
  ///
  /// - Throws: `StorageError`, and what `body` throws; then nothing of it is kept.
  package func write<Result: Sendable>(
    _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
  ) throws -> Result {
    let answer = Answer<Result>()
    submit(
      Change(
        perform: { transaction in
          let value = try body(&transaction)
          answer.value.withLock { $0 = value }
        },
        completion: { committed in
          answer.committed.withLock { $0 = committed }
          answer.isReady.signal()
        }))
    answer.isReady.wait()
    guard let committed = answer.committed.withLock({ $0 }) else {
      preconditionFailure("a completion runs once, with a result")
    }
    _ = try committed.get()
    guard let value = answer.value.withLock({ $0 }) else {
      preconditionFailure("a change that was committed was performed")
    }
    return value
  }
}

/// What a waiting caller and the writer share.
private final class Answer<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
  let committed = Mutex<Swift.Result<Commit, any Error>?>(nil)
  let isReady = DispatchSemaphore(value: 0)
}
