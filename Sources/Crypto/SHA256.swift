import COpenSSL

/// A SHA-256 digest: 32 bytes.
///
/// - SeeAlso: https://doi.org/10.6028/NIST.FIPS.180-4
package struct SHA256: Hashable, Sendable {
  package static let byteCount = 32

  package let bytes: [UInt8]

  /// The digest of `message`.
  package init(of message: [UInt8]) {
    var digest = [UInt8](repeating: 0, count: Self.byteCount)
    // EVP_DigestInit(3), "Using EVP_MD_fetch": a fetched digest spares the lookup by name each time.
    let made = unsafe EVP_Digest(
      message, message.count, &digest, nil, SHA256Algorithm.shared.digest, nil)
    precondition(made == 1, "SHA-256 of bytes in memory can't fail once it was fetched")
    bytes = digest
  }

  /// Takes 32 bytes as a digest that was made before; `nil` for another count.
  package init?(digest bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// Reads 64 hexadecimal digits; `nil` for anything else.
  package init?(hex text: some StringProtocol) {
    guard let bytes = [UInt8](hex: text) else { return nil }
    self.init(digest: bytes)
  }
}

extension SHA256: CustomStringConvertible {
  /// 64 lower-case hexadecimal digits.
  package var description: String { bytes.hex }
}

/// The algorithms of OpenSSL's default provider, looked up once.
///
/// A fetched `EVP_MD` or `EVP_MAC` is immutable and reference counted with atomics, so threads may
/// share it (crypto(7), "Fetching"; openssl-threads(7)).
@safe final class SHA256Algorithm: @unchecked Sendable {
  static let shared = SHA256Algorithm()

  let digest: OpaquePointer
  let hmac: OpaquePointer

  private init() {
    guard let digest = unsafe EVP_MD_fetch(nil, "SHA256", nil),
      let hmac = unsafe EVP_MAC_fetch(nil, "HMAC", nil)
    else {
      preconditionFailure("OpenSSL's default provider has SHA-256 and HMAC")
    }
    unsafe self.digest = digest
    unsafe self.hmac = hmac
  }
}
