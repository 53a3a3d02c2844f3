import COpenSSL

/// A certificate with its key, and the rules under which connections are encrypted with it: TLS 1.2
/// and 1.3, session tickets, no renegotiation, `http/1.1`.
///
/// - SeeAlso: https://docs.openssl.org/3.0/man3/SSL_CTX_new/
// An SSL_CTX counts its users atomically and is not changed after `init`, so that threads may make
// sessions of it at once (openssl-threads(7)).
@safe final class TLSContext: @unchecked Sendable {
  private let context: OpaquePointer

  /// - Parameters:
  ///   - certificate: the path of a PEM file: the server's certificate, then those up to the root.
  ///   - key: the path of the PEM file with its private key, which no passphrase protects.
  /// - Throws: `TLSError` naming the file that can't be used.
  init(certificate: String, key: String) throws(TLSError) {
    guard let context = unsafe SSL_CTX_new(TLS_server_method()) else {
      throw TLSError("no TLS context could be made")
    }
    unsafe self.context = context
    // Else OpenSSL asks at the terminal for the passphrase of a key, and the server waits for it.
    unsafe SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in -1 }
    guard unsafe SSL_CTX_use_certificate_chain_file(context, certificate) == 1 else {
      throw TLSError("\(certificate) is not a certificate in PEM form")
    }
    guard unsafe SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1,
      unsafe SSL_CTX_check_private_key(context) == 1
    else {
      throw TLSError(
        "\(key) is not the private key of \(certificate) in PEM form without a passphrase")
    }
    unsafe Self.setRules(of: context)
  }

  private static func setRules(of context: OpaquePointer) {
    // What these macros of ssl.h write out; Swift doesn't import macros with parameters.
    _ = unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
    let modes =
      SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS
    _ = unsafe SSL_CTX_ctrl(context, SSL_CTRL_MODE, Int(modes), nil)
    // One call to the system takes in a whole record and what follows it, not its head and its body.
    _ = unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_READ_AHEAD, 1, nil)
    // Tickets keep the sessions with the clients, so that none is kept here.
    _ = unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
    let noRenegotiation: UInt64 = 1 << 30
    let serverPreference: UInt64 = 1 << 22
    let noCompression: UInt64 = 1 << 17
    _ = unsafe SSL_CTX_set_options(context, noRenegotiation | serverPreference | noCompression)
    unsafe SSL_CTX_set_alpn_select_cb(
      context,
      { _, selected, selectedByteCount, offered, byteCount, _ in
        unsafe TLSContext.selectProtocol(
          selected, selectedByteCount, offered: offered, byteCount: byteCount)
      }, nil)
  }

  /// A client that offers protocols must offer `http/1.1` among them.
  ///
  /// - SeeAlso: https://www.rfc-editor.org/rfc/rfc7301#section-3.2
  private static func selectProtocol(
    _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ selectedByteCount: UnsafeMutablePointer<UInt8>?,
    offered: UnsafePointer<UInt8>?, byteCount: UInt32
  ) -> Int32 {
    guard let offered = unsafe offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let names = unsafe UnsafeBufferPointer(start: offered, count: Int(byteCount))
    let spoken = Array("http/1.1".utf8)
    var position = 0
    while position < names.count {
      let name = (position + 1)..<(position + 1 + Int(unsafe names[position]))
      guard name.upperBound <= names.count else { return SSL_TLSEXT_ERR_ALERT_FATAL }
      if name.count == spoken.count, unsafe names[name].elementsEqual(spoken) {
        // It may point into the client's list (SSL_CTX_set_alpn_select_cb(3)).
        unsafe selected?.pointee = offered + name.lowerBound
        unsafe selectedByteCount?.pointee = UInt8(spoken.count)
        return SSL_TLSEXT_ERR_OK
      }
      position = name.upperBound
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
  }

  /// The server's side of a connection that has just been accepted; `nil` if memory is short.
  func session(on socket: Socket) -> TLSSession? {
    guard let session = unsafe SSL_new(context) else { return nil }
    guard unsafe SSL_set_fd(session, socket.descriptor) == 1 else {
      unsafe SSL_free(session)
      return nil
    }
    unsafe SSL_set_accept_state(session)
    return unsafe TLSSession(session)
  }

  deinit { unsafe SSL_CTX_free(context) }
}

/// A certificate or key that can't be used.
package struct TLSError: Error, Hashable, CustomStringConvertible {
  package let description: String

  init(_ text: String) {
    var buffer = [CChar](repeating: 0, count: 256)
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0 else {
      description = text
      return
    }
    unsafe ERR_error_string_n(code, &buffer, buffer.count)
    let detail = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    description = "\(text) (\(String(decoding: detail, as: UTF8.self)))"
  }
}
