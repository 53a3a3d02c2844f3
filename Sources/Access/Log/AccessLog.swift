import Crypto
import FHIRModel
import KeyValue
import Store

/// The access log: entries that each carry the SHA-256 of the one before, and for each person the
/// numbers of the entries about them.
package struct AccessLog: Sendable {
  package init() {}

  /// Writes entries at the end, one after the other.
  ///
  func append(
    _ drafts: [LogDraft], at now: Instant, in transaction: inout WriteTransaction
  ) throws {
    guard !drafts.isEmpty else { return }
    var (head, recorded) = try last(in: transaction.reader)
    // Another process may have written with a clock a little ahead; the order of moments is kept.
    recorded = max(now.inMilliseconds, recorded)
    for draft in drafts {
      let sequence = head.sequence + 1
      let bytes = LogEntry.bytes(
        sequence: sequence, previous: head.hash, recorded: recorded, record: draft.bytes)
      try transaction.append(bytes, at: Key().appending(sequence), in: .log)
      for patient in draft.patients {
        try transaction.insert(sequence, at: Key(patient), in: .logByPatient)
      }
      head = LogHead(sequence: sequence, hash: SHA256(of: bytes))
    }
  }

  /// The end of the chain.
  package func head(in reader: borrowing Reader) throws -> LogHead {
    try last(in: reader).head
  }

  /// - Throws: `StoreError.unreadable` for an entry that can't be read.
  func entry(
    _ sequence: UInt64, in reader: borrowing Reader
  ) throws -> LogEntry? {
    let key = Key().appending(sequence)
    return try reader.withValue(at: key, in: .log) { try Self.entry($0, at: key) }
  }

  static func entry(_ value: Span<UInt8>, at key: Key) throws(StoreError) -> LogEntry {
    do { return try LogEntry(value) } catch {
      throw .unreadable(table: Table.log.name, key: key.bytes)
    }
  }

  private func last(
    in reader: borrowing Reader
  ) throws -> (head: LogHead, recorded: Instant) {
    var last = (head: LogHead.empty, recorded: Instant.distantPast)
    try reader.walk(.log, .everything, .backward) { key, value in
      let opening: (sequence: UInt64, previous: SHA256, recorded: Instant)
      do throws(ByteReader.Failure) { opening = try LogEntry.opening(of: value) } catch {
        throw StoreError.unreadable(table: Table.log.name, key: Key(key).bytes)
      }
      last = (
        LogHead(sequence: opening.sequence, hash: SHA256(of: Key(value).bytes)), opening.recorded
      )
      return .stop
    }
    return last
  }
}
