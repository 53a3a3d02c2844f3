/// What a walk does after an entry.
package enum Step: Sendable {
  case next
  case stop
  /// Goes on at the first key at or after this one (forward) or at or before it (backward). It must
  /// lie further on in the walk's direction; anything else is a `precondition` failure.
  case seek(Key)
}

package enum Direction: Sendable {
  case forward, backward
}

/// The number of a commit: it rises by one with each write transaction that changes anything.
package struct Commit: Hashable, Comparable, Sendable {
  package var number: UInt64

  package init(_ number: UInt64) { self.number = number }

  package static func < (left: Commit, right: Commit) -> Bool { left.number < right.number }
}

/// One consistent view of all tables: the last commit, or a write transaction with its own changes.
///
/// It is lent to a closure and can't leave it, and spans that it lends are valid inside theirs only.
/// Every function throws `StorageError` when the engine fails, `ReadAllowanceSpent` where the view is
/// limited, and whatever the closure throws.
package struct Reader: ~Copyable {
  private let backend: any ReadingBackend
  private let allowance: ReadAllowance?

  package init(_ backend: any ReadingBackend, within allowance: ReadAllowance? = nil) {
    self.backend = backend
    self.allowance = allowance
  }

  /// Lends the same view, in which only so much may be looked at.
  package func limited<Result>(
    to allowance: ReadAllowance, _ body: (borrowing Reader) throws -> Result
  ) throws -> Result {
    try body(Reader(backend, within: allowance))
  }

  /// The commit this view shows. A write transaction shows the commit it will become.
  package var commit: Commit { backend.commit }

  /// Lends the value at `key` to `body`; `nil` if there is none.
  package func withValue<Result>(
    at key: Key, in table: Table, _ body: (Span<UInt8>) throws -> Result
  ) throws -> Result? {
    try allowance?.spend(ReadAllowance.keyCountOfValue)
    var result: Result?
    try backend.withValue(at: key, in: table) { result = try body($0) }
    return result
  }

  /// Lends the value of `number` in a numbered table to `body`; `false` if there is none.
  @discardableResult
  package func withValue(
    of number: UInt64, in table: Table, _ body: (Span<UInt8>) throws -> Void
  ) throws -> Bool {
    try allowance?.spend(ReadAllowance.keyCountOfValue)
    return try backend.withValue(of: number, in: table, body)
  }

  /// A copy of the value at `key`; `nil` if there is none.
  package func value(at key: Key, in table: Table) throws -> [UInt8]? {
    try allowance?.spend(ReadAllowance.keyCountOfValue)
    return try backend.value(at: key, in: table)
  }

  /// Whether a value stands at `key`.
  package func hasValue(at key: Key, in table: Table) throws -> Bool {
    try allowance?.spend(1)
    var isThere = false
    try backend.withValue(at: key, in: table) { _ in isThere = true }
    return isThere
  }

  /// Lends every key with its value in `range`, in order, until `body` stops.
  ///
  /// A backward walk begins at the last key below `range.upper`.
  package func walk(
    _ table: Table, _ range: KeyRange, _ direction: Direction,
    _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws -> Step
  ) throws {
    guard let allowance else { return try backend.walk(table, range, direction, body) }
    try backend.walk(table, range, direction) { key, value in
      try allowance.spend(1)
      return try body(key, value)
    }
  }

  /// Lends every key of a postings table in `range` with its numbers, one at a time, in order
  /// (backward: keys and numbers both fall), until `body` stops.
  package func walkPostings(
    _ table: Table, _ range: KeyRange, _ direction: Direction,
    _ body: (_ key: Span<UInt8>, _ number: UInt64) throws -> Step
  ) throws {
    guard let allowance else { return try backend.walkPostings(table, range, direction, body) }
    try backend.walkPostings(table, range, direction) { key, number in
      try allowance.spend(1)
      return try body(key, number)
    }
  }

  /// Lends the numbers at `key` from `first` upward, in rising order, many at a time, until `body`
  /// returns `false`.
  package func numbers(
    at key: Key, in table: Table, from first: UInt64, _ body: (Span<UInt64>) throws -> Bool
  ) throws {
    guard let allowance else {
      return try backend.numbers(at: key, in: table, from: first, body)
    }
    try backend.numbers(at: key, in: table, from: first) { numbers in
      try allowance.spend(numbers.count)
      return try body(numbers)
    }
  }

  /// The count of numbers at `key`.
  package func count(at key: Key, in table: Table) throws -> Int {
    try allowance?.spend(1)
    return try backend.count(at: key, in: table)
  }

  /// Whether `number` is among the numbers at `key`.
  package func contains(_ number: UInt64, at key: Key, in table: Table) throws -> Bool {
    try allowance?.spend(1)
    return try backend.contains(number, at: key, in: table)
  }
}
