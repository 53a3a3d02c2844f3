import FHIRModel
import KeyValue
import Synchronization

/// When an answer may leave relative to its log entry.
package enum LogPolicy: Hashable, Sendable {
  /// After the entry is durable.
  case beforeAnswer
  /// At once: entries wait in memory until `flush`, and a kill or a power cut loses them.
  case buffered
}

/// Gathers the log entries of reads, so that one commit makes many of them durable.
///
/// While a commit is under way the entries of the reads beside it wait, and go together into the
/// next. Entries are written in the order in which they came.
final class LogBuffer: Sendable {
  /// A record on its way into the log.
  struct Waiting: Sendable {
    var draft: LogDraft
    /// The answer waits for the entry.
    var isHeld = false
    /// Told once whether the entry is durable.
    var release: (@Sendable (Result<Void, any Error>) -> Void)?
  }

  private struct State {
    var waiting: [Waiting] = []
    var isUnderWay = false
    /// The last commit failed, so answers are held until one succeeds, whatever the policy.
    var isFailing = false
  }

  /// In buffered mode, so many entries are written without waiting for `flush`.
  private static let bufferedCountMaximum = 65_536

  private let engine: any Engine
  private let log: AccessLog
  private let clock: @Sendable () -> Instant
  private let policy: LogPolicy
  private let state = Mutex(State())

  init(
    engine: any Engine, log: AccessLog, policy: LogPolicy, clock: @escaping @Sendable () -> Instant
  ) {
    self.engine = engine
    self.log = log
    self.policy = policy
    self.clock = clock
  }

  /// Records a request's accesses and calls `release` when its answer may leave, or must not.
  func append(
    _ drafts: [LogDraft], release: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    guard !drafts.isEmpty else { return release(.success(())) }
    let (isHeld, mustWrite) = state.withLock { state in
      let isHeld = policy == .beforeAnswer || state.isFailing
      for draft in drafts { state.waiting.append(Waiting(draft: draft, isHeld: isHeld)) }
      if isHeld { state.waiting[state.waiting.count - 1].release = release }
      let isDue = isHeld || state.waiting.count >= Self.bufferedCountMaximum
      let mustWrite = isDue && !state.isUnderWay
      if mustWrite { state.isUnderWay = true }
      return (isHeld, mustWrite)
    }
    if mustWrite { write() }
    if !isHeld { release(.success(())) }
  }

  /// Writes what waits. Called at intervals in buffered mode, and before closing.
  func flush() {
    let mustWrite = state.withLock { state in
      guard !state.waiting.isEmpty, !state.isUnderWay else { return false }
      state.isUnderWay = true
      return true
    }
    if mustWrite { write() }
  }

  private func write() {
    // Filled when the writer comes to it, so that all that waited until then is in it; a change may
    // be performed again, and writes the same entries then.
    let group = Mutex<[Waiting]?>(nil)
    engine.submit(
      Change(
        mayUseReserve: true,
        perform: { [self] transaction in
          try log.append(take(into: group).map(\.draft), at: clock(), in: &transaction)
        },
        completion: { [self] result in
          finish(take(into: group), with: result.map { _ in () })
        }))
  }

  private func take(into group: borrowing Mutex<[Waiting]?>) -> [Waiting] {
    group.withLock { group in
      if let group { return group }
      let taken = state.withLock { state in
        let taken = state.waiting
        state.waiting = []
        return taken
      }
      group = taken
      return taken
    }
  }

  private func finish(_ group: [Waiting], with result: Result<Void, any Error>) {
    let mustWrite = state.withLock { state in
      if case .failure = result {
        state.isFailing = true
        // Their answers are out, so they are kept until they can be written.
        state.waiting.insert(contentsOf: group.filter { !$0.isHeld }, at: 0)
      } else {
        state.isFailing = false
      }
      let isWaitedFor = state.waiting.contains(where: \.isHeld)
      state.isUnderWay = isWaitedFor
      return isWaitedFor
    }
    for entry in group { entry.release?(result) }
    if mustWrite { write() }
  }
}
