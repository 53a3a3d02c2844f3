import KeyValue

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Lets many through together, or one alone.
///
/// Who comes while somebody waits to be alone lets him go first, so that he isn't starved. Who is
/// inside already, further down its stack, goes in again at once: both would wait for ever.
final class Gate: Sendable {
  private struct State {
    var insideCount = 0
    var isTaken = false
    var aloneWaitingCount = 0
  }

  private let state = Monitor(State())
  private let depth = ThreadCount()

  func pass<Result>(_ body: () throws -> Result) rethrows -> Result {
    enter()
    depth.value += 1
    defer {
      depth.value -= 1
      leave()
    }
    return try body()
  }

  private func enter() {
    let isInside = depth.value > 0
    state.wait { state -> Void? in
      guard isInside || (!state.isTaken && state.aloneWaitingCount == 0) else { return nil }
      state.insideCount += 1
      return ()
    }
  }

  private func leave() {
    let isAwaited = state.withLock { state in
      state.insideCount -= 1
      return state.insideCount == 0 && state.aloneWaitingCount > 0
    }
    if isAwaited { state.signal { _ in } }
  }

  /// Waits until everybody is out, and keeps everybody out meanwhile.
  ///
  /// - Throws: `StorageError.system` with `ETIMEDOUT` if that takes longer than `seconds`, or with
  ///   `EDEADLK` if this thread is inside itself; and what `body` throws.
  func alone<Result>(seconds: Int = .max / 1000, _ body: () throws -> Result) throws -> Result {
    guard depth.value == 0 else { throw StorageError(code: EDEADLK, call: "waiting for snapshots") }
    state.withLock { $0.aloneWaitingCount += 1 }
    let isAlone = state.wait(milliseconds: seconds * 1000) { state -> Bool? in
      guard state.insideCount == 0, !state.isTaken else { return nil }
      state.isTaken = true
      state.aloneWaitingCount -= 1
      return true
    }
    guard isAlone ?? false else {
      state.signal { $0.aloneWaitingCount -= 1 }
      throw StorageError(code: ETIMEDOUT, call: "waiting for snapshots")
    }
    defer { state.signal { $0.isTaken = false } }
    return try body()
  }
}

/// A number that every thread has for itself, zero at first.
private final class ThreadCount: Sendable {
  private let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    let code = unsafe pthread_key_create(&key, nil)
    precondition(code == 0, "a process has places for hundreds of open stores")
    self.key = key
  }

  deinit { pthread_key_delete(key) }

  var value: Int {
    get { unsafe Int(bitPattern: pthread_getspecific(key)) }
    set { _ = unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
  }
}
