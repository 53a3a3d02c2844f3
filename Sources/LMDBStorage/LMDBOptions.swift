/// How an LMDB store is opened.
package struct LMDBOptions: Sendable {
  /// The address space that is reserved at first; the file takes only what is written.
  package var mapByteCount: Int
  /// How far the map may grow by itself; what doesn't fit then is refused as `StorageError.full`.
  package var mapByteCountMaximum: Int
  /// Space that only changes with `mayUseReserve` may fill: the last of the map, and as much on the
  /// disk, allocated ahead. On the disk the change with which it runs out may take its own size of
  /// it; in the map nothing may.
  package var reserveByteCount: Int
  /// How many changes, and how many bytes of values, may share one commit.
  package var groupCountMaximum: Int
  package var groupByteCountMaximum: Int
  /// How many snapshots may be open at once, in all processes together. The first process to open
  /// the store decides.
  package var readerCountMaximum: UInt32
  /// Off only where losing the last commits to a power cut is accepted: measurements, and the test
  /// that must see such a loss.
  package var flushes: Bool

  package init(
    mapByteCount: Int = 1 << 40, mapByteCountMaximum: Int = 1 << 43,
    reserveByteCount: Int = 16 << 20, groupCountMaximum: Int = 1024,
    groupByteCountMaximum: Int = 32 << 20, readerCountMaximum: UInt32 = 1024, flushes: Bool = true
  ) {
    precondition(reserveByteCount < mapByteCountMaximum, "the reserve is a part of the map")
    self.mapByteCount = mapByteCount
    self.mapByteCountMaximum = mapByteCountMaximum
    self.reserveByteCount = reserveByteCount
    self.groupCountMaximum = groupCountMaximum
    self.groupByteCountMaximum = groupByteCountMaximum
    self.readerCountMaximum = readerCountMaximum
    self.flushes = flushes
  }

  /// How large the map may be for changes that may not use the reserve.
  var ordinaryMapByteCount: Int { mapByteCountMaximum - reserveByteCount }
}
