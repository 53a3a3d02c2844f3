import KeyValue
import Testing

@Suite("A numbered table is ordered by its numbers, however an engine holds them")
struct NumberedTableTests {
  private static let table = EngineUnderTest.numbered
  /// Ordered otherwise where bytes are compared from the lowest, or as signed numbers.
  private static let numbers: [UInt64] = [0, 1, 255, 256, 0x0102, 1 << 32, 1 << 63, .max]

  private static func fill(_ engine: any Engine) throws {
    try engine.write { transaction in
      for number in numbers.reversed() {
        try transaction.put(
          Array("\(number)".utf8), at: Key().appending(number), in: table)
      }
    }
  }

  @Test("a value is found by its number and by its key", arguments: EngineUnderTest.allCases)
  func values(engine: EngineUnderTest) throws {
    try engine.with { engine in
      try Self.fill(engine)
      try engine.read { snapshot in
        for number in Self.numbers {
          var found = ""
          let isThere = try snapshot.withValue(of: number, in: Self.table) { found = text($0) }
          #expect(isThere && found == "\(number)")
          try expect(
            snapshot.value(at: Key().appending(number), in: Self.table), Array(found.utf8))
        }
        let isThere = try snapshot.withValue(of: 2, in: Self.table) { _ in
          Issue.record("2 has a value")
        }
        #expect(!isThere)
      }
    }
  }

  @Test("walks go by number, both ways, within a range", arguments: EngineUnderTest.allCases)
  func walks(engine: EngineUnderTest) throws {
    try engine.with { engine in
      try Self.fill(engine)
      try engine.read { snapshot in
        let middle = KeyRange(
          from: Key().appending(UInt64(2)), to: Key().appending(UInt64(1) << 63))
        try expect(snapshot.numbers(.everything, .forward), Self.numbers)
        try expect(snapshot.numbers(.everything, .backward), Self.numbers.reversed())
        try expect(snapshot.numbers(middle, .forward), [255, 256, 0x0102, 1 << 32])
        try expect(snapshot.numbers(middle, .backward), [1 << 32, 0x0102, 256, 255])
        try expect(
          snapshot.numbers(.everything, .forward, seeking: 257, from: 1),
          [0, 1, 0x0102, 1 << 32, 1 << 63, .max])
        try expect(
          snapshot.numbers(.everything, .backward, seeking: 254, from: 1 << 63),
          [.max, 1 << 63, 1, 0])
      }
    }
  }

  @Test("values are removed, appended and put out of order", arguments: EngineUnderTest.allCases)
  func changes(engine: EngineUnderTest) throws {
    try engine.with { engine in
      try Self.fill(engine)
      try engine.write { transaction in
        try expect(
          transaction.removeValue(at: Key().appending(UInt64(255)), in: Self.table), true)
        try expect(
          transaction.removeValue(at: Key().appending(UInt64(254)), in: Self.table), false)
        try transaction.append([1], at: Key().appending(UInt64(7)), in: Self.table)
      }
      try engine.read { snapshot in
        try expect(
          snapshot.numbers(.everything, .forward), [0, 1, 7, 256, 0x0102, 1 << 32, 1 << 63, .max])
      }
    }
  }

  @Test("a key that is no number is refused", arguments: EngineUnderTest.allCases)
  func otherKeys(engine: EngineUnderTest) throws {
    try engine.with { engine in
      for count in [1, 7, 9] {
        let key = Key([UInt8](repeating: 1, count: count))
        #expect(throws: StorageError.keyByteCount(count)) {
          try engine.write { try $0.put([1], at: key, in: Self.table) }
        }
        #expect(throws: StorageError.keyByteCount(count)) {
          try engine.read { try $0.value(at: key, in: Self.table) }
        }
        #expect(throws: StorageError.keyByteCount(count)) {
          try engine.read { try $0.numbers(KeyRange(from: key, to: nil), .forward) }
        }
      }
    }
  }
}

extension Reader {
  /// The numbers of a walk; at `place` it seeks `target`.
  fileprivate func numbers(
    _ range: KeyRange, _ direction: Direction, seeking target: UInt64? = nil,
    from place: UInt64? = nil
  ) throws -> [UInt64] {
    var found: [UInt64] = []
    try walk(EngineUnderTest.numbered, range, direction) { key, _ in
      found.append(Key(key).bytes.reduce(0) { $0 << 8 | UInt64($1) })
      guard let target, found.last == place else { return .next }
      return .seek(Key().appending(target))
    }
    return found
  }
}
