import Foundation

/// A thread that can be waited for.
struct Caller {
  private let thread: Thread
  private let isDone = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () -> Void) {
    let isDone = isDone
    thread = Thread {
      body()
      isDone.signal()
    }
  }

  func start() { thread.start() }
  func wait() { isDone.wait() }
}
