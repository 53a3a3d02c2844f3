import FHIRModel
import KeyValue
import Search

/// - SeeAlso: https://hl7.org/fhir/R4/http.html#history
extension ResourceStore {
  /// - Throws: `InteractionError.notFound` if there is nothing of that resource to be seen,
  ///   `.invalidPage` if the page is not one of this history.
  func history(
    of scope: HistoryScope, _ query: HistoryQuery, in reader: borrowing Reader,
    _ isVisible: Visibility?
  ) throws -> HistoryPage {
    let place = try place(of: scope, query)
    var builder = HistoryPageBuilder(query, countMaximum: pageCount(asked: query.count))
    let total: Int?
    switch scope {
    case .instance(let id):
      total = try collect(historyOf: id, before: place, into: &builder, in: reader, isVisible)
    case .type(let type):
      try collect(changesOf: [type], query, before: place, into: &builder, in: reader, isVisible)
      total = nil
    case .system:
      let types = try ChangeWalk.types(in: reader)
      try collect(changesOf: types, query, before: place, into: &builder, in: reader, isVisible)
      total = nil
    }
    return HistoryPage(
      entries: builder.entries, total: total, next: next(after: builder, of: scope, query))
  }

  private func pageCount(asked count: Int?) -> Int {
    min(count ?? index.configuration.pageCountDefault, index.configuration.pageCountMaximum)
  }

  private func place(of scope: HistoryScope, _ query: HistoryQuery) throws -> HistoryPlace {
    guard let page = query.page else { return .top }
    guard let bytes = index.unsealed(page, for: scope.sealContext(of: query)),
      let place = HistoryPlace(bytes)
    else { throw InteractionError.invalidPage }
    return place
  }

  private func next(
    after builder: HistoryPageBuilder, of scope: HistoryScope, _ query: HistoryQuery
  ) -> String? {
    guard builder.hasMore, let last = builder.last else { return nil }
    return index.sealed(last.bytes, for: scope.sealContext(of: query))
  }

  /// The versions of one resource; returns the count of all that the query asks for.
  private func collect(
    historyOf id: ResourceID, before place: HistoryPlace, into builder: inout HistoryPageBuilder,
    in reader: borrowing Reader, _ isVisible: Visibility?
  ) throws -> Int {
    guard let number = try number(of: id, in: reader) else { throw InteractionError.notFound(id) }
    var visibleCount = 0
    var total = 0
    var replaced: Instant?
    try forEachVersion(of: number, in: reader) { record, json in
      defer { replaced = record.lastUpdated }
      guard try isVisible?(record.facets) ?? true else { return }
      visibleCount += 1
      guard builder.asksFor(record, replaced: replaced) else { return }
      total += 1
      guard record.lastUpdated < place.moment else { return }
      try builder.take(record, number: number, json: try json())
    }
    guard visibleCount > 0 else { throw InteractionError.notFound(id) }
    return total
  }

  /// Lends every version of a resource, newest first; its content is copied when asked for.
  func forEachVersion(
    of number: UInt64, in reader: borrowing Reader,
    _ body: (_ record: VersionRecord, _ json: () throws -> [UInt8]) throws -> Void
  ) throws {
    let key = StoreKey.current(number)
    let isThere: Void? = try reader.withValue(at: key, in: .current) { value in
      try body(try Self.record(in: value, at: key, of: .current)) {
        try Self.json(in: value, at: key, of: .current)
      }
    }
    guard isThere != nil else {
      throw StoreError.missing(table: Table.current.name, key: key.bytes)
    }
    try reader.walk(.superseded, KeyRange(prefix: key), .backward) { key, value in
      let copy = Key(key)
      try body(try Self.record(in: value, at: copy, of: .superseded)) {
        try Self.json(in: value, at: copy, of: .superseded)
      }
      return .next
    }
  }

  private func collect(
    changesOf types: [ResourceType], _ query: HistoryQuery, before place: HistoryPlace,
    into builder: inout HistoryPageBuilder, in reader: borrowing Reader,
    _ isVisible: Visibility?
  ) throws {
    var walk = ChangeWalk(types: types, from: query.since ?? .distantPast, before: place)
    while !builder.hasMore, let entry = try walk.next(in: reader) {
      let version = try version(of: entry, in: reader)
      guard try isVisible?(version.record.facets) ?? true,
        try builder.asksFor(
          version.record, replaced: try replacement(of: version.record, entry.number, in: reader))
      else { continue }
      builder.take(version.record, number: entry.number, json: version.json)
    }
  }

  /// The version that an entry of the changes names.
  func version(
    of entry: ChangeEntry, in reader: borrowing Reader
  ) throws -> CurrentContent {
    let current = try currentContent(of: entry.number, in: reader)
    if current.record.version == entry.version { return current }
    let key = StoreKey.superseded(entry.number, entry.version)
    let found = try reader.withValue(at: key, in: .superseded) { value in
      CurrentContent(
        number: entry.number, record: try Self.record(in: value, at: key, of: .superseded),
        json: try Self.json(in: value, at: key, of: .superseded))
    }
    guard let found else { throw StoreError.missing(table: Table.superseded.name, key: key.bytes) }
    return found
  }

  /// When the version after this one was made; `nil` if there is none.
  private func replacement(
    of record: VersionRecord, _ number: UInt64, in reader: borrowing Reader
  ) throws -> Instant? {
    let current = try self.record(of: number, in: reader)
    if current.version == record.version { return nil }
    if current.version == record.version.next { return current.lastUpdated }
    let key = StoreKey.superseded(number, record.version.next)
    let next = try reader.withValue(at: key, in: .superseded) { value in
      try Self.record(in: value, at: key, of: .superseded)
    }
    guard let next else { throw StoreError.missing(table: Table.superseded.name, key: key.bytes) }
    return next.lastUpdated
  }
}
