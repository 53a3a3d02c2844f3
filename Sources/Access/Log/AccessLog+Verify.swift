import Crypto
import FHIRModel
import KeyValue
import Store

/// What a verification of the log found.
package enum LogVerification: Hashable, Sendable {
  /// Every entry is as it was written, in its place, and the head asked for is among them.
  case intact(LogHead)
  /// The first entry that is not what the one after it, or its place, says.
  case broken(sequence: UInt64, LogFault)
  /// The chain holds in itself, but no entry has the hash asked for: it was cut before it, or
  /// written anew.
  case headNotFound(LogHead)
}

/// What is wrong with an entry.
package enum LogFault: Hashable, Sendable {
  /// It isn't there, though one after it is.
  case missing
  /// Its bytes are no entry.
  case unreadable
  /// It says another number than that of its place.
  case misplaced
  /// It doesn't carry the SHA-256 of the entry before, so that one or this one was changed.
  case unchained
  /// It is not listed for a person whom it is about, or for one whom it is not.
  case unlisted
}

extension AccessLog {
  /// Walks the whole chain.
  ///
  /// - Parameter head: the SHA-256 of an entry, kept outside. Without one, entries that were cut off
  ///   at the end can't be missed.
  package func verify(
    upTo head: SHA256? = nil, in reader: borrowing Reader
  ) throws -> LogVerification {
    var chain = Chain()
    var isFound = head == nil
    var broken: LogFault?
    try reader.walk(.log, .everything, .forward) { key, value in
      broken = try chain.fault(at: Key(key), value, in: reader)
      isFound = isFound || chain.last.hash == head
      return broken == nil ? .next : .stop
    }
    if let broken { return .broken(sequence: chain.last.sequence + 1, broken) }
    if let extra = try firstListing(beyond: chain.listingCount, in: reader) {
      return .broken(sequence: extra, .unlisted)
    }
    // The head of an empty log is no entry's.
    isFound = isFound || chain.last.hash == head
    return isFound ? .intact(chain.last) : .headNotFound(chain.last)
  }

  /// The part of the log that was walked and found whole.
  private struct Chain {
    var last = LogHead.empty
    var listingCount = 0

    /// What is wrong with the next entry; `nil` if it belongs where it stands.
    mutating func fault(
      at key: Key, _ value: Span<UInt8>, in reader: borrowing Reader
    ) throws -> LogFault? {
      let sequence = last.sequence + 1
      guard key == Key().appending(sequence) else { return .missing }
      guard let entry = try? LogEntry(value) else { return .unreadable }
      guard entry.sequence == sequence else { return .misplaced }
      guard entry.previous == last.hash else { return .unchained }
      let patients = Set(entry.record.patients)
      for patient in patients
      where try !reader.contains(sequence, at: Key(patient), in: .logByPatient) {
        return .unlisted
      }
      last = LogHead(sequence: sequence, hash: SHA256(of: Key(value).bytes))
      listingCount += patients.count
      return nil
    }
  }

  /// An entry that is listed for a person whom it is not about; `nil` if there are only as many
  /// listings as the entries asked for.
  private func firstListing(
    beyond count: Int, in reader: borrowing Reader
  ) throws -> UInt64? {
    var found = 0
    try reader.walkPostings(.logByPatient, .everything, .forward) { _, _ in
      found += 1
      return .next
    }
    if found == count { return nil }
    var wrong: UInt64 = 0
    try reader.walkPostings(.logByPatient, .everything, .forward) { key, sequence in
      let patients = try entry(sequence, in: reader)?.record.patients ?? []
      if !patients.contains(where: { Key($0) == Key(key) }) {
        wrong = sequence
        return .stop
      }
      return .next
    }
    return wrong
  }
}
