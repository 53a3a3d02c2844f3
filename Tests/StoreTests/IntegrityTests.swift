import Dispatch
import FHIRModel
import KeyValue
import Search
import Store
import Testing

@Suite("the check of a store")
struct IntegrityTests {
  private func filled() throws -> Fixture {
    let fixture = try Fixture(.memory)
    for turn in 0..<5 {
      try fixture.perform(.update(.patient("p\(turn)", family: "F", identifier: "i"), if: .none))
      try fixture.perform(
        .update(.observation("o\(turn)", of: "p\(turn)", at: "2026-10-0\(turn + 1)"), if: .none))
      try fixture.perform(
        .update(.observation("o\(turn)", of: "p\(turn)", at: "2026-11-0\(turn + 1)"), if: .none))
    }
    try fixture.perform(.delete(try id("Observation/o3"), if: .none))
    return fixture
  }

  @Test("finds nothing in a sound one, and counts what is there")
  func clean() throws {
    let integrity = try filled().integrity()
    #expect(integrity.differences == [])
    #expect(integrity.resourceCount == 10)
    #expect(integrity.versionCount == 16)
  }

  private func table(_ name: String) throws -> Table {
    try #require(ResourceStore.tables.first { $0.name == name })
  }

  /// The keys of a table, in order.
  private func keys(of table: Table, _ fixture: Fixture) throws -> [Key] {
    try fixture.bench.engine.read { snapshot in
      var keys: [Key] = []
      let note: (Span<UInt8>) -> Step = { key in
        keys.append(Key(key))
        return .next
      }
      if table.kind != .postings {
        try snapshot.walk(table, .everything, .forward) { key, _ in note(key) }
      } else {
        try snapshot.walkPostings(table, .everything, .forward) { key, _ in note(key) }
      }
      return keys
    }
  }

  @Test(
    "names whatever is taken away",
    arguments: [
      ("store-ids", Integrity.Difference.Kind.wrongID),
      ("store-current", .gapInNumbers),
      ("store-superseded", .wrongHistory),
      ("store-changes", .missingChange),
      ("search-postings", .missingIndexEntry),
      ("search-series", .missingIndexEntry),
      ("search-terms", .missingIndexEntry),
    ])
  func removed(name: String, kind: Integrity.Difference.Kind) throws {
    let table = try table(name)
    for place in 0..<3 {
      let fixture = try filled()
      let keys = try keys(of: table, fixture)
      // The first key of the terms is their counter.
      let key = keys[1 + place * (keys.count - 2) / 3]
      try fixture.bench.engine.write { transaction in
        if table.kind != .postings {
          try transaction.removeValue(at: key, in: table)
        } else {
          var numbers: [UInt64] = []
          try transaction.reader.numbers(at: key, in: table, from: 0) { span in
            for position in span.indices { numbers.append(span[position]) }
            return true
          }
          try transaction.remove(try #require(numbers.first), at: key, in: table)
        }
      }
      let found = Set(try fixture.integrity().differences.map(\.kind))
      // A patient to whom nothing refers has a number for facets alone.
      let isKnownByNumber = name == "search-terms" && found.contains(.wrongTerm)
      #expect(found.contains(kind) || isKnownByNumber, "\(found)")
    }
  }

  @Test("names what was added")
  func added() throws {
    let series = try table("search-series")
    let fixture = try filled()
    let key = try #require(try keys(of: series, fixture).first)
    try fixture.bench.engine.write { transaction in
      try transaction.insert(1, at: key, in: series)
      try transaction.insert(4711, at: key, in: series)
    }
    #expect(
      try fixture.integrity().differences.map(\.kind) == [.strayIndexEntry, .strayIndexEntry])
  }

