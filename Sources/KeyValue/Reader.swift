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

/// One consistent view of all tables: a snapshot, or a write transaction that also sees its own
/// changes.
///
/// Spans that are lent to a closure are valid inside it only. Every function throws `StorageError`
/// when the engine fails, and whatever the closure throws.
package protocol Reader: ~Copyable {
  /// The commit this view shows. A write transaction shows the commit it will become.
  var commit: Commit { get }

  /// Lends the value at `key` to `body`; `nil` if there is none.
  func withValue<Result>(
    at key: Key, in table: Table, _ body: (Span<UInt8>) throws -> Result
  ) throws -> Result?

  /// A copy of the value at `key`; `nil` if there is none.
  func value(at key: Key, in table: Table) throws -> [UInt8]?

  /// Lends every key with its value in `range`, in order, until `body` stops.
  ///
  /// A backward walk begins at the last key below `range.upper`.
  func walk(
    _ table: Table, _ range: KeyRange, _ direction: Direction,
    _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws -> Step
  ) throws

  /// Lends every key of a postings table in `range` with its numbers, one at a time, in order
  /// (backward: keys and numbers both fall), until `body` stops.
  func walkPostings(
    _ table: Table, _ range: KeyRange, _ direction: Direction,
    _ body: (_ key: Span<UInt8>, _ number: UInt64) throws -> Step
  ) throws

  /// Lends the numbers at `key` from `first` upward, in rising order, many at a time, until `body`
  /// returns `false`.
  func numbers(
    at key: Key, in table: Table, from first: UInt64,
    _ body: (Span<UInt64>) throws -> Bool
  ) throws

  /// The count of numbers at `key`.
  func count(at key: Key, in table: Table) throws -> Int

  /// Whether `number` is among the numbers at `key`.
  func contains(_ number: UInt64, at key: Key, in table: Table) throws -> Bool
}

extension Reader where Self: ~Copyable {
  /// Whether a value stands at `key`.
  package func hasValue(at key: Key, in table: Table) throws -> Bool {
    try withValue(at: key, in: table) { _ in true } ?? false
  }
}
