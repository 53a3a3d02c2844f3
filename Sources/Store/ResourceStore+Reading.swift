import FHIRModel
import KeyValue

/// - SeeAlso: https://hl7.org/fhir/R4/http.html#read
extension ResourceStore {
  typealias Visibility = (Facets) throws -> Bool
  /// Told once of all that is shown.
  package typealias WhenShown = ([Shown]) -> Void

  /// A resource that is shown, and in whose compartments it lies.
  package struct Shown {
    package var id: ResourceID
    package var patients: PatientNumbers

    package init(id: ResourceID, patients: PatientNumbers) {
      self.id = id
      self.patients = patients
    }
  }

  /// - Throws: `InteractionError.notFound`, or `.gone` with the version that deleted it.
  func read(
    _ id: ResourceID, in reader: borrowing Reader, _ isVisible: Visibility?,
    _ whenShown: WhenShown?
  ) throws -> StoredVersion {
    guard let number = try number(of: id, in: reader),
      let found = try isVisible == nil
        ? shownVersion(of: number, in: reader, whenShown)
        : currentVersion(of: number, in: reader, isVisible)
    else { throw InteractionError.notFound(id) }
    guard !found.isDeleted else { throw InteractionError.gone(id, found.version) }
    return found
  }

  /// - Throws: `InteractionError.notFound` if nothing of the resource is visible, `.unknownVersion`
  ///   if that version isn't, `.gone` if that version is its deletion.
  func vread(
    _ id: ResourceID, _ version: VersionID, in reader: borrowing Reader,
    _ isVisible: Visibility?
  ) throws -> StoredVersion {
    guard let number = try number(of: id, in: reader) else { throw InteractionError.notFound(id) }
    let current = try record(of: number, in: reader)
    let found =
      if version == current.version {
        try currentVersion(of: number, in: reader, isVisible)
      } else {
        try supersededVersion(of: number, version, in: reader, isVisible)
      }
    guard let found else {
      let isKnown = try isVisible?(current.facets) ?? true
      throw isKnown ? InteractionError.unknownVersion(id, version) : .notFound(id)
    }
    guard !found.isDeleted else { throw InteractionError.gone(id, version) }
    return found
  }

  /// The current version with its content; `nil` if it isn't visible.
  func currentVersion(
    of number: UInt64, in reader: borrowing Reader, _ isVisible: Visibility?
  ) throws -> StoredVersion? {
    let key = StoreKey.current(number)
    guard let found = try version(at: key, of: .current, in: reader, isVisible) else {
      throw StoreError.missing(table: Table.current.name, key: key.bytes)
    }
    return found.visible
  }

  /// The current version where everything is visible: only what is answered and logged is read.
  private func shownVersion(
    of number: UInt64, in reader: borrowing Reader, _ whenShown: WhenShown?
  ) throws -> StoredVersion {
    var found: StoredVersion?
    try withHead(of: number, in: reader) { head, value in
      whenShown?([Shown(id: head.id, patients: head.patients)])
      found = StoredVersion(
        id: head.id, version: head.version, lastUpdated: head.lastUpdated,
        isDeleted: head.isDeleted, bytes: [UInt8](copying: value.extracting(head.json)))
    }
    guard let found else { preconditionFailure("`withHead` runs its body or throws") }
    return found
  }

  /// Lends the current version: the bytes, and what is answered and logged of what stands before
  /// its content.
  func withHead(
    of number: UInt64, in reader: borrowing Reader,
    _ body: (VersionRecord.Head, Span<UInt8>) -> Void
  ) throws {
    let isThere = try reader.withValue(of: number, in: .current) { value in
      do { body(try VersionRecord.head(in: value), value) } catch {
        throw StoreError.unreadable(
          table: Table.current.name, key: StoreKey.current(number).bytes)
      }
    }
    guard isThere else {
      throw StoreError.missing(table: Table.current.name, key: StoreKey.current(number).bytes)
    }
  }

  /// `nil` if there is no such version, or none that is visible.
  func supersededVersion(
    of number: UInt64, _ version: VersionID, in reader: borrowing Reader,
    _ isVisible: Visibility?
  ) throws -> StoredVersion? {
    let key = StoreKey.superseded(number, version)
    return try self.version(at: key, of: .superseded, in: reader, isVisible)?.visible
  }

  private func version(
    at key: Key, of table: Table, in reader: borrowing Reader,
    _ isVisible: Visibility?
  ) throws -> (visible: StoredVersion?, Void)? {
    try reader.withValue(at: key, in: table) { value in
      let record = try Self.record(in: value, at: key, of: table)
      guard try isVisible?(record.facets) ?? true else { return (nil, ()) }
      return (record.stored(with: try Self.json(in: value, at: key, of: table)), ())
    }
  }

  /// The facets of a resource's current version, or of the last before its deletion; `nil` if there
  /// never was any.
  package func facets(
    of id: ResourceID, in reader: borrowing Reader
  ) throws -> Facets? {
    guard let number = try number(of: id, in: reader) else { return nil }
    return try record(of: number, in: reader).facets
  }

  /// The facets of a version; `nil` if there is none.
  package func facets(
    of id: ResourceID, _ version: VersionID, in reader: borrowing Reader
  ) throws -> Facets? {
    guard let number = try number(of: id, in: reader) else { return nil }
    let current = try record(of: number, in: reader)
    if current.version == version { return current.facets }
    let key = StoreKey.superseded(number, version)
    return try reader.withValue(at: key, in: .superseded) { value in
      try Self.record(in: value, at: key, of: .superseded).facets
    }
  }

  /// What stands before the content of the current version.
  func record(
    of number: UInt64, in reader: borrowing Reader
  ) throws -> VersionRecord {
    let key = StoreKey.current(number)
    let found = try reader.withValue(at: key, in: .current) { value in
      try Self.record(in: value, at: key, of: .current)
    }
    guard let found else { throw StoreError.missing(table: Table.current.name, key: key.bytes) }
    return found
  }

  static func record(
    in value: Span<UInt8>, at key: Key, of table: Table
  ) throws(StoreError) -> VersionRecord {
    do { return try VersionRecord(value) } catch {
      throw .unreadable(table: table.name, key: key.bytes)
    }
  }

  static func json(
    in value: Span<UInt8>, at key: Key, of table: Table
  ) throws(StoreError) -> [UInt8] {
    do { return try VersionRecord.json(in: value) } catch {
      throw .unreadable(table: table.name, key: key.bytes)
    }
  }
}
