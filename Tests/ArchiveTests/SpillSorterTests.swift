import Archive
import SeededNumbers
import Testing

@Suite("Spill sorter")
struct SpillSorterTests {
  /// Records of `byteCount` bytes, of which many are alike and share their first bytes.
  func records(_ count: Int, byteCount: Int, seed: UInt64) -> [[UInt8]] {
    var numbers = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      (0..<byteCount).map { $0 % 3 == 1 ? 7 : UInt8(numbers.next() >> 40 & ($0 < 4 ? 0x81 : 0xff)) }
    }
  }

  func sorted(_ records: [[UInt8]], byteCount: Int, memory: Int) throws -> [[UInt8]] {
    let sorter = SpillSorter(recordByteCount: byteCount, memoryByteCountMaximum: memory)
    for record in records { try sorter.append(record.span) }
    #expect(sorter.recordCount == records.count)
    var sorted = try sorter.finish()
    var list: [[UInt8]] = []
    while try sorted.advance() {
      let record = sorted.record
      list.append(record.indices.map { record[$0] })
    }
    #expect(try sorted.advance() == false)
    return list
  }

  @Test(
    "records come in the order of their bytes, from memory and from a file",
    arguments: [(1, 0), (3, 0), (40, 0), (40, 1 << 30), (9, 1 << 30), (100, 0)])
  func order(byteCount: Int, memory: Int) throws {
    for count in [0, 1, 1024, 1025, 2600] {
      let records = records(count, byteCount: byteCount, seed: UInt64(count))
      #expect(
        try sorted(records, byteCount: byteCount, memory: memory)
          == records.sorted { $0.lexicographicallyPrecedes($1) })
    }
  }

  @Test(
    "records that come nearly in order are brought into order",
    arguments: [1, 2, 5, 250, 300], [0, 1 << 30])
  func nearlyInOrder(pileCount: Int, memory: Int) throws {
    // Several sequences in order, of which pieces come by turns.
    var numbers = SplitMix64(seed: UInt64(pileCount))
    let sequences = (0..<pileCount).map { records(40, byteCount: 9, seed: UInt64($0)) }
    var rest = sequences.map { $0.sorted { $0.lexicographicallyPrecedes($1) }[...] }
    var list: [[UInt8]] = []
    while !rest.isEmpty {
      let one = Int.random(in: rest.indices, using: &numbers)
      let piece = rest[one].prefix(.random(in: 1...9, using: &numbers))
      list += piece
      rest[one] = rest[one].dropFirst(piece.count)
      if rest[one].isEmpty { rest.remove(at: one) }
    }
    let expected = list.sorted { $0.lexicographicallyPrecedes($1) }
    #expect(try sorted(list, byteCount: 9, memory: memory) == expected)
    #expect(try sorted(list.reversed(), byteCount: 9, memory: memory) == expected)
    #expect(try sorted(expected, byteCount: 9, memory: memory) == expected)
  }

  @Test("records that come together are taken in one by one, however many a buffer holds")
  func blocks() throws {
    let records = records(3_000, byteCount: 5, seed: 3)
    let sorter = SpillSorter(recordByteCount: 5, memoryByteCountMaximum: 0)
    for start in stride(from: 0, to: records.count, by: 600) {
      try sorter.append(Array(records[start..<start + 600].joined()).span)
    }
    #expect(sorter.recordCount == records.count)
    var sorted = try sorter.finish()
    for record in records.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      #expect(try sorted.advance())
      let found = sorted.record
      #expect(found.indices.map { found[$0] } == record)
    }
    #expect(try !sorted.advance())
  }

  @Test("records that are all the same stay all")
  func equalRecords() throws {
    let records = [[UInt8]](repeating: [1, 2, 3], count: 3000)
    #expect(try sorted(records, byteCount: 3, memory: 0) == records)
  }

  @Test("a folder that can't be written is said when it is needed")
  func noFolder() throws {
    let sorter = SpillSorter(
      recordByteCount: 1, memoryByteCountMaximum: 0, folder: "/dev/null/nowhere")
    let record: [UInt8] = [0]
    for _ in 0..<1024 { try sorter.append(record.span) }
    #expect(throws: ArchiveError.self) { try sorter.append(record.span) }
  }
}
