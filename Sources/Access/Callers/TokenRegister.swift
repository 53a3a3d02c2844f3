import Crypto
import FHIRModel
import KeyValue
import Synchronization

/// The tokens of a store.
///
/// Authentication looks at what is stored each time and keeps in memory only what it means, so a
/// token that another process revoked opens nothing from its commit on.
package final class TokenRegister: Sendable {
  private static let rememberedCountMaximum = 4096

  /// A token's stored bytes, what was read from them, and the last commit that had them.
  private struct Remembered {
    var bytes: [UInt8]
    var record: TokenRecord
    var seen: Commit
  }

  private let remembered = Mutex<[SHA256: Remembered]>([:])

  package init() {}

  /// Makes a token for `principal`; the text is shown to the caller once and kept nowhere.
  ///
  /// - Throws: `InteractionError.invalidParameter` if `principal` speaks for something that is not a
  ///   patient; `RandomError`; `StorageError`.
  package func create(
    for principal: Principal, expires: Instant? = nil, at now: Instant,
    in transaction: inout WriteTransaction
  ) throws -> Token {
    if let patient = principal.patient, patient.type != .patient {
      throw InteractionError.invalidParameter(
        name: "patient", reason: "'\(patient)' is not of the form Patient/id")
    }
    let token = try Token.random()
    let digest = token.digest
    let record = TokenRecord(
      id: TokenID(digest), principal: principal, created: now, expires: expires)
    try transaction.put(record.bytes, at: Key(digest.bytes), in: .tokens)
    return token
  }

  /// All tokens, the oldest first, revoked ones included.
  package func list(in reader: borrowing Reader) throws -> [TokenRecord] {
    var records: [TokenRecord] = []
    try reader.walk(.tokens, .everything, .forward) { key, value in
      guard let digest = SHA256(digest: Key(key).bytes) else { return .next }
      records.append(try TokenRecord(value, digest: digest))
      return .next
    }
    return records.sorted { ($0.created, $0.id.text) < ($1.created, $1.id.text) }
  }

  /// Ends a token for good.
  ///
  /// - Returns: what it was for; `nil` if there is none of that id.
  @discardableResult
  package func revoke(
    _ id: TokenID, at now: Instant, in transaction: inout WriteTransaction
  ) throws -> TokenRecord? {
    guard let prefix = [UInt8](hex: id.text) else { return nil }
    var found: (Key, TokenRecord)?
    try transaction.reader.walk(.tokens, KeyRange(prefix: Key(prefix)), .forward) { key, value in
      guard let digest = SHA256(digest: Key(key).bytes) else { return .next }
      found = (Key(key), try TokenRecord(value, digest: digest))
      return .stop
    }
    guard let (key, stored) = found else { return nil }
    var record = stored
    if record.revoked == nil {
      record.revoked = now
      try transaction.put(record.bytes, at: key, in: .tokens)
    }
    return record
  }

  /// Who shows this token, if it was looked at since `commit`, the last one; else `nil`.
  ///
  /// - Throws: `InteractionError.unauthenticated` if it is none, was revoked or has expired.
  func caller(_ bearer: String, at now: Instant, since commit: Commit) throws -> Caller? {
    // What was remembered was of a token's form.
    let digest = SHA256(of: Array(bearer.utf8))
    guard let known = remembered.withLock({ $0[digest] }), known.seen == commit else { return nil }
    try known.record.check(at: now)
    return Caller(known.record.principal, token: digest, seen: commit)
  }

  /// Who shows this token.
  ///
  /// - Throws: `InteractionError.unauthenticated` if it is none, was revoked or has expired.
  package func authenticate(
    _ bearer: String, at now: Instant, in reader: borrowing Reader
  ) throws -> Caller {
    guard let token = Token(bearer) else {
      throw InteractionError.unauthenticated(reason: "the token is not of this server's form")
    }
    let digest = token.digest
    guard let record = try record(of: digest, in: reader) else {
      throw InteractionError.unauthenticated(reason: "the token is unknown")
    }
    try record.check(at: now)
    return Caller(record.principal, token: digest, seen: reader.commit)
  }

  /// Checks once more, in the view in which a decision is taken, that the caller's token stands.
  ///
  /// - Throws: as `authenticate`.
  func recheck(
    _ caller: Caller, at now: Instant, in reader: borrowing Reader
  ) throws {
    guard let digest = caller.digest, caller.seen != reader.commit else { return }
    guard let record = try record(of: digest, in: reader) else {
      throw InteractionError.unauthenticated(reason: "the token is unknown")
    }
    try record.check(at: now)
  }

  private func record(
    of digest: SHA256, in reader: borrowing Reader
  ) throws -> TokenRecord? {
    let known = remembered.withLock { $0[digest] }
    let commit = reader.commit
    let read = try reader.withValue(at: Key(digest.bytes), in: .tokens) { value in
      if let known, value.holds(known.bytes) { return known }
      return Remembered(
        bytes: Key(value).bytes, record: try TokenRecord(value, digest: digest), seen: commit)
    }
    guard var read else { return nil }
    read.seen = commit
    remember(read, of: digest)
    return read.record
  }

  private func remember(_ read: Remembered, of digest: SHA256) {
    remembered.withLock { all in
      if all.count >= Self.rememberedCountMaximum { all.removeAll() }
      // An older view may be looked at later.
      if let known = all[digest], known.seen > read.seen { return }
      all[digest] = read
    }
  }
}

extension Span<UInt8> {
  fileprivate func holds(_ other: [UInt8]) -> Bool {
    guard count == other.count else { return false }
    for position in indices where self[position] != other[position] { return false }
    return true
  }
}
