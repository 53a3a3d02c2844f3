import Crypto
import FHIRModel
import KeyValue
import Store

/// Bytes of a token's record: the principal's kind (1 operator, 2 person, 3 app), its texts counted,
/// then the moments of creation, expiry and revocation, each after a byte that says whether there
/// is one.
extension TokenRecord {
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(principal)
    bytes.append(moment: created)
    for moment in [expires, revoked] {
      bytes.append(moment == nil ? 0 : 1)
      if let moment { bytes.append(moment: moment) }
    }
    return bytes
  }

  /// - Throws: `StoreError.unreadable` for bytes that are no record.
  init(_ bytes: Span<UInt8>, digest: SHA256) throws {
    do throws(ByteReader.Failure) {
      var reader = ByteReader()
      principal = try reader.principal(in: bytes)
      created = try reader.moment(in: bytes)
      expires = try reader.optionalMoment(in: bytes)
      revoked = try reader.optionalMoment(in: bytes)
      id = TokenID(digest)
    } catch {
      throw StoreError.unreadable(table: Table.tokens.name, key: digest.bytes)
    }
  }
}

private enum Kind: UInt8 {
  case `operator` = 1
  case person = 2
  case app = 3
}

extension [UInt8] {
  mutating func append(_ principal: Principal) {
    switch principal {
    case .operator(let name):
      append(Kind.operator.rawValue)
      append(counted: name)
    case .person(let patient):
      append(Kind.person.rawValue)
      append(counted: patient.description)
    case .app(let client, let patient, let scopes):
      append(Kind.app.rawValue)
      append(counted: client.text)
      append(counted: patient.description)
      append(counted: scopes.text)
    }
  }
}

extension ByteReader {
  mutating func principal(in bytes: Span<UInt8>) throws(Failure) -> Principal {
    switch Kind(rawValue: try byte(in: bytes)) {
    case .operator: return .operator(name: try text(in: bytes))
    case .person:
      return .person(try resourceID(in: bytes))
    case .app:
      guard let client = LogicalID(try text(in: bytes)) else { throw Failure() }
      let patient = try resourceID(in: bytes)
      return .app(client: client, patient: patient, scopes: Scopes(try text(in: bytes)))
    case nil: throw Failure()
    }
  }

  fileprivate mutating func resourceID(in bytes: Span<UInt8>) throws(Failure) -> ResourceID {
    guard let id = ResourceID(try text(in: bytes)) else { throw Failure() }
    return id
  }

  mutating func optionalMoment(in bytes: Span<UInt8>) throws(Failure) -> Instant? {
    try byte(in: bytes) == 0 ? nil : try moment(in: bytes)
  }
}
