import Crypto
import FHIRModel
import KeyValue
import Store

/// The bytes of an entry, of which its SHA-256 is taken.
///
/// - SeeAlso: `Format.md`, "An entry of the log".
extension LogRecord {
  static let format: UInt8 = 1

  /// What follows `recorded`.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(128 + 24 * shown.count)
    bytes.append(moment: occurred)
    bytes.append(agent)
    bytes.append(interaction.rawValue)
    bytes.append(outcome.rawValue)
    bytes.append(type.map { $0.position + 1 } ?? 0)
    bytes.append(target == nil ? 0 : 1)
    if let target { bytes.append(target) }
    bytes.append(varint: patients.count)
    for patient in patients { bytes.append(patient) }
    bytes.append(varint: consents.count)
    for consent in consents { bytes.append(consent) }
    bytes.append(varint: shown.count)
    for shown in shown {
      bytes.append(shown.version)
      bytes.append(varint: shown.owner.map { $0 + 1 } ?? 0)
    }
    bytes.append(varint: parameters.count)
    for parameter in parameters {
      bytes.append(counted: parameter.name)
      bytes.append(counted: parameter.value)
    }
    bytes.append(counted: reason)
    bytes.append(counted: peer)
    return bytes
  }
}

/// A record on its way into the log: its bytes, and the patients that it names.
struct LogDraft: Sendable {
  let bytes: [UInt8]
  let patients: [ResourceID]

  init(_ record: LogRecord) {
    bytes = record.bytes
    patients = record.patients
  }
}

extension LogEntry {
  static func bytes(
    sequence: UInt64, previous: SHA256, recorded: Instant, record: [UInt8]
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(49 + record.count)
    bytes.append(LogRecord.format)
    bytes.append(fixed: sequence)
    bytes.append(contentsOf: previous.bytes)
    bytes.append(moment: recorded)
    bytes.append(contentsOf: record)
    return bytes
  }

  /// The sequence, the entry before and the moment of recording, without reading the rest.
  static func opening(
    of bytes: Span<UInt8>
  ) throws(ByteReader.Failure) -> (sequence: UInt64, previous: SHA256, recorded: Instant) {
    var reader = ByteReader()
    return try reader.opening(in: bytes)
  }

  init(_ bytes: Span<UInt8>) throws(ByteReader.Failure) {
    var reader = ByteReader()
    (sequence, previous, recorded) = try reader.opening(in: bytes)
    record = try reader.record(in: bytes)
    guard reader.position == bytes.count else { throw ByteReader.Failure() }
  }
}

extension ByteReader {
  fileprivate mutating func opening(
    in bytes: Span<UInt8>
  ) throws(Failure) -> (sequence: UInt64, previous: SHA256, recorded: Instant) {
    guard try byte(in: bytes) == LogRecord.format else { throw Failure() }
    let sequence = try fixed(UInt64.self, in: bytes)
    var digest: [UInt8] = []
    for _ in 0..<SHA256.byteCount { digest.append(try byte(in: bytes)) }
    guard let previous = SHA256(digest: digest) else { throw Failure() }
    return (sequence, previous, try moment(in: bytes))
  }

  fileprivate mutating func record(in bytes: Span<UInt8>) throws(Failure) -> LogRecord {
    let occurred = try moment(in: bytes)
    let agent = try self.agent(in: bytes)
    guard let interaction = InteractionCode(rawValue: try byte(in: bytes)),
      let outcome = LogOutcome(rawValue: try byte(in: bytes))
    else { throw Failure() }
    let position = try byte(in: bytes)
    var record = LogRecord(
      occurred: occurred, agent: agent, interaction: interaction,
      type: position == 0 ? nil : ResourceType(position: position - 1))
    record.outcome = outcome
    record.target = try byte(in: bytes) == 0 ? nil : id(in: bytes)
    for _ in 0..<(try count(in: bytes)) { record.patients.append(try id(in: bytes)) }
    for _ in 0..<(try count(in: bytes)) { record.consents.append(try version(in: bytes)) }
    for _ in 0..<(try count(in: bytes)) {
      let version = try self.version(in: bytes)
      let owner = Int(truncatingIfNeeded: try varint(in: bytes))
      guard 0...record.patients.count ~= owner else { throw Failure() }
      record.shown.append(LogShown(version, owner: owner == 0 ? nil : owner - 1))
    }
    for _ in 0..<(try count(in: bytes)) {
      let name = try text(in: bytes)
      record.parameters.append(QueryParameter(name: name, value: try text(in: bytes)))
    }
    record.reason = try text(in: bytes)
    record.peer = try text(in: bytes)
    return record
  }

  private mutating func agent(in bytes: Span<UInt8>) throws(Failure) -> LogAgent {
    var agent: LogAgent
    switch try byte(in: bytes) {
    case 1: agent = LogAgent(kind: .operator(name: try text(in: bytes)), token: nil)
    case 2: agent = LogAgent(kind: .person(try id(in: bytes)), token: nil)
    case 3: agent = LogAgent(kind: .app(try id(in: bytes)), token: nil)
    default: throw Failure()
    }
    if try byte(in: bytes) == 1 {
      agent.token = TokenID(number: try fixed(UInt64.self, in: bytes))
    }
    return agent
  }

  private mutating func version(in bytes: Span<UInt8>) throws(Failure) -> VersionedID {
    let id = try self.id(in: bytes)
    guard let number = UInt32(exactly: try varint(in: bytes)) else { throw Failure() }
    return VersionedID(id, VersionID(number))
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ agent: LogAgent) {
    switch agent.kind {
    case .operator(let name):
      append(1)
      append(counted: name)
    case .person(let id):
      append(2)
      append(id)
    case .app(let id):
      append(3)
      append(id)
    }
    append(agent.token == nil ? 0 : 1)
    if let token = agent.token { append(fixed: token.number) }
  }

  fileprivate mutating func append(_ version: VersionedID) {
    append(version.id)
    append(varint: version.version.number)
  }
}
