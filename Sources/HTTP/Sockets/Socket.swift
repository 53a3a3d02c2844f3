import CSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What came of an attempt to move bytes.
enum Transfer: Equatable {
  case bytes(Int)
  /// Nothing moves until the socket is readable (or writable).
  case waits(for: Interest)
  /// The other side will send no more.
  case ended
  case failed
}

/// A connected stream socket that doesn't block.
struct Socket {
  let descriptor: Int32

  func read(into buffer: inout [UInt8]) -> Transfer {
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
      }
      if count > 0 { return .bytes(count) }
      if count == 0 { return .ended }
      if errno == EINTR { continue }
      return errno == EAGAIN ? .waits(for: .read) : .failed
    }
  }

  /// Writes as much of `bytes` from `offset` on as fits into the socket's buffer.
  func write(_ bytes: [UInt8], from offset: Int) -> Transfer {
    while true {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe send(descriptor, $0.baseAddress.map { unsafe $0 + offset }, $0.count - offset, 0)
      }
      if count >= 0 { return .bytes(count) }
      if errno == EINTR { continue }
      return errno == EAGAIN ? .waits(for: .write) : .failed
    }
  }

  /// Tells the other side that nothing more will be written.
  func endWriting() {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Small answers are sent at once: two TLS records must not wait for each other's acknowledgement.
  func sendWithoutDelay() {
    var on: Int32 = 1
    unsafe setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Makes `close` reset the connection, so that the system doesn't keep what the client didn't take.
  func dropUnsentOnClose() {
    var option = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  func close() {
    // On Linux the descriptor is free again even when close is interrupted (close(2), NOTES).
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }
}
