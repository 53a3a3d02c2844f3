import KeyValue
import LMDBStorage
import SeededNumbers
import Testing

/// Random transactions against an engine and against dictionaries, which must always agree.
///
/// Every run has seeds of its own; a failure names its seed, which `seeds` then repeats.
@Suite("Whatever is done to an engine, it holds what a dictionary holds")
struct SimulationTests {
  static let seeds = (0..<3).map { _ in UInt64.random(in: .min ... .max) }

  @Test("in any order, with abandoned changes", arguments: EngineUnderTest.allCases, seeds)
  func simulation(engine: EngineUnderTest, seed: UInt64) throws {
    var simulation = Simulation(seed: seed)
    try engine.with { engine in
      for round in 0..<20 {
        try simulation.change(engine)
        try engine.read { try simulation.compare($0, "seed \(seed), round \(round)") }
      }
    }
  }

  @Test("when it is opened again each time", arguments: seeds.prefix(2))
  func reopened(seed: UInt64) throws {
    var simulation = Simulation(seed: seed)
    try withFolder { folder in
      for round in 0..<20 {
        let engine = try LMDBEngine(
          at: folder, tables: EngineUnderTest.tables, format: 1,
          options: LMDBOptions(
            mapByteCount: 64 << 10, mapByteCountMaximum: 64 << 20, reserveByteCount: 32 << 10))
        defer { engine.close() }
        try simulation.change(engine)
        try engine.read { try simulation.compare($0, "seed \(seed), round \(round)") }
      }
    }
  }
}

/// What the engine should hold, and the dice.
private struct Simulation {
  struct Model: Sendable {
    var values: [Key: [UInt8]] = [:]
    var numbers: [Key: Set<UInt64>] = [:]
  }

  private struct Abandoned: Error {}

  var model = Model()
  var dice: SplitMix64

  init(seed: UInt64) { dice = SplitMix64(seed: seed) }

  /// Makes some changes at once, of which some are abandoned.
  mutating func change(_ engine: any Engine) throws {
    for _ in 0..<dice.upTo(4) {
      let planned = dice
      let before = model
      let isAbandoned = dice.upTo(5) == 0
      var next: (Model, SplitMix64)?
      do {
        try engine.write { transaction in
          // An engine may run this more than once, always from the same state.
          var inner = Simulation(seed: 0)
          inner.model = before
          inner.dice = planned
          try inner.write(in: &transaction, depth: 0)
          next = (inner.model, inner.dice)
          if isAbandoned { throw Abandoned() }
        }
      } catch is Abandoned {}
      if let next {
        dice = next.1
        model = isAbandoned ? before : next.0
      }
    }
  }

  private mutating func write(in transaction: inout WriteTransaction, depth: Int) throws {
    for _ in 0..<dice.upTo(30) {
      switch dice.upTo(12) {
      case 0 where depth < 3: try nested(in: &transaction, depth: depth)
      case 0...3: try put(in: &transaction)
      case 4...5: try remove(in: &transaction)
      case 6...9: try insert(in: &transaction)
      default: try takeOut(in: &transaction)
      }
    }
  }

  private mutating func nested(in transaction: inout WriteTransaction, depth: Int) throws {
    let before = model
    let isAbandoned = dice.upTo(2) == 0
    var inner = self
    do {
      try transaction.nested { nested in
        try inner.write(in: &nested, depth: depth + 1)
        if isAbandoned { throw Abandoned() }
      }
    } catch is Abandoned {}
    self = inner
    if isAbandoned { model = before }
  }

  private mutating func put(in transaction: inout WriteTransaction) throws {
    let key = dice.key()
    let value = dice.value()
    if dice.upTo(3) == 0 {
      try transaction.append(value, at: key, in: EngineUnderTest.values)
    } else {
      try transaction.put(value, at: key, in: EngineUnderTest.values)
    }
    model.values[key] = value
  }

  private mutating func remove(in transaction: inout WriteTransaction) throws {
    let key = dice.of(model.values.keys) ?? dice.key()
    let wasThere = try transaction.removeValue(at: key, in: EngineUnderTest.values)
    #expect(wasThere == (model.values.removeValue(forKey: key) != nil))
  }

  private mutating func insert(in transaction: inout WriteTransaction) throws {
    let key = dice.postingsKey()
    // Some sets become large, so that they outgrow their page.
    for _ in 0..<(dice.upTo(10) == 0 ? 700 : 3) {
      let number = dice.number()
      let isNew = try transaction.insert(number, at: key, in: EngineUnderTest.postings)
      #expect(isNew == model.numbers[key, default: []].insert(number).inserted)
    }
  }

  private mutating func takeOut(in transaction: inout WriteTransaction) throws {
    let key = dice.of(model.numbers.keys) ?? dice.postingsKey()
    let rising = model.numbers[key, default: []].sorted()
    for _ in 0..<(dice.upTo(10) == 0 ? 500 : 2) {
      let number = dice.of(sorted: rising) ?? dice.number()
      let wasThere = try transaction.remove(number, at: key, in: EngineUnderTest.postings)
      #expect(wasThere == (model.numbers[key]?.remove(number) != nil))
      if model.numbers[key]?.isEmpty ?? false { model.numbers[key] = nil }
    }
  }

  /// Every question a reader answers, asked of both.
  mutating func compare(_ snapshot: borrowing Reader, _ place: String) throws {
    let range = dice.range()
    for direction in [Direction.forward, .backward] {
      try comparePairs(snapshot, .everything, direction, place)
      try comparePairs(snapshot, range, direction, place)
      try compareSeeks(snapshot, direction, place)
    }
    let key = dice.of(model.numbers.keys) ?? dice.postingsKey()
    try compareNumbers(snapshot, key, place)
  }

