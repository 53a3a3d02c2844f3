#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A lock that many readers or one writer hold. POSIX allows it on any thread, and the memory stays
/// in one place until `deinit`.
@safe final class ReadWriteLock: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_rwlock_t>

  init() {
    unsafe lock = .allocate(capacity: 1)
    unsafe lock.initialize(to: pthread_rwlock_t())
    unsafe pthread_rwlock_init(lock, nil)
  }

  deinit {
    unsafe pthread_rwlock_destroy(lock)
    unsafe lock.deallocate()
  }

  func withReadLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    unsafe pthread_rwlock_rdlock(lock)
    defer { unsafe pthread_rwlock_unlock(lock) }
    return try body()
  }

  func withWriteLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    unsafe pthread_rwlock_wrlock(lock)
    defer { unsafe pthread_rwlock_unlock(lock) }
    return try body()
  }
}

/// A value that threads share and wait for changes of. As above, POSIX allows it on any thread.
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

  /// Changes the value and wakes one waiter.
  func signal<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try withLock { value in
      defer { unsafe pthread_cond_signal(changed) }
      return try body(&value)
    }
  }

  /// Waits until `body` gives something.
  func wait<Result>(for body: (inout Value) -> Result?) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      unsafe pthread_cond_wait(changed, mutex)
    }
  }
}
