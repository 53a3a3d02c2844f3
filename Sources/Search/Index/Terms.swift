import FHIRModel
import KeyValue
import Synchronization

/// A text that stands in keys as a number. Two are the same if their bytes are: of two spellings that
/// Unicode holds for equal, each has a number of its own.
package enum Term: Hashable, Sendable {
  /// A code, without its system.
  case code(String)
  /// The system of a code or identifier: a URI.
  case system(String)
  /// A reference to a resource of this server or, in relative form, of none.
  case reference(ResourceID)
}

/// The numbers of interned texts: dense, from 1 upward, given once and never taken back, so that a
/// number stands for one text for as long as the store lives.
///
/// What is committed never changes, so it is kept in memory; what a transaction under way has
/// interned is not, since it may yet be undone.
package final class Terms: Sendable {
  package static let tables: [Table] = [.terms]

  private static let cachedCountMaximum = 16_384
  private static let counterKey = Key([0])

  private struct Memory {
    /// Numbers below this were committed before `commit`, or by it if a snapshot showed it first.
    var committedBound: UInt32 = 0
    var commit = Commit(0)
    var numbers: [Term: UInt32] = [:]
    var patients: [UInt32: ResourceID] = [:]

    func isCommitted(_ number: UInt32) -> Bool { number < committedBound }
  }

  private let memory = Mutex(Memory())

  package init() {}

  /// The number of `term`; `nil` if nothing stored has it.
  package func lookup(
    _ term: Term, in reader: borrowing Reader
  ) throws -> UInt32? {
    if let number = memory.withLock({ $0.numbers[term] }) { return number }
    return try lookup(term, at: term.key, in: reader)
  }

  /// Looks into the table, where `key` is the term's.
  private func lookup(
    _ term: Term, at key: Key, in reader: borrowing Reader
  ) throws -> UInt32? {
    try noteCommitted(in: reader)
    guard let number = try Self.storedNumber(at: key, in: reader) else { return nil }
    remember(number, of: term)
    return number
  }

  /// The number of `term`, given now if it had none.
  package func intern(_ term: Term, in transaction: inout WriteTransaction) throws -> UInt32 {
    if let number = memory.withLock({ $0.numbers[term] }) { return number }
    let key = term.key
    if let number = try lookup(term, at: key, in: transaction.reader) { return number }
    let number = try Self.nextNumber(in: transaction.reader)
    try transaction.put(Key().appending(number).bytes, at: key, in: .terms)
    try transaction.put(Key().appending(number + 1).bytes, at: Self.counterKey, in: .terms)
    if case .reference(let id) = term, id.type == Self.patientType {
      try transaction.put(Array(id.id.text.utf8), at: Self.patientKey(number), in: .terms)
    }
    return number
  }

  /// The patient that a number stands for; `nil` if it stands for something else.
  package func patient(
    of number: UInt32, in reader: borrowing Reader
  ) throws -> ResourceID? {
    if let patient = memory.withLock({ $0.patients[number] }) { return patient }
    try noteCommitted(in: reader)
    guard let text = try reader.value(at: Self.patientKey(number), in: .terms),
      let id = LogicalID(String(decoding: text, as: UTF8.self)), let type = Self.patientType
    else { return nil }
    let patient = ResourceID(type, id)
    memory.withLock { memory in
      guard memory.isCommitted(number) else { return }
      if memory.patients.count >= Self.cachedCountMaximum { memory.patients.removeAll() }
      memory.patients[number] = patient
    }
    return patient
  }

  private static let patientType = ResourceType("Patient")

  /// Whose compartment a resource is in stands in its facets as numbers, and the access log names
  /// them: so patients alone are also found by their number.
  private static func patientKey(_ number: UInt32) -> Key { Key([4]).appending(number) }

  /// A code with its system as one number for keys: the code's number above the system's, which is
  /// 0 where there is no system.
  package func intern(
    code: String, system: String?, in transaction: inout WriteTransaction
  ) throws -> UInt64 {
    let code = try intern(.code(code), in: &transaction)
    let system = try system.map { try intern(.system($0), in: &transaction) } ?? 0
    return UInt64(code) << 32 | UInt64(system)
  }

  /// The number that `intern(code:system:in:)` gave; `nil` if nothing stored has both.
  package func lookup(
    code: String, system: String?, in reader: borrowing Reader
  ) throws -> UInt64? {
    guard let code = try lookup(.code(code), in: reader) else { return nil }
    guard let system else { return UInt64(code) << 32 }
    guard let system = try lookup(.system(system), in: reader) else { return nil }
    return UInt64(code) << 32 | UInt64(system)
  }

  /// The first look in a new commit sees what the commits before it left, and nothing else; in a
  /// snapshot everything is committed.
  private func noteCommitted(in reader: borrowing Reader) throws {
    let commit = reader.commit
    guard memory.withLock({ $0.commit < commit }) else { return }
    let bound = try Self.nextNumber(in: reader)
    memory.withLock { memory in
      memory.commit = commit
      memory.committedBound = bound
    }
  }

  private func remember(_ number: UInt32, of term: Term) {
    memory.withLock { memory in
      guard memory.isCommitted(number) else { return }
      if memory.numbers.count >= Self.cachedCountMaximum { memory.numbers.removeAll() }
      memory.numbers[term] = number
    }
  }

  static func nextNumber(in reader: borrowing Reader) throws -> UInt32 {
    try storedNumber(at: counterKey, in: reader) ?? 1
  }

  private static func storedNumber(
    at key: Key, in reader: borrowing Reader
  ) throws -> UInt32? {
    try reader.withValue(at: key, in: .terms) { value in
      value.indices.reduce(0) { $0 << 8 | UInt32(value[$1]) }
    }
  }
}

extension Term: Comparable {
  package static func == (left: Term, right: Term) -> Bool {
    switch (left, right) {
    case (.code(let mine), .code(let other)), (.system(let mine), .system(let other)):
      mine.hasSameBytes(as: other)
    case (.reference(let mine), .reference(let other)): mine == other
    default: false
    }
  }

  package static func < (left: Term, right: Term) -> Bool {
    left.kind == right.kind
      ? left.text.utf8.lexicographicallyPrecedes(right.text.utf8) : left.kind < right.kind
  }
}

extension Term {
  /// Longer texts are cut here and closed with a hash; whatever is found by them is rechecked.
  static let byteCountMaximum = 400

  /// Whether the key holds the text whole.
  var isWhole: Bool { text.utf8.count <= Self.byteCountMaximum }

  fileprivate var key: Key {
    let bytes = Array(text.utf8)
    var key = Key([kind])
    key.append(Array(bytes.prefix(Self.byteCountMaximum)))
    if bytes.count > Self.byteCountMaximum { key.append(stableHash(bytes)) }
    return key
  }

  private var kind: UInt8 {
    switch self {
    case .code: 1
    case .system: 2
    case .reference: 3
    }
  }

  private var text: String {
    switch self {
    case .code(let text), .system(let text): text
    case .reference(let id): id.description
    }
  }
}
