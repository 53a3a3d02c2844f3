import CLMDB
import KeyValue

extension LMDBTransaction {
  func walk(
    _ table: Table, _ range: KeyRange, _ direction: Direction,
    _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws -> Step
  ) throws {
    try walkEntries(table, range, direction) { entry in
      try entry.withKey { key in
        try unsafe entry.value.withSpan { value in try body(key, value) }
      }
    }
  }

  func walkPostings(
    _ table: Table, _ range: KeyRange, _ direction: Direction,
    _ body: (_ key: Span<UInt8>, _ number: UInt64) throws -> Step
  ) throws {
    try walkEntries(table, range, direction) { entry in
      try entry.withKey { key in try unsafe body(key, entry.value.number) }
    }
  }

  private func walkEntries(
    _ table: Table, _ range: KeyRange, _ direction: Direction,
    _ body: (LMDBCursor.Entry) throws -> Step
  ) throws {
    try range.checkByteCounts(table.kind)
    // `==` of another module's enumeration would be called for each entry.
    var isForward = false
    if case .forward = direction { isForward = true }
    try withCursor(on: table) { cursor in
      var entry = try cursor.first(of: range, direction)
      while let current = entry, range.holds(current, direction) {
        switch try body(current) {
        case .next: entry = try cursor.move(isForward ? MDB_NEXT : MDB_PREV)
        case .stop: return
        case .seek(let key): entry = try cursor.seek(key, direction, from: current, table.kind)
        }
      }
    }
  }

  func numbers(
    at key: Key, in table: Table, from first: UInt64, _ body: (Span<UInt64>) throws -> Bool
  ) throws {
    try withCursor(on: table) { cursor in
      let found =
        first == 0
        ? try cursor.move(MDB_SET_KEY, key) : try cursor.move(MDB_GET_BOTH_RANGE, key, first)
      // A key with one number has no pages of its own; `MDB_GET_MULTIPLE` then returns nothing.
      guard let found else { return }
      var page = try cursor.move(MDB_GET_MULTIPLE)
      if let empty = page, unsafe empty.value.mv_size == 0 { page = found }
      while let current = page {
        let goesOn = try unsafe current.value.withNumbers { numbers in
          // The page may begin before the number that was asked for.
          let start = numbers.firstPosition(from: first)
          return try start == numbers.count || body(numbers.extracting(start..<numbers.count))
        }
        guard goesOn else { return }
        page = try cursor.move(MDB_NEXT_MULTIPLE)
      }
    }
  }

  func count(at key: Key, in table: Table) throws -> Int {
    try withCursor(on: table) { cursor in
      try cursor.move(MDB_SET, key) == nil ? 0 : try cursor.count()
    }
  }

  func contains(_ number: UInt64, at key: Key, in table: Table) throws -> Bool {
    try withCursor(on: table) { cursor in
      try cursor.move(MDB_GET_BOTH, key, number) != nil
    }
  }
}

extension LMDBCursor {
  fileprivate func first(of range: KeyRange, _ direction: Direction) throws -> Entry? {
    switch direction {
    case .forward:
      range.lower.bytes.isEmpty ? try move(MDB_FIRST) : try move(MDB_SET_RANGE, range.lower)
    case .backward:
      if let upper = range.upper, try move(MDB_SET_RANGE, upper) != nil {
        try move(MDB_PREV)
      } else {
        try move(MDB_LAST)
      }
    }
  }

  fileprivate func seek(
    _ key: Key, _ direction: Direction, from current: Entry, _ kind: Table.Kind
  ) throws -> Entry? {
    switch direction {
    case .forward:
      precondition(current.isBefore(key), "a forward walk seeks forward")
      return try move(MDB_SET_RANGE, key)
    case .backward:
      let place = current.withKey { Key($0) }
      precondition(key < place, "a backward walk seeks backward")
      guard let found = try move(MDB_SET_RANGE, key) else { return try move(MDB_LAST) }
      let isThere = found.withKey { Key($0) == key }
      guard isThere else { return try move(MDB_PREV) }
      guard kind == .postings else { return found }
      // Of a key's numbers a backward walk begins with the last. The operation leaves the key out.
      guard try move(MDB_LAST_DUP) != nil else { return nil }
      return try move(MDB_GET_CURRENT)
    }
  }
}

extension Span<UInt64> {
  /// In rising numbers, the position of the first that is not below `number`.
  fileprivate func firstPosition(from number: UInt64) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension KeyRange {
  /// Whether a walk that came this far is still inside.
  fileprivate func holds(_ entry: LMDBCursor.Entry, _ direction: Direction) -> Bool {
    switch direction {
    case .forward: upper.map { entry.isBefore($0) } ?? true
    case .backward: !entry.isBefore(lower)
    }
  }
}
