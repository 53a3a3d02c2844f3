import FHIRModel
import KeyValue
import Search

extension ResourceStore {
  /// Builds the whole search index and all facets anew, in place, while others read and write.
  ///
  /// Entries that should be there are written, then those that should not are removed, some at a
  /// time, each time in a transaction that looks at the resources as they stand in it. What a
  /// kill interrupts is finished by the next run.
  ///
  /// - Parameter progress: told after each transaction how many resources are done.
  /// - Throws: `StorageError`, `StoreError`.
  package func reindex(
    _ engine: any Engine, progress: (_ done: UInt64, _ all: UInt64) -> Void = { _, _ in }
  ) throws {
    let end = try engine.read { snapshot in try nextNumber(in: snapshot) }
    var first: UInt64 = 1
    while first < end {
      let numbers = first..<min(end, first + Self.resourcesPerCommit)
      try engine.write { transaction in
        for number in numbers { try self.reindex(number, in: &transaction) }
      }
      first = numbers.upperBound
      progress(first - 1, end - 1)
    }
    try removeStrays(engine)
  }

  private static let resourcesPerCommit: UInt64 = 200

  private func reindex(_ number: UInt64, in transaction: inout WriteTransaction) throws {
    let current = try currentContent(of: number, in: transaction.reader)
    try index.replace(
      number, of: current.record.facets.id.type, old: nil, new: try current.indexed(),
      in: &transaction)
    try renewFacets(of: number, in: &transaction)
  }

  /// Oldest version first, because a deletion has the facets of the version before it.
  private func renewFacets(of number: UInt64, in transaction: inout WriteTransaction) throws {
    var versions: [CurrentContent] = []
    try forEachVersion(of: number, in: transaction.reader) { record, json in
      versions.append(CurrentContent(number: number, record: record, json: try json()))
    }
    let current = versions.first?.record.version
    var facets: Facets?
    for version in versions.reversed() {
      if let resource = try version.resource() {
        facets = try self.facets(of: resource, as: version.record.facets.id) { term in
          try index.terms.intern(term, in: &transaction)
        }
      }
      guard let facets, facets != version.record.facets else { continue }
      var record = version.record
      record.facets = facets
      let isCurrent = record.version == current
      try transaction.put(
        record.encoded(with: version.json),
        at: isCurrent ? StoreKey.current(number) : StoreKey.superseded(number, record.version),
        in: isCurrent ? .current : .superseded)
    }
  }

  private func removeStrays(_ engine: any Engine) throws {
    let strays = try engine.read { snapshot in try strayIndexEntries(in: snapshot) }
    var rest = strays[...]
    while !rest.isEmpty {
      let batch = Array(rest.prefix(10_000))
      rest = rest.dropFirst(batch.count)
      try engine.write { transaction in
        for stray in batch { try self.remove(stray, in: &transaction) }
      }
    }
  }

  /// Removes an entry unless a write has meanwhile made it right.
  private func remove(_ stray: StrayIndexEntry, in transaction: inout WriteTransaction) throws {
    if try transaction.reader.hasValue(at: StoreKey.current(stray.number), in: .current) {
      let current = try currentContent(of: stray.number, in: transaction.reader)
      if try indexEntries(of: current, in: transaction.reader).contains(stray.entry) { return }
    }
    try transaction.remove(stray.number, at: stray.entry.key, in: stray.entry.table)
  }
}
