import Crypto

extension SearchIndex {
  /// Bytes as a text for a link, which only this store can make, and only for this context.
  package func sealed(_ payload: [UInt8], for context: [UInt8]) -> String {
    (payload + seal(payload, context)).base64URL
  }

  /// Opens what `sealed` made; `nil` for anything else.
  package func unsealed(_ text: String, for context: [UInt8]) -> [UInt8]? {
    guard let bytes = [UInt8](base64URL: text), bytes.count > Self.sealByteCount else { return nil }
    let payload = Array(bytes.dropLast(Self.sealByteCount))
    let seal = Array(bytes.suffix(Self.sealByteCount))
    return isEqualInConstantTime(seal, self.seal(payload, context)) ? payload : nil
  }

  // The payload's length is said first, so that it can't run into the context.
  private func seal(_ payload: [UInt8], _ context: [UInt8]) -> [UInt8] {
    let message = [UInt8(ascii: "C"), UInt8(truncatingIfNeeded: payload.count)] + payload + context
    return Array(pageKey.code(of: message).prefix(Self.sealByteCount))
  }

  private static let sealByteCount = 16
}