  @Test("names by table and key what has nothing behind it")
  func strays() throws {
    // Resource 1 is a Patient of one version; there is no resource 4711.
    let missing: [UInt8] = [0, 0, 0, 0, 0, 0, 0x12, 0x67]
    let first: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
    let moment: [UInt8] = [0x80, 0, 0, 0, 0, 0, 0, 9]
    let table: [(String, key: [UInt8], value: [UInt8], Integrity.Difference.Kind)] = [
      ("store-ids", [1, 1, 0x78], first, .strayID),
      ("store-ids", [1, 1, 0x79], missing, .strayID),
      ("store-changes", [1] + moment + first, [0, 0, 0, 1], .strayChange),
      ("store-changes", [1] + moment + missing, [0, 0, 0, 1], .strayChange),
    ]
    for (name, key, value, kind) in table {
      let fixture = try filled()
      let stray = try self.table(name)
      try fixture.bench.engine.write { try $0.put(value, at: Key(key), in: stray) }
      let hexadecimal = key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      #expect(
        try fixture.integrity().differences.map(\.description)
          == ["\(kind.rawValue): \(name) at \(hexadecimal)"])
    }
    let fixture = try filled()
    let superseded = try self.table("store-superseded")
    let known = try #require(try keys(of: superseded, fixture).first)
    let found = try fixture.bench.engine.read { try $0.value(at: known, in: superseded) }
    let version = try #require(found)
    let key = Key(missing + [0, 0, 0, 1])
    try fixture.bench.engine.write { try $0.put(version, at: key, in: superseded) }
    #expect(
      try fixture.integrity().differences.map(\.description)
        == ["stray version: store-superseded at 000000000000126700000001"])
  }

  @Test("lists some of what a table lacks, and how many more there are")
  func many() throws {
    let series = try table("search-series")
    let fixture = try filled()
    let keys = try keys(of: series, fixture)
    var count = 0
    try fixture.bench.engine.write { transaction in
      for key in keys {
        for number: UInt64 in 5_000..<5_010 {
          try transaction.insert(number, at: key, in: series)
          count += 1
        }
      }
    }
    try #require(count > 20)
    let integrity = try fixture.integrity()
    #expect(integrity.differenceCount == UInt64(count))
    #expect(integrity.listing.count == 21)
    #expect(
      integrity.listing.last == "stray index entry: \(count - 20) more in search-series")
  }

  @Test("says the same with several threads as with one", arguments: Bench.EngineKind.allCases)
  func threads(kind: Bench.EngineKind) throws {
    let fixture = try Fixture(kind)
    for turn in 0..<30 {
      try fixture.perform(
        .update(.observation("o\(turn)", of: "p\(turn % 3)", at: "2026-10-01"), if: .none))
    }
    let postings = try table("search-postings")
    let key = try #require(try keys(of: postings, fixture).first)
    for isDamaged in [false, true] {
      if isDamaged {
        _ = try fixture.bench.engine.write { try $0.insert(4711, at: key, in: postings) }
      }
      let one = try fixture.integrity()
      let several = try Integrity(
        of: fixture.store, in: fixture.bench.engine,
        run: { work in DispatchQueue.concurrentPerform(iterations: 4) { _ in work() } })
      #expect(one.differences == several.differences && one.isClean != isDamaged)
      #expect(one.indexEntryCount == several.indexEntryCount)
      #expect(several.resourceCount == 30 && several.versionCount == 30)
    }
  }

  @Test(
    "names a changed byte in a value, and survives every one",
    arguments: ["store-current", "store-superseded"])
  func damaged(name: String) throws {
    let table = try table(name)
    let fixture = try filled()
    let key = try #require(try keys(of: table, fixture).first)
    let value = try #require(
      try fixture.bench.engine.read { snapshot in try snapshot.value(at: key, in: table) })
    // Every byte before the content, and a sample of those in it.
    for position in value.indices where position < 130 || position % 29 == 0 {
      for changed in [value[position] ^ 0x01, value[position] ^ 0x80, 0xFF]
      where changed != value[position] {
        var damaged = value
        damaged[position] = changed
        let written = damaged
        try fixture.bench.engine.write { try $0.put(written, at: key, in: table) }
        #expect(try !fixture.integrity().isClean, "byte \(position) as \(changed)")
      }
    }
    let cut = Array(value.dropLast(value.count / 2))
    try fixture.bench.engine.write { try $0.put(cut, at: key, in: table) }
    #expect(try !fixture.integrity().isClean)
  }

  @Test(
    "is clean again after a reindex, whatever was wrong in the index",
    arguments: Bench.EngineKind.allCases)
  func reindex(kind: Bench.EngineKind) throws {
    let fixture = try Fixture(kind)
    for turn in 0..<30 {
      try fixture.perform(
        .update(.observation("o\(turn)", of: "p\(turn % 3)", at: "2026-10-01"), if: .none))
    }
    let tables = SearchIndex.postingTables
    try fixture.bench.engine.write { transaction in
      for table in tables {
        var entries: [(Key, UInt64)] = []
        try transaction.reader.walkPostings(table, .everything, .forward) { key, number in
          entries.append((Key(key), number))
          return .next
        }
        for (position, entry) in entries.enumerated() where position % 3 == 0 {
          try transaction.remove(entry.1, at: entry.0, in: table)
          try transaction.insert(entry.1 + 1, at: entry.0, in: table)
        }
      }
    }
    #expect(try !fixture.integrity().isClean)
    try fixture.store.reindex(fixture.bench.engine)
    #expect(try fixture.integrity().differences == [])
    #expect(try fixture.found("Observation?subject=Patient/p0&_count=50").count == 10)
  }
}
