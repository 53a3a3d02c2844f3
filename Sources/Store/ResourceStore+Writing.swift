import FHIRModel
import KeyValue
import Search

/// - SeeAlso: https://hl7.org/fhir/R4/http.html#create
extension ResourceStore {
  typealias Permit = (WriteIntent) throws -> Void

  /// Creates a resource under an id of the store's own.
  func create(
    _ resource: Resource, in transaction: inout WriteTransaction, _ memory: WriteMemory?,
    _ permit: Permit
  ) throws -> Outcome {
    let id = try unusedID(of: resource.type, in: transaction.reader)
    return try write(
      resource, as: id, over: nil, by: .create, if: .none, in: &transaction, memory, permit)
  }

  /// Writes the next version of a resource under the id in its content: the first if the id is new,
  /// the one after its deletion if it was deleted.
  ///
  /// - Throws: `InteractionError.versionConflict` if the precondition fails, `.idMismatch` if the
  ///   content has no id.
  func update(
    _ resource: Resource, if precondition: Precondition, in transaction: inout WriteTransaction,
    _ memory: WriteMemory?, _ permit: Permit
  ) throws -> Outcome {
    guard let logical = resource.id else {
      throw InteractionError.invalid([
        Issue(.required, "an update needs the resource's id", at: "id")
      ])
    }
    let id = ResourceID(resource.type, logical)
    let current = try currentContent(of: id, in: transaction.reader)
    return try write(
      resource, as: id, over: current, by: .update, if: precondition, in: &transaction, memory,
      permit)
  }

  /// Deletes a resource; one that is not there or already deleted stays as it is.
  func delete(
    _ id: ResourceID, if precondition: Precondition, in transaction: inout WriteTransaction,
    _ permit: Permit
  ) throws -> Outcome {
    let current = try currentContent(of: id, in: transaction.reader)
    try permit(
      WriteIntent(
        kind: .delete, id: id, current: current?.record.facets,
        isDeleted: current?.record.isDeleted ?? false))
    try precondition.check(against: current?.standingVersion, of: id)
    guard let current, !current.record.isDeleted else { return .deleted(nil) }
    var next = current.record
    next.change = .delete
    next.version = next.version.next
    next.lastUpdated = moment(after: current.record.lastUpdated)
    try put(next, json: [], number: current.number, over: current, in: &transaction)
    try index.replace(
      current.number, of: id.type, old: try current.indexed(), new: nil, in: &transaction)
    return .deleted(next.stored(with: []))
  }

  /// Writes `resource` as the next version over `current`, unless it says the same.
  func write(
    _ resource: Resource, as id: ResourceID, over current: CurrentContent?,
    by change: HistoryEntry.Change, if precondition: Precondition,
    in transaction: inout WriteTransaction, _ memory: WriteMemory?, _ permit: Permit
  ) throws -> Outcome {
    let old = try current?.resource()
    let difference = old.map { ContentChange(from: $0, to: resource) }
    let known = difference.flatMap { difference in
      current.map { (facets: $0.record.facets, change: difference) }
    }
    let prepared =
      old == nil ? memory?.prepared.flatMap { $0.content.isOf(resource) ? $0 : nil } : nil
    let likeness = old == nil && prepared == nil ? memory?.likeness(of: resource) : nil
    let facets =
      try prepared.map { $0.content.facets(as: id, $0.given) }
      ?? facets(of: resource, as: id, since: known ?? likeness) { term in
        try index.terms.intern(term, in: &transaction)
      }
    try permit(
      WriteIntent(
        kind: current?.standingVersion == nil ? .create : .update, id: id,
        current: current?.record.facets, isDeleted: current?.record.isDeleted ?? false,
        next: facets, resource: resource))
    try precondition.check(against: current?.standingVersion, of: id)
    if let current, let old, old.hasSameContent(as: resource) {
      return .unchanged(current.record.stored(with: current.json))
    }
    let record = VersionRecord(
      version: current?.record.version.next ?? .first,
      lastUpdated: moment(after: current?.record.lastUpdated), change: change, facets: facets)
    return try put(
      record, resource, over: current, in: &transaction
    ) { number, version, transaction in
      guard let old, let current else {
        if let prepared {
          return try index.add(
            number, version, prepared.content.entries, prepared.given, in: &transaction)
        }
        var entries = memory?.takeEntries(of: id.type)
        try index.add(number, version, since: &entries, likeness?.change, in: &transaction)
        memory?.keep(resource, facets, entries)
        return
      }
      try index.replace(
        number, of: id.type, old: current.indexed(as: old), new: version, change: difference,
        in: &transaction)
    }
  }

  private func put(
    _ record: VersionRecord, _ resource: Resource, over current: CurrentContent?,
    in transaction: inout WriteTransaction,
    indexing: (UInt64, IndexedVersion, inout WriteTransaction) throws -> Void
  ) throws -> Outcome {
    let id = record.facets.id
    let number = try current?.number ?? nextNumber(in: transaction.reader)
    let json = resource.stamped(
      id: id.id, version: record.version, lastUpdated: record.lastUpdated)
    if current == nil {
      try transaction.put(Key().appending(number).bytes, at: StoreKey.id(id), in: .ids)
    }
    try put(record, json: json, number: number, over: current, in: &transaction)
    try indexing(
      number, IndexedVersion(resource: resource, id: id.id, lastUpdated: record.lastUpdated),
      &transaction)
    let stored = record.stored(with: json)
    return current?.standingVersion == nil ? .created(stored) : .updated(stored)
  }

  /// Puts a version in the place of the current one, which moves to the superseded ones.
  private func put(
    _ record: VersionRecord, json: [UInt8], number: UInt64, over current: CurrentContent?,
    in transaction: inout WriteTransaction
  ) throws {
    let value = record.encoded(with: json)
    let key = StoreKey.current(number)
    if let current, let superseded = try transaction.reader.value(at: key, in: .current) {
      try transaction.put(
        superseded, at: StoreKey.superseded(number, current.record.version), in: .superseded)
      try transaction.put(value, at: key, in: .current)
    } else {
      try transaction.append(value, at: key, in: .current)
    }
    try transaction.put(
      Key().appending(record.version.number).bytes,
      at: StoreKey.change(record.facets.id.type, record.lastUpdated, number), in: .changes)
  }

  /// Now, or the next millisecond after `previous` when the clock doesn't show a later one.
  private func moment(after previous: Instant?) -> Instant {
    let now = clock().inMilliseconds
    guard let previous else { return now }
    return max(now, Instant(ticks: previous.ticks + Instant.ticksPerSecond / 1000))
  }

  func unusedID(
    of type: ResourceType, in reader: borrowing Reader
  ) throws -> ResourceID {
    for _ in 0..<8 {
      let id = ResourceID(type, newID())
      if try number(of: id, in: reader) == nil { return id }
    }
    throw InteractionError.unavailable(reason: "no unused id was found")
  }
}
