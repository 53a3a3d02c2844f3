import COpenSSL

/// One connection's encryption, on its socket. It is used by the thread of its loop alone.
@safe final class TLSSession {
  private let session: OpaquePointer

  init(_ session: OpaquePointer) {
    unsafe self.session = session
  }

  deinit { unsafe SSL_free(session) }

  /// Goes on with the handshake; `.bytes(0)` when it is done.
  func handshake() -> Transfer {
    ERR_clear_error()
    let result = unsafe SSL_do_handshake(session)
    return result == 1 ? .bytes(0) : outcome(of: result)
  }

  func read(into buffer: inout [UInt8]) -> Transfer {
    // SSL_get_error looks into the thread's queue, which must be empty before the call
    // (SSL_get_error(3)).
    ERR_clear_error()
    let count = unsafe buffer.withUnsafeMutableBytes {
      unsafe SSL_read(session, $0.baseAddress, Int32(clamping: $0.count))
    }
    return count > 0 ? .bytes(Int(count)) : outcome(of: count)
  }

  func write(_ bytes: [UInt8], from offset: Int) -> Transfer {
    ERR_clear_error()
    let count = unsafe bytes.withUnsafeBytes {
      // A record holds 16 KiB; more at a time only copies more when the socket is full.
      unsafe SSL_write(
        session, $0.baseAddress.map { unsafe $0 + offset }, Int32(min($0.count - offset, 256 << 10))
      )
    }
    return count > 0 ? .bytes(Int(count)) : outcome(of: count)
  }

  /// Whether bytes were taken from the socket that aren't read yet, perhaps only a part of a record.
  var hasPendingInput: Bool { unsafe SSL_has_pending(session) == 1 }

  /// Sends the notice that nothing more will be written, as far as the socket takes it.
  func endWriting() {
    ERR_clear_error()
    _ = unsafe SSL_shutdown(session)
  }

  private func outcome(of result: Int32) -> Transfer {
    switch unsafe SSL_get_error(session, result) {
    case SSL_ERROR_WANT_READ: .waits(for: .read)
    case SSL_ERROR_WANT_WRITE: .waits(for: .write)
    case SSL_ERROR_ZERO_RETURN: .ended
    default: .failed
    }
  }
}
