/// The view of a memory engine's tables at one commit, and the changes under way on a copy of it.
final class MemoryTransaction: ReadingBackend, WritingBackend {
  var reading: any ReadingBackend { self }

  let commit: Commit
  private(set) var tables: MemoryTables
  private let capacity: Int
  /// Set when something didn't fit: the change around it can't be kept then.
  private(set) var isFull = false
  private(set) var hasChanged = false

  init(tables: MemoryTables, commit: Commit, capacity: Int = .max) {
    self.tables = tables
    self.commit = commit
    self.capacity = capacity
  }

  func value(at key: Key, in table: Table) throws -> [UInt8]? {
    try key.checkByteCount(table.kind)
    return tables.values(of: table)[key]
  }

  func withValue(at key: Key, in table: Table, _ body: (Span<UInt8>) throws -> Void) throws {
    if let value = try value(at: key, in: table) { try body(value.span) }
  }

  func withValue(
    of number: UInt64, in table: Table, _ body: (Span<UInt8>) throws -> Void
  ) throws -> Bool {
    precondition(table.kind == .numbered, "\(table.name) is no numbered table")
    guard let value = try value(at: Key().appending(number), in: table) else { return false }
    try body(value.span)
    return true
  }

  func walk(
    _ table: Table, _ range: KeyRange, _ direction: Direction,
    _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws -> Step
  ) throws {
    try tables.values(of: table).walk(table.kind, range, direction) { key, value in
      try body(key.bytes.span, value.span)
    }
  }

  func walkPostings(
    _ table: Table, _ range: KeyRange, _ direction: Direction,
    _ body: (_ key: Span<UInt8>, _ number: UInt64) throws -> Step
  ) throws {
    try tables.numbers(of: table).walk(table.kind, range, direction) { key, rising in
      for number in direction == .forward ? rising : rising.reversed() {
        let step = try body(key.bytes.span, number)
        guard case .next = step else { return step }
      }
      return .next
    }
  }

  func numbers(
    at key: Key, in table: Table, from first: UInt64, _ body: (Span<UInt64>) throws -> Bool
  ) throws {
    let all = try numbers(at: key, in: table)
    var start = all.firstPosition(from: first)
    // In pages, as an engine on disk lends them, so that callers meet more than one.
    while start < all.count {
      let end = min(start + 64, all.count)
      guard try body(all.span.extracting(start..<end)) else { return }
      start = end
    }
  }

  private func numbers(at key: Key, in table: Table) throws -> [UInt64] {
    try key.checkByteCount(table.kind)
    return tables.numbers(of: table)[key] ?? []
  }

  func count(at key: Key, in table: Table) throws -> Int {
    try numbers(at: key, in: table).count
  }

  func contains(_ number: UInt64, at key: Key, in table: Table) throws -> Bool {
    let numbers = try numbers(at: key, in: table)
    let place = numbers.firstPosition(from: number)
    return place < numbers.count && numbers[place] == number
  }

  func put(_ value: Span<UInt8>, at key: Key, in table: Table) throws {
    try change(key, in: table) { tables in
      _ = tables.setValue(Key(value).bytes, at: key, in: table)
      return true
    }
  }

  func append(_ value: Span<UInt8>, at key: Key, in table: Table) throws {
    try put(value, at: key, in: table)
  }

  func removeValue(at key: Key, in table: Table) throws -> Bool {
    try change(key, in: table) { $0.setValue(nil, at: key, in: table) }
  }

  func insert(_ number: UInt64, at key: Key, in table: Table) throws -> Bool {
    try change(key, in: table) { $0.setNumber(number, isMember: true, at: key, in: table) }
  }

  func remove(_ number: UInt64, at key: Key, in table: Table) throws -> Bool {
    try change(key, in: table) { $0.setNumber(number, isMember: false, at: key, in: table) }
  }

  @discardableResult
  private func change(
    _ key: Key, in table: Table, _ body: (inout MemoryTables) -> Bool
  ) throws -> Bool {
    try key.checkByteCount(table.kind)
    let before = tables.byteCount
    let result = body(&tables)
    if result { hasChanged = true }
    if tables.byteCount > capacity, tables.byteCount > before { isFull = true }
    if isFull { throw StorageError.full }
    return result
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

extension SortedMap {
  /// Lends the entries of a range in order, as `Reader.walk` says.
  fileprivate func walk(
    _ kind: Table.Kind, _ range: KeyRange, _ direction: Direction,
    _ body: (Key, Value) throws -> Step
  ) throws {
    try range.checkByteCounts(kind)
    var next = direction == .forward ? place(from: range.lower) : last(before: range.upper)
    while let place = next, place != end, range.holds(key(at: place), direction) {
      let key = key(at: place)
      switch try body(key, value(at: place)) {
      case .next:
        next = direction == .forward ? self.place(after: place) : self.place(before: place)
      case .stop: return
      case .seek(let target): next = try seek(target, kind, direction, from: key)
      }
    }
  }

  private func last(before upper: Key?) -> Place? {
    place(before: upper.map { place(from: $0) } ?? end)
  }

  private func seek(
    _ target: Key, _ kind: Table.Kind, _ direction: Direction, from key: Key
  ) throws -> Place? {
    try target.checkByteCount(kind)
    let found = place(from: target)
    switch direction {
    case .forward:
      precondition(target > key, "a forward walk seeks forward")
      return found
    case .backward:
      precondition(target < key, "a backward walk seeks backward")
      return self.key(at: found) == target ? found : place(before: found)
    }
  }
}

extension KeyRange {
  /// Whether a walk that came this far is still inside.
  fileprivate func holds(_ key: Key, _ direction: Direction) -> Bool {
    switch direction {
    case .forward: upper.map { key < $0 } ?? true
    case .backward: key >= lower
    }
  }
}
