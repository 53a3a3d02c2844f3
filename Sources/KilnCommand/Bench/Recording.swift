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

  func releasePages(over byteCount: Int) { inner.releasePages(over: byteCount) }

  func close() { inner.close() }

  private func record<Result>(
    in transaction: inout WriteTransaction, _ body: (inout WriteTransaction) throws -> Result
  ) throws -> Result {
    let backend = RecordingBackend(transaction.backend)
    var observed = WriteTransaction(backend)
    let result = try body(&observed)
    groups.withLock { $0[backend.reading.commit, default: []] += backend.writes }
    return result
  }
}

/// Passes the writes on and remembers them.
private final class RecordingBackend: WritingBackend {
  private let inner: any WritingBackend
  private(set) var writes: [RecordedWrite] = []

  init(_ inner: any WritingBackend) { self.inner = inner }

  var reading: any ReadingBackend { inner.reading }

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
