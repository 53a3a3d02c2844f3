#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A thread of the system, that Swift's own pool knows nothing of.
struct Thread {
  struct Identity: Equatable {
    fileprivate let thread: pthread_t

    static func == (left: Identity, right: Identity) -> Bool {
      pthread_equal(left.thread, right.thread) != 0
    }
  }

  private let thread: pthread_t

  static var current: Identity { Identity(thread: pthread_self()) }

  /// - Throws: `SystemError` if the system has no more threads.
  init(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let box = unsafe Unmanaged.passRetained(Body(body))
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        #if canImport(Glibc)
          guard let argument = unsafe argument else { return nil }
        #endif
        unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      unsafe box.release()
      throw SystemError("pthread_create", code: code)
    }
    #if canImport(Glibc)
      self.thread = thread
    #else
      guard let thread else { throw SystemError("pthread_create") }
      self.thread = thread
    #endif
  }

  func join() {
    pthread_join(thread, nil)
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
