#if os(Linux)
  import CSystem
  import Glibc

  /// `Poller` over epoll, level-triggered, with an eventfd for waking.
  ///
  /// - SeeAlso: https://man7.org/linux/man-pages/man7/epoll.7.html
  // epoll_event holds a C union, of which only u64 is written and read here.
  @safe final class EpollPoller: Poller {
    private let epoll: Int32
    private let waker: Int32
    private var ready: [epoll_event]
    private static let wakerToken = UInt64.max

    init() throws(SystemError) {
      epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
      guard epoll >= 0 else { throw SystemError("epoll_create1") }
      waker = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
      unsafe ready = [epoll_event](repeating: epoll_event(), count: 256)
      guard waker >= 0 else {
        let error = SystemError("eventfd")
        Glibc.close(epoll)
        throw error
      }
      try add(waker, for: .read, token: Self.wakerToken)
    }

    func add(_ descriptor: Int32, for interest: Interest, token: UInt64) throws(SystemError) {
      guard control(EPOLL_CTL_ADD, descriptor, interest, token) == 0 else {
        throw SystemError("epoll_ctl")
      }
    }

    func modify(_ descriptor: Int32, for interest: Interest, token: UInt64) {
      // It can fail only for a descriptor that isn't watched (epoll_ctl(2), ERRORS).
      let result = control(EPOLL_CTL_MOD, descriptor, interest, token)
      precondition(result == 0, "a descriptor is modified that is not watched")
    }

    func remove(_ descriptor: Int32) {
      _ = control(EPOLL_CTL_DEL, descriptor, [], 0)
    }

    private func control(
      _ operation: Int32, _ descriptor: Int32, _ interest: Interest, _ token: UInt64
    ) -> Int32 {
      var flags: UInt32 = 0
      if interest.contains(.read) { flags |= EPOLLIN.rawValue }
      if interest.contains(.write) { flags |= EPOLLOUT.rawValue }
      var event = unsafe epoll_event(events: flags, data: epoll_data_t(u64: token))
      return unsafe epoll_ctl(epoll, operation, descriptor, &event)
    }

    func wait(milliseconds: Int32, into events: inout [Event]) {
      events.removeAll(keepingCapacity: true)
      let count = unsafe epoll_wait(epoll, &ready, Int32(ready.count), milliseconds)
      // A signal's interruption (EINTR) is a wait that found nothing.
      guard count > 0 else { return }
      for position in 0..<Int(count) {
        let token = unsafe ready[position].data.u64
        if token == Self.wakerToken {
          var ignored: eventfd_t = 0
          unsafe eventfd_read(waker, &ignored)
          continue
        }
        let flags = unsafe ready[position].events
        events.append(
          Event(
            token: token, isReadable: flags & EPOLLIN.rawValue != 0,
            isWritable: flags & EPOLLOUT.rawValue != 0,
            isGone: flags & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0))
      }
    }

    func wake() {
      eventfd_write(waker, 1)
    }

    deinit {
      Glibc.close(waker)
      Glibc.close(epoll)
    }
  }
#endif
