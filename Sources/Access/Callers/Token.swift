import Crypto
import FHIRModel

/// What a caller shows: `kiln_` and 256 random bits. The store keeps only its SHA-256.
package struct Token: Hashable, Sendable {
  package static let prefix = "kiln_"
  private static let secretByteCount = 32

  package let text: String

  /// - Throws: `RandomError` if the system gives no randomness.
  package static func random() throws -> Token {
    Token(text: prefix + (try randomBytes(count: secretByteCount)).base64URL)
  }

  /// `nil` if the text can't be a token.
  package init?(_ text: some StringProtocol) {
    guard text.hasPrefix(Self.prefix),
      let secret = [UInt8](base64URL: text.dropFirst(Self.prefix.count)),
      secret.count == Self.secretByteCount
    else { return nil }
    self.text = String(text)
  }

  private init(text: String) { self.text = text }

  package var digest: SHA256 { SHA256(of: Array(text.utf8)) }
}

/// How a token is spoken of where it must not be shown: the first 64 bits of its digest.
package struct TokenID: Hashable, Sendable {
  /// The first eight bytes of the token's digest, the highest first.
  let number: UInt64

  init(number: UInt64) { self.number = number }

  init(_ digest: SHA256) { number = digest.bytes.span.bigEndianNumber(at: 0) }

  /// Reads 16 hexadecimal digits; `nil` for anything else.
  package init?(_ text: some StringProtocol) {
    guard let bytes = [UInt8](hex: text), bytes.count == 8 else { return nil }
    number = bytes.span.bigEndianNumber(at: 0)
  }

  /// 16 hexadecimal digits.
  package var text: String {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: number)
    return bytes.hex
  }
}

/// What the store keeps of a token.
package struct TokenRecord: Hashable, Sendable {
  package let id: TokenID
  package let principal: Principal
  package let created: Instant
  /// From this moment on the token opens nothing.
  package let expires: Instant?
  package var revoked: Instant?

  init(
    id: TokenID, principal: Principal, created: Instant, expires: Instant?,
    revoked: Instant? = nil
  ) {
    self.id = id
    self.principal = principal
    self.created = created
    self.expires = expires
    self.revoked = revoked
  }

  /// - Throws: `InteractionError.unauthenticated` if the token opens nothing at `now`.
  func check(at now: Instant) throws(InteractionError) {
    if revoked != nil { throw .unauthenticated(reason: "the token was revoked") }
    if let expires, expires <= now { throw .unauthenticated(reason: "the token has expired") }
  }
}
