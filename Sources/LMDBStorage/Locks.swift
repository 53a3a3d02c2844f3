#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A value that threads share and wait for changes of.
///
/// Sendable although it holds pointers: POSIX allows a mutex and a condition on any thread, and
/// their memory stays in one place until `deinit`.
@safe final class Monitor<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value

  init(_ value: Value) {
    self.value = value
    unsafe mutex = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe changed.initialize(to: pthread_cond_t())
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Changes the value and wakes who waits for it.
  func signal<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try withLock { value in
      defer { unsafe pthread_cond_broadcast(changed) }
      return try body(&value)
    }
  }

  /// Waits until `body` gives something.
  func wait<Result>(for body: (inout Value) throws -> Result?) rethrows -> Result {
    try withLock { value in
      while true {
        if let result = try body(&value) { return result }
        unsafe pthread_cond_wait(changed, mutex)
      }
    }
  }

  /// Waits until `body` gives something, at most so long; `nil` then.
  func wait<Result>(milliseconds: Int, for body: (inout Value) -> Result?) -> Result? {
    var deadline = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &deadline)
    let nanoseconds = deadline.tv_nsec + milliseconds % 1000 * 1_000_000
    deadline.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
    deadline.tv_nsec = nanoseconds % 1_000_000_000
    return withLock { value in
      var code: Int32 = 0
      while true {
        if let result = body(&value) { return result }
        guard code == 0 else { return nil }
        code = unsafe pthread_cond_timedwait(changed, mutex, &deadline)
      }
    }
  }
}

/// Lets many through together, or one alone.
final class Gate: Sendable {
  private struct State {
    var insideCount = 0
    var isTaken = false
    var aloneWaitingCount = 0
  }

  private let state = Monitor(State())

  /// Who comes while somebody waits to be alone lets him go first, but not for longer than this: the
  /// caller may be inside already, further down its stack, and then both would wait for ever.
  private static let courtesyMilliseconds = 50

  func pass<Result>(_ body: () throws -> Result) rethrows -> Result {
    enter()
    defer { leave() }
    return try body()
  }

  private func enter() {
    let isIn = state.withLock { state in
      guard !state.isTaken, state.aloneWaitingCount == 0 else { return false }
      state.insideCount += 1
      return true
    }
    if isIn { return }
    _ = state.wait(milliseconds: Self.courtesyMilliseconds) {
      !$0.isTaken && $0.aloneWaitingCount == 0 ? true : nil
    }
    state.wait { state -> Void? in
      guard !state.isTaken else { return nil }
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
  func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
    state.withLock { $0.aloneWaitingCount += 1 }
    state.wait { state -> Void? in
      guard state.insideCount == 0, !state.isTaken else { return nil }
      state.isTaken = true
      state.aloneWaitingCount -= 1
      return ()
    }
    defer { state.signal { $0.isTaken = false } }
    return try body()
  }
}
