/// A reader that passes every question on to its engine's backend.
package protocol BackedReader: Reader, ~Copyable {
  var backend: any ReadingBackend { get }
}

extension BackedReader where Self: ~Copyable {
  package var commit: Commit { backend.commit }

  package func withValue<Result>(
    at key: Key, in table: Table, _ body: (Span<UInt8>) throws -> Result
  ) throws -> Result? {
    var result: Result?
    try backend.withValue(at: key, in: table) { result = try body($0) }
    return result
  }

  package func value(at key: Key, in table: Table) throws -> [UInt8]? {
    try backend.value(at: key, in: table)
  }

  package func walk(
    _ table: Table, _ range: KeyRange, _ direction: Direction,
    _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws -> Step
  ) throws {
    try backend.walk(table, range, direction, body)
  }

  package func walkPostings(
    _ table: Table, _ range: KeyRange, _ direction: Direction,
    _ body: (_ key: Span<UInt8>, _ number: UInt64) throws -> Step
  ) throws {
    try backend.walkPostings(table, range, direction, body)
  }

  package func numbers(
    at key: Key, in table: Table, from first: UInt64, _ body: (Span<UInt64>) throws -> Bool
  ) throws {
    try backend.numbers(at: key, in: table, from: first, body)
  }

  package func count(at key: Key, in table: Table) throws -> Int {
    try backend.count(at: key, in: table)
  }

  package func contains(_ number: UInt64, at key: Key, in table: Table) throws -> Bool {
    try backend.contains(number, at: key, in: table)
  }
}
