/// The few operations in which systems differ that tell when a descriptor is ready. Linux has epoll;
/// a system with kqueue needs a twin of `EpollPoller` and its name in `SystemPoller`. It
/// gives its own descriptors back when nobody holds it any more.
protocol Poller: AnyObject {
  init() throws(SystemError)
  /// Starts to watch `descriptor`; its events carry `token`. They are told as long as they last.
  func add(_ descriptor: Int32, for interest: Interest, token: UInt64) throws(SystemError)
  func modify(_ descriptor: Int32, for interest: Interest, token: UInt64)
  /// Stops watching; to be called before `descriptor` is closed.
  func remove(_ descriptor: Int32)
  /// Waits at most that long (forever if negative), and returns early for a `wake`.
  func wait(milliseconds: Int32, into events: inout [Event])
  /// Ends the wait of another thread, or its next one.
  func wake()
}

struct Interest: OptionSet, Sendable {
  let rawValue: UInt8
  static let read = Interest(rawValue: 1)
  static let write = Interest(rawValue: 2)
}

struct Event {
  var token: UInt64
  var isReadable: Bool
  var isWritable = false
  /// The connection is broken or closed in both directions.
  var isGone = false
}

#if os(Linux)
  typealias SystemPoller = EpollPoller
#endif
