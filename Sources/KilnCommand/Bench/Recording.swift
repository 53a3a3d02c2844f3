import KeyValue
import Synchronization

/// What a change did to the tables.
enum RecordedWrite: Sendable {
  case put(Table, Key, [UInt8])
  case append(Table, Key, [UInt8])
  case removeValue(Table, Key)
  case insert(Table, Key, UInt64)
  case remove(Table, Key, UInt64)

  /// Does the same again.
  func perform(in transaction: inout WriteTransaction) throws {
    switch self {
    case .put(let table, let key, let value): try transaction.put(value, at: key, in: table)
    case .append(let table, let key, let value): try transaction.append(value, at: key, in: table)
    case .removeValue(let table, let key): try transaction.removeValue(at: key, in: table)
    case .insert(let table, let key, let number):
      try transaction.insert(number, at: key, in: table)
    case .remove(let table, let key, let number):
      try transaction.remove(number, at: key, in: table)
    }
  }
}

/// An engine that keeps a record of every write, commit by commit, so that the same can be committed
/// again without a store above it.
final class RecordingEngine: Engine {
  private let inner: any Engine
  private let groups = Mutex<[Commit: [RecordedWrite]]>([:])

  init(_ inner: any Engine) { self.inner = inner }

  /// The writes of each commit, the oldest first.
  func recorded() -> [[RecordedWrite]] {
    groups.withLock { groups in groups.sorted { $0.key < $1.key }.map(\.value) }
  }

  func read<Result>(_ body: (borrowing Reader) throws -> Result) throws -> Result {
    try inner.read(body)
  }

  func submit(_ change: Change) {
    var recorded = change
    recorded.perform = { [self] in try record(in: &$0, change.perform) }
    recorded.recover = { [self] error, transaction in
      try record(in: &transaction) { try change.recover(error, &$0) }
    }
    inner.submit(recorded)
  }

  func write<Result>(_ body: (inout WriteTransaction) throws -> Result) throws -> Result {
    try inner.write { try record(in: &$0, body) }
  }

  var latestCommit: Commit {
    get throws { try inner.latestCommit }
  }

  func releasePages() { inner.releasePages() }

  func close() { inner.close() }

  private func record<Result>(
    in transaction: inout WriteTransaction, _ body: (inout WriteTransaction) throws -> Result
  ) throws -> Result {
    let backend = RecordingBackend(transaction.backend)
    var observed = WriteTransaction(backend)
    let result = try body(&observed)
    groups.withLock { $0[backend.commit, default: []] += backend.writes }
    return result
  }
}

/// Passes everything on and remembers the writes.
private final class RecordingBackend: WritingBackend {
  private let inner: any WritingBackend
  private(set) var writes: [RecordedWrite] = []

  init(_ inner: any WritingBackend) { self.inner = inner }

  var commit: Commit { inner.commit }

  func withValue(at key: Key, in table: Table, _ body: (Span<UInt8>) throws -> Void) throws {
    try inner.withValue(at: key, in: table, body)
  }

  func withValue(
    of number: UInt64, in table: Table, _ body: (Span<UInt8>) throws -> Void
  ) throws -> Bool {
    try inner.withValue(of: number, in: table, body)
  }

  func value(at key: Key, in table: Table) throws -> [UInt8]? {
    try inner.value(at: key, in: table)
  }

  func walk(
    _ table: Table, _ range: KeyRange, _ direction: Direction,
    _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws -> Step
  ) throws {
    try inner.walk(table, range, direction, body)
  }

  func walkPostings(
    _ table: Table, _ range: KeyRange, _ direction: Direction,
    _ body: (_ key: Span<UInt8>, _ number: UInt64) throws -> Step
  ) throws {
    try inner.walkPostings(table, range, direction, body)
  }

  func numbers(
    at key: Key, in table: Table, from first: UInt64, _ body: (Span<UInt64>) throws -> Bool
  ) throws {
    try inner.numbers(at: key, in: table, from: first, body)
  }

  func count(at key: Key, in table: Table) throws -> Int { try inner.count(at: key, in: table) }

  func contains(_ number: UInt64, at key: Key, in table: Table) throws -> Bool {
    try inner.contains(number, at: key, in: table)
  }

  func put(_ value: Span<UInt8>, at key: Key, in table: Table) throws {
    try inner.put(value, at: key, in: table)
    writes.append(.put(table, key, Key(value).bytes))
  }

  func append(_ value: Span<UInt8>, at key: Key, in table: Table) throws {
    try inner.append(value, at: key, in: table)
    writes.append(.append(table, key, Key(value).bytes))
  }

  func removeValue(at key: Key, in table: Table) throws -> Bool {
    writes.append(.removeValue(table, key))
    return try inner.removeValue(at: key, in: table)
  }

  func insert(_ number: UInt64, at key: Key, in table: Table) throws -> Bool {
    writes.append(.insert(table, key, number))
    return try inner.insert(number, at: key, in: table)
  }

  func remove(_ number: UInt64, at key: Key, in table: Table) throws -> Bool {
    writes.append(.remove(table, key, number))
    return try inner.remove(number, at: key, in: table)
  }

  /// What a nested change wrote counts only if it was kept.
  func nested(_ body: (any WritingBackend) throws -> Void) throws {
    var kept: [RecordedWrite] = []
    try inner.nested { nested in
      let backend = RecordingBackend(nested)
      try body(backend)
      kept = backend.writes
    }
    writes += kept
  }
}
