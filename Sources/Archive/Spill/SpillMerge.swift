/// A sorted part in the temporary file.
struct SpillRun {
  /// The part's first byte in the file.
  let start: Int
  let recordCount: Int
}

/// Merges sorted parts, each read a block at a time.
struct SpillMerge {
  private let file: SpillFile
  private let recordByteCount: Int
  private let blockRecordCount: Int
  private var heads: [Head] = []
  /// The heads' positions as a heap, the smallest record's first.
  private var heap: [Int] = []

  private struct Head {
    /// The first byte in the file that isn't in `block`, and how many records follow from there.
    var fileOffset: Int
    var remaining: Int
    var block: [UInt8]
    /// Where in `block` the record stands, and where its records end.
    var position = 0
    var end = 0
    /// The record's first eight bytes, or all.
    var prefix: UInt64 = 0
  }

  init(
    of runs: [SpillRun], in file: SpillFile, recordByteCount: Int, memoryByteCountMaximum: Int
  ) throws(ArchiveError) {
    self.file = file
    self.recordByteCount = recordByteCount
    let share = memoryByteCountMaximum / max(1, runs.count) / recordByteCount
    blockRecordCount = max(1, min(share, (1 << 20) / recordByteCount))
    for run in runs where run.recordCount > 0 {
      let block = [UInt8](repeating: 0, count: blockRecordCount * recordByteCount)
      heads.append(Head(fileOffset: run.start, remaining: run.recordCount, block: block))
      _ = try load(heads.count - 1)
    }
    heap = Array(heads.indices)
    for position in heap.indices.reversed() { siftDown(from: position) }
  }

  private mutating func siftDown(from start: Int) {
    heap.siftDown(from: start) { [heads, recordByteCount] in
      Self.isLess($0, $1, of: heads, byteCount: recordByteCount)
    }
  }

  /// Copies the smallest record that is left; `false` if there is none.
  mutating func next(into record: inout [UInt8]) throws(ArchiveError) -> Bool {
    guard let first = heap.first else { return false }
    let start = heads[first].position
    record.removeAll(keepingCapacity: true)
    do {
      let block = heads[first].block
      record.append(copying: block.span.extracting(start..<start + recordByteCount))
    }
    if try advance(first) {
      siftDown(from: 0)
    } else {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
      if !heap.isEmpty { siftDown(from: 0) }
    }
    return true
  }

  private mutating func advance(_ index: Int) throws(ArchiveError) -> Bool {
    heads[index].position += recordByteCount
    if heads[index].position < heads[index].end {
      heads[index].prefix = prefix(of: heads[index])
      return true
    }
    return try load(index)
  }

  /// Reads the next block; `false` if there is none.
  private mutating func load(_ index: Int) throws(ArchiveError) -> Bool {
    let count = min(blockRecordCount, heads[index].remaining)
    guard count > 0 else { return false }
    try file.read(
      count * recordByteCount, at: heads[index].fileOffset, into: &heads[index].block)
    heads[index].fileOffset += count * recordByteCount
    heads[index].remaining -= count
    heads[index].position = 0
    heads[index].end = count * recordByteCount
    heads[index].prefix = prefix(of: heads[index])
    return true
  }

  private func prefix(of head: Head) -> UInt64 {
    var prefix: UInt64 = 0
    for position in 0..<min(8, recordByteCount) {
      prefix = prefix << 8 | UInt64(head.block[head.position &+ position])
    }
    return prefix
  }

  private static func isLess(
    _ left: Int, _ right: Int, of heads: [Head], byteCount recordByteCount: Int
  ) -> Bool {
    let (leftPrefix, rightPrefix) = (heads[left].prefix, heads[right].prefix)
    if leftPrefix != rightPrefix { return leftPrefix < rightPrefix }
    let (leftStart, rightStart) = (heads[left].position, heads[right].position)
    for position in 8..<max(8, recordByteCount) {
      let one = heads[left].block[leftStart &+ position]
      let other = heads[right].block[rightStart &+ position]
      if one != other { return one < other }
    }
    return false
  }
}