  private func comparePairs(
    _ snapshot: borrowing Reader, _ range: KeyRange, _ direction: Direction, _ place: String
  ) throws {
    let keys = ordered(model.values.keys, range, direction)
    var found: [Key] = []
    try snapshot.walk(EngineUnderTest.values, range, direction) { key, value in
      let key = Key(key)
      found.append(key)
      if model.values[key] != Key(value).bytes { Issue.record("\(place): value at \(key)") }
      return .next
    }
    #expect(found == keys, "\(place): keys \(direction)")

    var pairs: [Pair] = []
    try snapshot.walkPostings(EngineUnderTest.postings, range, direction) { key, number in
      pairs.append(Pair(key: Key(key), number: number))
      return .next
    }
    let expected = ordered(model.numbers.keys, range, direction).flatMap { key in
      let rising = model.numbers[key, default: []].sorted()
      return (direction == .forward ? rising : rising.reversed()).map { Pair(key: key, number: $0) }
    }
    #expect(pairs == expected, "\(place): postings \(direction)")
  }

  private struct Pair: Equatable {
    var key: Key
    var number: UInt64
  }

  private func ordered(
    _ keys: some Sequence<Key>, _ range: KeyRange, _ direction: Direction
  ) -> [Key] {
    let inside = keys.filter { key in key >= range.lower && range.upper.map { key < $0 } ?? true }
    return direction == .forward ? inside.sorted() : inside.sorted().reversed()
  }

  /// A walk over postings that jumps ahead at every key.
  private mutating func compareSeeks(
    _ snapshot: borrowing Reader, _ direction: Direction, _ place: String
  ) throws {
    let keys = ordered(model.numbers.keys, .everything, direction)
    let targets = (0..<3).map { _ in dice.postingsKey() }
    func target(after key: Key) -> Key? {
      targets.filter { direction == .forward ? $0 > key : $0 < key }
        .min { direction == .forward ? $0 < $1 : $0 > $1 }
    }
    var expected: [Key] = []
    var next = keys.first
    while let key = next {
      expected.append(key)
      guard let target = target(after: key) else { break }
      next = keys.first { direction == .forward ? $0 >= target : $0 <= target }
    }
    var found: [Key] = []
    var isFirstNumber = true
    try snapshot.walkPostings(EngineUnderTest.postings, .everything, direction) { key, number in
      let key = Key(key)
      let numbers = model.numbers[key, default: []]
      isFirstNumber = number == (direction == .forward ? numbers.min() : numbers.max())
      if !isFirstNumber { Issue.record("\(place): seek \(direction) met \(number) at \(key)") }
      found.append(key)
      return target(after: key).map { .seek($0) } ?? .stop
    }
    #expect(found == expected, "\(place): seeks \(direction)")
  }

  private mutating func compareNumbers(
    _ snapshot: borrowing Reader, _ key: Key, _ place: String
  ) throws {
    let rising = model.numbers[key, default: []].sorted()
    let first = dice.of(sorted: rising) ?? dice.number()
    var found: [UInt64] = []
    try snapshot.numbers(at: key, in: EngineUnderTest.postings, from: first) { page in
      for position in page.indices { found.append(page[position]) }
      return true
    }
    #expect(found == rising.filter { $0 >= first }, "\(place): numbers from \(first)")
    let count = try snapshot.count(at: key, in: EngineUnderTest.postings)
    #expect(count == rising.count, "\(place): count")
    for number in [first, dice.number()] {
      let isMember = try snapshot.contains(number, at: key, in: EngineUnderTest.postings)
      #expect(isMember == rising.contains(number), "\(place): contains \(number)")
    }
  }
}

extension SplitMix64 {
  mutating func upTo(_ end: Int) -> Int { Int.random(in: 0..<end, using: &self) }

  /// One of the elements, in an order that doesn't change from run to run.
  mutating func of<Element: Comparable>(_ elements: some Collection<Element>)
    -> Element?
  {
    of(sorted: elements.sorted())
  }

  mutating func of<Element>(sorted elements: [Element]) -> Element? {
    guard !elements.isEmpty, upTo(4) > 0 else { return nil }
    return elements[upTo(elements.count)]
  }

  /// Of few letters, so that keys meet and are prefixes of one another; now and then of full length.
  mutating func key() -> Key {
    let count = upTo(20) == 0 ? 511 : 1 + upTo(4)
    return Key((0..<count).map { _ in [UInt8(0), 1, 127, 128, 255][upTo(5)] })
  }

  mutating func postingsKey() -> Key { Key((0...upTo(2)).map { _ in UInt8(upTo(4)) }) }

  mutating func value() -> [UInt8] {
    let count = [0, 1, 30, 1500, 2100, 9000][upTo(6)]
    return [UInt8](repeating: UInt8(upTo(256)), count: count)
  }

  mutating func number() -> UInt64 {
    switch upTo(10) {
    case 0: .max - UInt64(upTo(3))
    case 1: UInt64(upTo(3))
    default: UInt64(upTo(4000))
    }
  }

  mutating func range() -> KeyRange {
    let ends = [key(), key()].sorted()
    return KeyRange(from: upTo(4) == 0 ? Key() : ends[0], to: upTo(4) == 0 ? nil : ends[1])
  }
}
