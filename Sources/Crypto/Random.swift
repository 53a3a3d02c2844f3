import COpenSSL
import Synchronization

/// So many bytes that nobody can foresee, from OpenSSL's generator, which the system seeds.
///
/// - Throws: `RandomError` if the generator could not be seeded.
/// - SeeAlso: https://docs.openssl.org/3.0/man3/RAND_bytes/
package func randomBytes(count: Int) throws(RandomError) -> [UInt8] {
  precondition(0...1_048_576 ~= count, "random bytes are asked for in small numbers")
  var bytes = [UInt8](repeating: 0, count: count)
  guard unsafe RAND_bytes(&bytes, Int32(count)) == 1 else { throw RandomError() }
  return bytes
}

/// Random numbers, of which many are made at a time: each request of the system's costs more than what
/// an identifier is otherwise made of.
package final class RandomNumbers: Sendable {
  private let reserve = Mutex<[UInt64]>([])

  package init() {}

  /// A number of which each is as likely as any other.
  package func next() -> UInt64 {
    reserve.withLock { reserve in
      if reserve.isEmpty { reserve = Self.many() }
      return reserve.popLast() ?? UInt64.random(in: 0...UInt64.max)
    }
  }

  /// None if OpenSSL gives none; the system's own are never missing.
  private static func many() -> [UInt64] {
    guard let bytes = try? randomBytes(count: 1_024) else { return [] }
    return stride(from: 0, to: bytes.count, by: 8).map { start in
      bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}

/// The system gave no randomness.
package struct RandomError: Error, Equatable, Sendable {}

/// Whether two byte strings are equal, in a time that depends on their lengths alone.
package func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  guard left.count == right.count else { return false }
  return unsafe CRYPTO_memcmp(left, right, left.count) == 0
}
