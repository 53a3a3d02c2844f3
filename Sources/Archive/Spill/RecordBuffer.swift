#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Records of one size in memory, and their order.
@safe struct RecordBuffer: ~Copyable {
  let recordByteCount: Int
  private(set) var count = 0
  /// The memory, in pieces that stay where they are, of as many records each.
  private var pieces: [UnsafeMutableRawPointer] = unsafe []

  private static let recordsInPiece = 1 << 14
  /// Filled by `sort()`: the records' places in ascending order; empty where they came in order.
  private var order: [UInt32] = []

  /// A record by its first bytes that not all records share, for comparing without looking at it.
  struct Entry {
    var prefix: UInt64
    var position: UInt32
  }

  /// What a record costs while it is sorted: itself, its entry, and the entry's other place.
  static func byteCount(ofRecord recordByteCount: Int) -> Int {
    recordByteCount + 2 * MemoryLayout<Entry>.stride
  }

  init(recordByteCount: Int) { self.recordByteCount = recordByteCount }

  deinit { for place in unsafe pieces.indices { unsafe pieces[place].deallocate() } }

  /// Takes in `count` records of those that stand in `records`, from the `first`th on.
  mutating func append(_ records: Span<UInt8>, first: Int, count: Int) {
    var done = 0
    while done < count {
      let place = self.count & (Self.recordsInPiece - 1)
      if place == 0 { addPiece() }
      let part = min(count - done, Self.recordsInPiece - place)
      let target = unsafe start(self.count)
      unsafe records.withUnsafeBytes { source in
        guard let start = source.baseAddress else { return }
        unsafe memcpy(
          target, start + (first + done) * recordByteCount, part * recordByteCount)
      }
      done += part
      self.count += part
    }
  }

  /// Gives the next record a piece, if none is left of those before.
  private mutating func addPiece() {
    guard unsafe count == pieces.count * Self.recordsInPiece else { return }
    unsafe pieces.append(
      .allocate(byteCount: Self.recordsInPiece * recordByteCount, alignment: 16))
  }

  mutating func removeAll() {
    count = 0
    order = []
  }

  /// Hands out the record that stands `position`th in the order.
  func copyRecord(at position: Int, to place: inout [UInt8], from start: Int) {
    let source = unsafe self.start(order.isEmpty ? position : Int(order[position]))
    unsafe place.withUnsafeMutableBytes {
      if let target = $0.baseAddress {
        unsafe memcpy(target + start, source, recordByteCount)
      }
    }
  }

  @inline(__always)
  private func start(_ position: Int) -> UnsafeMutableRawPointer {
    unsafe pieces[position / Self.recordsInPiece]
      + (position & (Self.recordsInPiece - 1)) * recordByteCount
  }

  /// Brings `order` into ascending order of the records' bytes.
  mutating func sort() {
    order = []
    guard count > 1 else { return }
    guard let piles = piles() else { return sortAll() }
    if piles.count > 1 { order = merged(piles) }
  }

  /// Compares two records by their bytes.
  func isLess(_ one: Int, _ other: Int) -> Bool {
    unsafe memcmp(start(one), start(other), recordByteCount) < 0
  }

  private mutating func sortAll() {
    let places = telling().prefix(8)
    var entries = (0..<count).map { position in
      let record = unsafe start(position)
      var prefix: UInt64 = 0
      for place in places {
        prefix = unsafe prefix << 8 | UInt64(record.load(fromByteOffset: place, as: UInt8.self))
      }
      return Entry(prefix: prefix, position: UInt32(position))
    }
    RadixSort.sort(&entries, byteCount: places.count)
    settleTies(&entries, from: (places.last ?? recordByteCount - 1) + 1)
    order = entries.map(\.position)
  }

  /// The places of a record at which not all records have the same byte.
  private func telling() -> [Int] {
    var isTelling = [Bool](repeating: false, count: recordByteCount)
    for position in 1..<max(count, 1) {
      let (first, record) = unsafe (start(0), start(position))
      guard unsafe memcmp(record, first, recordByteCount) != 0 else { continue }
      for place in 0..<recordByteCount where !isTelling[place] {
        isTelling[place] =
          unsafe record.load(fromByteOffset: place, as: UInt8.self)
          != first.load(fromByteOffset: place, as: UInt8.self)
      }
    }
    return isTelling.indices.filter { isTelling[$0] }
  }

  /// Orders the records whose prefixes are the same by their bytes from `place` on.
  private func settleTies(_ entries: inout [Entry], from place: Int) {
    let length = recordByteCount - place
    guard length > 0 else { return }
    var start = 0
    while start < entries.count {
      var end = start + 1
      while end < entries.count, entries[end].prefix == entries[start].prefix { end += 1 }
      if end - start > 1 {
        entries[start..<end].sort { left, right in
          unsafe memcmp(
            self.start(Int(left.position)) + place, self.start(Int(right.position)) + place, length)
            < 0
        }
      }
      start = end
    }
  }
}
