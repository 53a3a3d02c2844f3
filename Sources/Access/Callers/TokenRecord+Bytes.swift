import Crypto
import FHIRModel
import KeyValue
import Store

/// Bytes of a token's record: the principal's kind (1 operator, 2 person, 3 app), its texts counted,
/// then the moments of creation, expiry and revocation, each after a byte that says whether there
/// is one.
extension TokenRecord {
  private enum Kind: UInt8 {
    case `operator` = 1
    case person = 2
    case app = 3
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    switch principal {
    case .operator(let name):
      bytes.append(Kind.operator.rawValue)
      bytes.append(counted: name)
    case .person(let patient):
      bytes.append(Kind.person.rawValue)
      bytes.append(counted: patient.description)
    case .app(let client, let patient, let scopes):
      bytes.append(Kind.app.rawValue)
      bytes.append(counted: client.text)
      bytes.append(counted: patient.description)
      bytes.append(counted: scopes.text)
    }
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
      principal = try Self.principal(from: &reader, in: bytes)
      created = try reader.moment(in: bytes)
      expires = try reader.optionalMoment(in: bytes)
      revoked = try reader.optionalMoment(in: bytes)
      id = TokenID(digest)
    } catch {
      throw StoreError.unreadable(table: Table.tokens.name, key: digest.bytes)
    }
  }

  private static func principal(
    from reader: inout ByteReader, in bytes: Span<UInt8>
  ) throws(ByteReader.Failure) -> Principal {
    switch Kind(rawValue: try reader.byte(in: bytes)) {
    case .operator: return .operator(name: try reader.text(in: bytes))
    case .person:
      return .person(try reader.resourceID(in: bytes))
    case .app:
      guard let client = LogicalID(try reader.text(in: bytes)) else { throw ByteReader.Failure() }
      let patient = try reader.resourceID(in: bytes)
      return .app(
        client: client, patient: patient, scopes: Scopes(try reader.text(in: bytes)))
    case nil: throw ByteReader.Failure()
    }
  }
}

extension ByteReader {
  fileprivate mutating func resourceID(in bytes: Span<UInt8>) throws(Failure) -> ResourceID {
    guard let id = ResourceID(try text(in: bytes)) else { throw Failure() }
    return id
  }

  mutating func optionalMoment(in bytes: Span<UInt8>) throws(Failure) -> Instant? {
    try byte(in: bytes) == 0 ? nil : try moment(in: bytes)
  }
}
