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

  // Each look at the value below is an access of its own: were one access held across the wait, the
  // optimiser could take it for granted that nobody else changes the value meanwhile.

  /// Waits until `body` gives something.
  func wait<Result>(for body: (inout Value) throws -> Result?) rethrows -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = try body(&value) { return result }
      unsafe pthread_cond_wait(changed, mutex)
    }
  }

  /// Waits until `body` gives something, at most so long; `nil` then.
  func wait<Result>(milliseconds: Int, for body: (inout Value) -> Result?) -> Result? {
    var deadline = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &deadline)
    let nanoseconds = deadline.tv_nsec + milliseconds % 1000 * 1_000_000
    deadline.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
    deadline.tv_nsec = nanoseconds % 1_000_000_000
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    var code: Int32 = 0
    while true {
      if let result = body(&value) { return result }
      guard code == 0 else { return nil }
      code = unsafe pthread_cond_timedwait(changed, mutex, &deadline)
    }
  }
}
