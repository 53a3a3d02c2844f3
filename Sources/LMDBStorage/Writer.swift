import KeyValue

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The one thread that writes: it takes what waits, has it committed together and reports.
///
/// A write transaction must begin and end on one thread (lmdb.h, mdb_txn_begin), so all of them do
/// so on this one.
final class Writer: Sendable {
  private struct Queue {
    var changes: [Change] = []
    var isStopping = false
    var isStopped = false
    var thread: pthread_t?
  }

  private let queue = Monitor(Queue())
  private let environment: Environment

  /// After so many groups the places of readers that died are given back.
  private static let groupsBetweenReaderChecks = 1024

  init(_ environment: Environment) { self.environment = environment }

  func start() throws {
    var thread = pthread_t()
    let writer = unsafe Unmanaged.passRetained(self)
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Writer>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, writer.toOpaque())
    guard code == 0 else {
      unsafe writer.release()
      throw StorageError(code: code, call: "pthread_create")
    }
    pthread_detach(thread)
  }

  func submit(_ change: Change) {
    let isTaken = queue.signal { queue in
      guard !queue.isStopping else { return false }
      queue.changes.append(change)
      return true
    }
    if !isTaken { change.completion(.failure(StorageError.closed)) }
  }

  /// Waits until all that was queued is committed and the thread has ended. On that thread itself it
  /// doesn't wait, and says `false`.
  func stop() -> Bool {
    let isOwnThread = queue.signal { queue in
      queue.isStopping = true
      return queue.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
    }
    if isOwnThread { return false }
    return queue.wait { $0.isStopped ? true : nil }
  }

  private func run() {
    queue.withLock { $0.thread = pthread_self() }
    var committer = Committer(environment)
    var groupCount = 0
    while let group = nextGroup() {
      committer.commit(group)
      groupCount += 1
      if groupCount.isMultiple(of: Self.groupsBetweenReaderChecks) {
        // A failure here costs places of readers, which are cleared again when they run out.
        try? environment.clearStaleReaders()
      }
    }
    queue.signal { $0.isStopped = true }
  }

  /// What waits now, as one group; `nil` when nothing more will come.
  private func nextGroup() -> [Change]? {
    queue.wait { queue -> [Change]?? in
      if queue.changes.isEmpty { return queue.isStopping ? .some(nil) : nil }
      let group = Array(queue.changes.prefix(environment.options.groupCountMaximum))
      queue.changes.removeFirst(group.count)
      return group
    }
  }
}
