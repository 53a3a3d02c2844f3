import Archive
import Testing

@Suite("Spill sorter")
struct SpillSorterTests {
  struct Numbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state
    }
  }

  /// Records of `byteCount` bytes, of which many are alike and share their first bytes.
  func records(_ count: Int, byteCount: Int, seed: UInt64) -> [[UInt8]] {
    var numbers = Numbers(state: seed)
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
