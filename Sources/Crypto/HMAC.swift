import COpenSSL
import Synchronization

/// A secret key that seals messages with HMAC-SHA256.
///
/// - SeeAlso: https://www.rfc-editor.org/rfc/rfc2104
package final class HMACKey: Sendable {
  private let context: Mutex<MACContext>

  /// - Parameter secret: the key's bytes; 32 random ones are right.
  package init(_ secret: [UInt8]) {
    context = Mutex(MACContext(secret))
  }

  /// The code of `message`: 32 bytes.
  package func code(of message: [UInt8]) -> [UInt8] {
    context.withLock { $0.code(of: message) }
  }

  /// Whether `code` is that of `message`. Takes as long for a code that is nearly right as for one
  /// that is wholly wrong.
  package func isValid(_ code: [UInt8], for message: [UInt8]) -> Bool {
    isEqualInConstantTime(self.code(of: message), code)
  }
}

/// A keyed context that is used again for each message, which costs a quarter of a new one.
@safe private struct MACContext: ~Copyable {
  private let context: OpaquePointer

  init(_ secret: [UInt8]) {
    guard let context = unsafe EVP_MAC_CTX_new(SHA256Algorithm.shared.hmac) else {
      preconditionFailure("no memory for an HMAC context")
    }
    unsafe self.context = context
    // EVP_MAC_init takes no key of length zero; a zero byte is the same key after padding (RFC 2104).
    let key = secret.isEmpty ? [0] : secret
    var name = Array("SHA256".utf8CString)
    let made = unsafe name.withUnsafeMutableBufferPointer { name in
      let parameters = unsafe [
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name.baseAddress, 0),
        OSSL_PARAM_construct_end(),
      ]
      return unsafe EVP_MAC_init(context, key, key.count, parameters)
    }
    precondition(made == 1, "HMAC-SHA256 takes any key")
  }

  mutating func code(of message: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: SHA256.byteCount)
    var count = 0
    // EVP_MAC(3): without a key, EVP_MAC_init starts again with the one set before.
    let made =
      unsafe EVP_MAC_init(context, nil, 0, nil) == 1
      && EVP_MAC_update(context, message, message.count) == 1
      && EVP_MAC_final(context, &code, &count, code.count) == 1
    precondition(made && count == code.count, "HMAC of bytes in memory can't fail")
    return code
  }

  deinit { unsafe EVP_MAC_CTX_free(context) }
}

extension MACContext: @unchecked Sendable {}
