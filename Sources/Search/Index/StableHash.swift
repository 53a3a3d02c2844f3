/// A 64-bit hash of `bytes` that is the same in every process: FNV-1a, then mixed.
///
/// It stands in keys for values that are rechecked, so two values of one hash cost a look at a
/// resource and are never taken for each other.
///
/// - SeeAlso: https://datatracker.ietf.org/doc/html/draft-eastlake-fnv
func stableHash(_ bytes: some Sequence<UInt8>) -> UInt64 {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
  hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
  return hash ^ hash >> 33
}
