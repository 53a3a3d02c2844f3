import COpenSSL

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

/// The system gave no randomness.
package struct RandomError: Error, Equatable, Sendable {}

/// Whether two byte strings are equal, in a time that depends on their lengths alone.
package func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  guard left.count == right.count else { return false }
  return unsafe CRYPTO_memcmp(left, right, left.count) == 0
}
