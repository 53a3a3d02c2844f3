import FHIRModel

/// What stands before the JSON of a stored version.
///
/// Its bytes are told in `Format.md`.
struct VersionRecord: Hashable, Sendable {
  var version: VersionID
  var lastUpdated: Instant
  var change: HistoryEntry.Change
  var facets: Facets

  var isDeleted: Bool { change == .delete }

  /// The bytes of the record with the JSON behind them.
  func encoded(with json: [UInt8]) -> [UInt8] {
    var header: [UInt8] = []
    header.append(change.rawValue)
    header.append(varint: version.number)
    header.append(moment: lastUpdated)
    header.append(facets)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(header.count + json.count + Self.checksumByteCount + 2)
    bytes.append(fixed: UInt32(0))
    bytes.append(varint: header.count)
    bytes.append(contentsOf: header)
    bytes.append(contentsOf: json)
    return Self.withChecksum(bytes)
  }

  static let checksumByteCount = 4

  /// Writes the checksum of what follows it into the first bytes.
  static func withChecksum(_ bytes: consuming [UInt8]) -> [UInt8] {
    let checksum = checksum(of: bytes.span)
    for place in 0..<checksumByteCount {
      bytes[place] = UInt8(truncatingIfNeeded: checksum >> UInt32(24 - 8 * place))
    }
    return bytes
  }

  /// Whether the bytes are those that were written. Not asked on every read.
  static func isIntact(_ bytes: Span<UInt8>) -> Bool {
    var reader = ByteReader()
    return (try? reader.fixed(UInt32.self, in: bytes)) == checksum(of: bytes)
  }

  /// FNV-1a over what follows the checksum: every changed byte changes it.
  private static func checksum(of bytes: Span<UInt8>) -> UInt32 {
    var hash: UInt32 = 0x811c_9dc5
    for position in checksumByteCount..<max(bytes.count, checksumByteCount) {
      hash = (hash ^ UInt32(bytes[position])) &* 0x0100_0193
    }
    return hash
  }

  /// Reads the record at the beginning of `bytes`.
  init(_ bytes: Span<UInt8>) throws(ByteReader.Failure) {
    var reader = ByteReader(at: Self.checksumByteCount)
    let length = try reader.count(in: bytes)
    let end = reader.position + length
    (change, version, lastUpdated) = try reader.opening(in: bytes)
    facets = try reader.facets(to: end, in: bytes)
    guard reader.position == end else { throw ByteReader.Failure() }
  }

  /// What is answered and logged of a version, without its facets.
  struct Head {
    var id: ResourceID
    var version: VersionID
    var lastUpdated: Instant
    var isDeleted: Bool
    /// In whose compartments it lies.
    var patients: PatientNumbers
    /// Where the content stands.
    var json: Range<Int>
  }

  /// Reads the head of the record at the beginning of `bytes`.
  static func head(in bytes: Span<UInt8>) throws(ByteReader.Failure) -> Head {
    var reader = ByteReader(at: checksumByteCount)
    let length = try reader.count(in: bytes)
    let start = reader.position + length
    let (change, version, lastUpdated) = try reader.opening(in: bytes)
    // `==` of an enumeration without payload, but of another module, is not inlined.
    var isDeleted = false
    if case .delete = change { isDeleted = true }
    return Head(
      id: try reader.id(in: bytes), version: version, lastUpdated: lastUpdated,
      isDeleted: isDeleted, patients: try reader.patientNumbers(in: bytes),
      json: start..<bytes.count)
  }

  init(
    version: VersionID, lastUpdated: Instant, change: HistoryEntry.Change, facets: Facets
  ) {
    self.version = version
    self.lastUpdated = lastUpdated
    self.change = change
    self.facets = facets
  }

  /// A copy of the JSON behind the record.
  static func json(in bytes: Span<UInt8>) throws(ByteReader.Failure) -> [UInt8] {
    var reader = ByteReader(at: checksumByteCount)
    let length = try reader.count(in: bytes)
    return [UInt8](copying: bytes.extracting((reader.position + length)...))
  }

  func stored(with json: [UInt8]) -> StoredVersion {
    StoredVersion(
      id: facets.id, version: version, lastUpdated: lastUpdated, isDeleted: isDeleted, bytes: json)
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ facets: Facets) {
    append(facets.id)
    append(varint: facets.patients.count)
    for patient in facets.patients { append(varint: patient) }
    for codings in [facets.codes, facets.partCodes, facets.categories, facets.securityLabels] {
      append(varint: codings.count)
      for coding in codings {
        append(varint: coding >> 32)
        append(varint: coding & 0xFFFF_FFFF)
      }
    }
    guard let effective = facets.effective else { return }
    append(moment: effective.lowerBound)
    append(moment: effective.upperBound)
  }
}

extension ByteReader {
  fileprivate mutating func opening(
    in bytes: Span<UInt8>
  ) throws(Failure) -> (HistoryEntry.Change, VersionID, Instant) {
    guard let change = HistoryEntry.Change(rawValue: try byte(in: bytes)),
      let version = UInt32(exactly: try varint(in: bytes)), version > 0
    else { throw Failure() }
    let lastUpdated = try moment(in: bytes)
    guard Instant.writable.contains(lastUpdated) else { throw Failure() }
    return (change, VersionID(version), lastUpdated)
  }

  fileprivate mutating func patientNumbers(
    in bytes: Span<UInt8>
  ) throws(Failure) -> PatientNumbers {
    var ahead = self
    guard try ahead.count(in: bytes) == 1 else { return .several(try patients(in: bytes)) }
    let patient = UInt32(truncatingIfNeeded: try ahead.varint(in: bytes))
    self = ahead
    return .one(patient)
  }

  fileprivate mutating func patients(in bytes: Span<UInt8>) throws(Failure) -> [UInt32] {
    var patients: [UInt32] = []
    let patientCount = try count(in: bytes)
    patients.reserveCapacity(patientCount)
    for _ in 0..<patientCount {
      patients.append(UInt32(truncatingIfNeeded: try varint(in: bytes)))
    }
    return patients
  }

  fileprivate mutating func facets(
    to end: Int, in bytes: Span<UInt8>
  ) throws(Failure) -> Facets {
    var facets = Facets(id: try id(in: bytes))
    facets.patients = try patients(in: bytes)
    facets.codes = try codings(in: bytes)
    facets.partCodes = try codings(in: bytes)
    facets.categories = try codings(in: bytes)
    facets.securityLabels = try codings(in: bytes)
    guard position < end else { return facets }
    let start = try moment(in: bytes)
    let limit = try moment(in: bytes)
    guard start <= limit else { throw Failure() }
    facets.effective = start..<limit
    return facets
  }

  private mutating func codings(in bytes: Span<UInt8>) throws(Failure) -> [UInt64] {
    var codings: [UInt64] = []
    let codingCount = try count(in: bytes)
    codings.reserveCapacity(codingCount)
    for _ in 0..<codingCount {
      let code = try varint(in: bytes)
      codings.append(code << 32 | (try varint(in: bytes)) & 0xFFFF_FFFF)
    }
    return codings
  }
}
