/// The view of a memory engine's tables at one commit, and the changes under way on a copy of it.
final class MemoryTransaction: WritingBackend {
  let commit: Commit
  private(set) var tables: [Int: MemoryTable]

  init(tables: [Int: MemoryTable], commit: Commit) {
    self.tables = tables
    self.commit = commit
  }

  private func table(_ table: Table) -> MemoryTable {
    guard let found = tables[table.position] else {
      preconditionFailure("table \(table.name) was not given to the engine")
    }
    return found
  }

  func withValue(at key: Key, in table: Table, _ body: (Span<UInt8>) throws -> Void) throws {
    try key.checkByteCount()
    let table = self.table(table)
    guard let position = table.found(key) else { return }
    let value = table.values[position]
    try body(value.span)
  }

  func walk(
    _ table: Table, _ range: KeyRange, _ direction: Direction,
    _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws -> Step
  ) throws {
    let table = self.table(table)
    try walkKeys(of: table, range, direction) { position in
      let key = table.keys[position].bytes
      let value = table.values[position]
      return try body(key.span, value.span)
    }
  }

  func walkPostings(
    _ table: Table, _ range: KeyRange, _ direction: Direction,
    _ body: (_ key: Span<UInt8>, _ number: UInt64) throws -> Step
  ) throws {
    let table = self.table(table)
    try walkKeys(of: table, range, direction) { position in
      let key = table.keys[position].bytes
      let rising = table.numbers[position]
      for number in direction == .forward ? rising : rising.reversed() {
        let step = try body(key.span, number)
        guard case .next = step else { return step }
      }
      return .next
    }
  }

  private func walkKeys(
    of table: MemoryTable, _ range: KeyRange, _ direction: Direction,
    _ body: (Int) throws -> Step
  ) throws {
    let lower = table.position(of: range.lower)
    let upper = range.upper.map { table.position(of: $0) } ?? table.keys.count
    var position = direction == .forward ? lower : upper - 1
    while position >= lower, position < upper {
      let current = table.keys[position]
      switch try body(position) {
      case .next: position += direction == .forward ? 1 : -1
      case .stop: return
      case .seek(let key) where direction == .forward:
        precondition(key > current, "a forward walk seeks forward")
        position = table.position(of: key)
      case .seek(let key):
        precondition(key < current, "a backward walk seeks backward")
        position = table.found(key) ?? table.position(of: key) - 1
      }
    }
  }

  func numbers(
    at key: Key, in table: Table, from first: UInt64, _ body: (Span<UInt64>) throws -> Bool
  ) throws {
    try key.checkByteCount()
    let table = self.table(table)
    guard let position = table.found(key) else { return }
    let all = table.numbers[position]
    let wanted = all.span.extracting(all.firstPosition(from: first)..<all.count)
    // Pages as an engine on disk lends them, so that callers meet more than one.
    var start = 0
    while start < wanted.count {
      let end = min(start + 64, wanted.count)
      guard try body(wanted.extracting(start..<end)) else { return }
      start = end
    }
  }

  func count(at key: Key, in table: Table) throws -> Int {
    try key.checkByteCount()
    let table = self.table(table)
    return table.found(key).map { table.numbers[$0].count } ?? 0
  }

  func contains(_ number: UInt64, at key: Key, in table: Table) throws -> Bool {
    try key.checkByteCount()
    let table = self.table(table)
    guard let position = table.found(key) else { return false }
    let numbers = table.numbers[position]
    let place = numbers.firstPosition(from: number)
    return place < numbers.count && numbers[place] == number
  }

  func put(_ value: Span<UInt8>, at key: Key, in table: Table) throws {
    try key.checkByteCount()
    tables[table.position]?.put(Key(value).bytes, at: key)
  }

  func append(_ value: Span<UInt8>, at key: Key, in table: Table) throws {
    try put(value, at: key, in: table)
  }

  func removeValue(at key: Key, in table: Table) throws -> Bool {
    try key.checkByteCount()
    return tables[table.position]?.removeValue(at: key) ?? false
  }

  func insert(_ number: UInt64, at key: Key, in table: Table) throws -> Bool {
    try key.checkByteCount()
    return tables[table.position]?.insert(number, at: key) ?? false
  }

  func remove(_ number: UInt64, at key: Key, in table: Table) throws -> Bool {
    try key.checkByteCount()
    return tables[table.position]?.remove(number, at: key) ?? false
  }

  func nested(_ body: (any WritingBackend) throws -> Void) throws {
    let before = tables
    do {
      try body(self)
    } catch {
      tables = before
      throw error
    }
  }
}

extension Key {
  /// - Throws: `StorageError.keyByteCount` for a key that an engine can't hold.
  package func checkByteCount() throws(StorageError) {
    guard 1...Key.byteCountMaximum ~= bytes.count else {
      throw .keyByteCount(bytes.count)
    }
  }
}
