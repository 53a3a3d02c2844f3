import FHIRModel
import KeyValue

/// What is kept of persons beside the resources: the raw samples of an import, in pieces that only the
/// room which reads the import understands.
///
/// No search and no read shows them; they are there to be counted again.
package struct SampleTable: Sendable {
  /// Whose samples they are, and from which kind of import.
  package struct Owner: Hashable, Sendable {
    package let patient: ResourceID
    package let origin: String

    /// - Parameter origin: a name without the byte 0, such as `apple-health`.
    package init(patient: ResourceID, origin: String) {
      self.patient = patient
      self.origin = origin
    }
  }

  /// A piece: the samples of one metric that began on one day; or what holds for all of them.
  package enum Place: Hashable, Sendable {
    case rule
    /// The day in days since 1970-01-01.
    case samples(metric: String, day: Int32)
  }

  private let store: ResourceStore

  package init(of store: ResourceStore) { self.store = store }

  /// Writes a piece over what stands in its place.
  ///
  /// - Parameter change: gets the piece that is there, and gives the one that is to be; `nil` for
  ///   none of a change.
  /// - Returns: whether anything changed.
  /// - Throws: `InteractionError.notFound` if there is no such person; what `change` throws.
  package func update(
    _ place: Place, of owner: Owner, in transaction: inout WriteTransaction,
    _ change: ([UInt8]?) throws -> [UInt8]?
  ) throws -> Bool {
    let key = try key(of: place, of: owner, in: transaction.reader)
    let kept = try transaction.reader.value(at: key, in: .samples)
    let piece = try kept.map { try Self.piece($0.span) }
    guard let next = try change(piece), next != piece else { return false }
    try transaction.put(Self.sealed(next), at: key, in: .samples)
    return true
  }

  /// The rule that is kept with the samples; `nil` if none are.
  package func rule(of owner: Owner, in reader: borrowing Reader) throws -> [UInt8]? {
    let key = try key(of: .rule, of: owner, in: reader)
    return try reader.value(at: key, in: .samples).map { try Self.piece($0.span) }
  }

  /// Lends every piece of samples, by the names of their metrics and by days.
  ///
  /// - Throws: `InteractionError.notFound` if there is no such person; `StoreError.unreadable`; what
  ///   `body` throws.
  package func walk(
    of owner: Owner, in reader: borrowing Reader,
    _ body: (_ metric: String, _ day: Int32, _ piece: [UInt8]) throws -> Void
  ) throws {
    let prefix = try prefix(of: owner, in: reader)
    try reader.walk(.samples, KeyRange(prefix: prefix), .forward) { key, value in
      guard let (metric, day) = Self.samples(key, after: prefix.bytes.count) else { return .next }
      try body(metric, day, try Self.piece(value))
      return .next
    }
  }

  /// Removes everything that is kept of an owner, and says how many pieces that was.
  package func remove(
    of owner: Owner, in transaction: inout WriteTransaction
  ) throws -> Int {
    let prefix = try prefix(of: owner, in: transaction.reader)
    var keys: [Key] = []
    try transaction.reader.walk(.samples, KeyRange(prefix: prefix), .forward) { key, _ in
      keys.append(Key(key))
      return .next
    }
    for key in keys { try transaction.removeValue(at: key, in: .samples) }
    return keys.count
  }

  // MARK: keys

  private func prefix(of owner: Owner, in reader: borrowing Reader) throws -> Key {
    guard let number = try store.number(of: owner.patient, in: reader) else {
      throw InteractionError.notFound(owner.patient)
    }
    var key = Key(reservingByteCount: 64)
    key.append(number)
    key.append(Array(owner.origin.utf8) + [0])
    return key
  }

  private func key(of place: Place, of owner: Owner, in reader: borrowing Reader) throws -> Key {
    var key = try prefix(of: owner, in: reader)
    if case .samples(let metric, let day) = place {
      key.append(Array(metric.utf8) + [0])
      key.append(UInt32(bitPattern: day) ^ 1 << 31)
    }
    return key
  }

  /// What a key says after its owner; `nil` for the rule's.
  private static func samples(
    _ key: Span<UInt8>, after start: Int
  ) -> (metric: String, day: Int32)? {
    guard key.count > start + 5 else { return nil }
    let end = key.count - 5
    var day: UInt32 = 0
    for position in end + 1..<key.count { day = day << 8 | UInt32(key[position]) }
    return (String(copying: key.extracting(start..<end)), Int32(bitPattern: day ^ 1 << 31))
  }

  // MARK: values

  private static func sealed(_ piece: [UInt8]) -> [UInt8] {
    VersionRecord.withChecksum(
      [UInt8](repeating: 0, count: VersionRecord.checksumByteCount) + piece)
  }

  private static func piece(_ value: Span<UInt8>) throws -> [UInt8] {
    let start = VersionRecord.checksumByteCount
    guard VersionRecord.isIntact(value) else {
      throw StoreError.unreadable(table: Table.samples.name, key: [])
    }
    return [UInt8](capacity: value.count - start) { output in
      for position in start..<value.count { output.append(value[position]) }
    }
  }
}
