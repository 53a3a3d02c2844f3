/// How an LMDB store is opened.
package struct LMDBOptions: Sendable {
  /// The address space that is reserved at first; the file takes only what is written.
  package var mapByteCount: Int
  /// How far the map may grow by itself; what doesn't fit then is refused as `StorageError.full`.
  package var mapByteCountMaximum: Int
  /// Space that only changes with `mayUseReserve` may fill: it is allocated on the disk ahead.
  package var reserveByteCount: Int
  /// How many changes may share one commit.
  package var groupCountMaximum: Int
  /// Off only where losing the last commits to a power cut is accepted: measurements, and the test
  /// that must see such a loss.
  package var flushes: Bool

  package init(
    mapByteCount: Int = 1 << 40, mapByteCountMaximum: Int = 1 << 43,
    reserveByteCount: Int = 16 << 20, groupCountMaximum: Int = 1024, flushes: Bool = true
  ) {
    self.mapByteCount = mapByteCount
    self.mapByteCountMaximum = mapByteCountMaximum
    self.reserveByteCount = reserveByteCount
    self.groupCountMaximum = groupCountMaximum
    self.flushes = flushes
  }
}
