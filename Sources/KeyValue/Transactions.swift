/// What an engine offers under a view. Callers use `Reader` and `WriteTransaction`.
package protocol ReadingBackend: AnyObject {
  var commit: Commit { get }
  func withValue(
    at key: Key, in table: Table, _ body: (Span<UInt8>) throws -> Void
  ) throws
  func withValue(
    of number: UInt64, in table: Table, _ body: (Span<UInt8>) throws -> Void
  ) throws -> Bool
  func value(at key: Key, in table: Table) throws -> [UInt8]?
  func walk(
    _ table: Table, _ range: KeyRange, _ direction: Direction,
    _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws -> Step
  ) throws
  func walkPostings(
    _ table: Table, _ range: KeyRange, _ direction: Direction,
    _ body: (_ key: Span<UInt8>, _ number: UInt64) throws -> Step
  ) throws
  func numbers(
    at key: Key, in table: Table, from first: UInt64, _ body: (Span<UInt64>) throws -> Bool
  ) throws
  func count(at key: Key, in table: Table) throws -> Int
  func contains(_ number: UInt64, at key: Key, in table: Table) throws -> Bool
}

/// What an engine offers under a write transaction.
package protocol WritingBackend: AnyObject {
  /// What shows the transaction with its own writes.
  var reading: any ReadingBackend { get }
  func put(_ value: Span<UInt8>, at key: Key, in table: Table) throws
  func append(_ value: Span<UInt8>, at key: Key, in table: Table) throws
  @discardableResult func removeValue(at key: Key, in table: Table) throws -> Bool
  @discardableResult func insert(_ number: UInt64, at key: Key, in table: Table) throws -> Bool
  @discardableResult func remove(_ number: UInt64, at key: Key, in table: Table) throws -> Bool
  /// Runs `body` with a backend for a transaction inside this one, and keeps its writes unless it
  /// throws.
  func nested(_ body: (any WritingBackend) throws -> Void) throws
}

/// A change under way: it sees its own writes, nobody else does before the commit.
///
/// Writes take it `inout`, so a span that was looked up can't be held across a write.
package struct WriteTransaction: ~Copyable {
  /// What the change sees.
  package let reader: Reader
  package let backend: any WritingBackend

  package init(_ backend: any WritingBackend) {
    reader = Reader(backend.reading)
    self.backend = backend
  }

  package mutating func put(_ value: Span<UInt8>, at key: Key, in table: Table) throws {
    try backend.put(value, at: key, in: table)
  }

  package mutating func put(_ value: [UInt8], at key: Key, in table: Table) throws {
    try backend.put(value.span, at: key, in: table)
  }

  /// As `put`, for keys that nearly always are the table's last: its pages are then filled up.
  package mutating func append(_ value: [UInt8], at key: Key, in table: Table) throws {
    try backend.append(value.span, at: key, in: table)
  }

  /// Removes the value at `key`; `false` if there was none.
  @discardableResult
  package mutating func removeValue(at key: Key, in table: Table) throws -> Bool {
    try backend.removeValue(at: key, in: table)
  }

  /// Adds `number` to the numbers at `key`; `false` if it was among them.
  @discardableResult
  package mutating func insert(_ number: UInt64, at key: Key, in table: Table) throws -> Bool {
    try backend.insert(number, at: key, in: table)
  }

  /// Takes `number` out of the numbers at `key`; `false` if it was not among them.
  @discardableResult
  package mutating func remove(_ number: UInt64, at key: Key, in table: Table) throws -> Bool {
    try backend.remove(number, at: key, in: table)
  }

  /// Runs `body` in a transaction inside this one: what it wrote is gone if it throws.
  ///
  /// An engine may first run it without one. When it then throws after it wrote, an error of the
  /// engine's is thrown here, and the whole change is undone and run again whatever comes of that.
  ///
  /// An engine's failure (`StorageError.full` above all) undoes more than `body`: who catches it
  /// here can't save the change around it, which then fails with the same error.
  package mutating func nested<Result>(
    _ body: (inout WriteTransaction) throws -> Result
  ) throws -> Result {
    var result: Result?
    try backend.nested { inner in
      var transaction = WriteTransaction(inner)
      result = try body(&transaction)
    }
    guard let result else { preconditionFailure("a backend runs the body of `nested` or throws") }
    return result
  }
}
