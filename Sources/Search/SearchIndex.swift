import Crypto
import FHIRModel
import KeyValue

/// The search index of a store: what each resource writes into it, and how a query is answered from
/// it.
///
/// Keys of `search-postings` begin with the position of the resource type and the number of a unit
/// (`Unit`); unit 0 lists all resources of the type. What follows is the affair of the parameter's
/// kind, each in a file of `Parameters`. `search-series` is `SeriesLayout`'s.
package final class SearchIndex: Sendable {
  package static let tables: [Table] = Terms.tables + [.postings, .series]

  /// What indexes are made of beside the resources: this program's parameters, in which keys count
  /// units, and its way to write their values. An index with another mark must not be searched.
  package static let mark: UInt64 =
    stableHash(Specification.bytesOfSearch) &+ valueFormat &* 0x9E37_79B9_7F4A_7C15

  /// Raised when what a value puts into the index changes.
  private static let valueFormat: UInt64 = 2

  package let configuration: SearchConfiguration
  package let terms = Terms()
  let pageKey: HMACKey

  package init(configuration: SearchConfiguration) {
    self.configuration = configuration
    pageKey = HMACKey(configuration.pageKey)
  }

  /// Makes the index speak of `new` instead of `old`, by writing what differs.
  ///
  /// - Parameters:
  ///   - number: the resource's number.
  ///   - old: the version that the index speaks of now; `nil` if there is none or it was deleted.
  ///   - new: the version that it shall speak of; `nil` for none.
  ///   - change: what `new` says otherwise than `old`, where both are there: only what it touches is
  ///     looked at.
  package func replace(
    _ number: UInt64, of type: ResourceType, old: IndexedVersion?, new: IndexedVersion?,
    change: ContentChange? = nil, in transaction: inout WriteTransaction
  ) throws {
    if old == nil, let new {
      var written: WrittenEntries?
      return try add(number, new, since: &written, nil, in: &transaction)
    }
    let before = old.map { entries(of: $0, type, touchedBy: change) } ?? []
    let after = new.map { entries(of: $0, type, touchedBy: change) } ?? []
    for entry in before.subtracting(after) {
      let key = try entry.key { try terms.intern($0, in: &transaction) }
      try transaction.remove(number, at: key, in: entry.table)
    }
    for entry in after.subtracting(before) {
      let key = try entry.key { try terms.intern($0, in: &transaction) }
      try transaction.insert(number, at: key, in: entry.table)
    }
  }

  /// What a version has written into the index, for comparing it with what stands there.
  ///
  /// A term that is not interned counts as number 0, so an entry that needs it is one that can't
  /// stand in the index.
  package func entries(
    of version: IndexedVersion, in reader: borrowing Reader
  ) throws -> Set<IndexEntry> {
    var found: Set<IndexEntry> = []
    for entry in entries(of: version, version.resource.type) {
      let key = try entry.key { try terms.lookup($0, in: reader) ?? 0 }
      found.insert(IndexEntry(table: entry.table, key: key))
    }
    return found
  }

  /// The tables whose entries `entries(of:in:)` gives.
  package static let postingTables: [Table] = [.postings, .series]

  /// Sorted, each once: all of them, or those that a change may have touched.
  private func entries(
    of version: IndexedVersion, _ type: ResourceType, touchedBy change: ContentChange? = nil
  ) -> [Entry] {
    let parameters = ParameterTable.shared[type]
    let root = version.resource.document.root
    var writer = EntryWriter(configuration: configuration)
    if change == nil {
      writer.append([Entry(table: .postings, head: Unit.everything(of: type).bytes)])
    }
    for member in root.members {
      for route in parameters.routes[member.hash] ?? []
      where member.hasName(route.name) && change?.touches(route.unit) != false {
        let unit = parameters.units[route.unit]
        writer.begin(unit)
        route.path.forEachValue(inFirst: member.value) { unit.kind.write($0, to: &writer) }
      }
    }
    writer.append(unroutedEntries(of: version, parameters))
    if let series = parameters.series, change?.touches(series) != false {
      writer.append(series.entries(of: root, configuration: configuration))
    }
    var entries = writer.entries
    entries.sortAndUnite()
    return entries
  }
}

extension ParameterKind {
  /// Writes what a value of a parameter of this kind puts into the index.
  func write(_ value: PathValue, to writer: inout EntryWriter) {
    switch self {
    case .token: TokenParameter.write(value, to: &writer)
    case .reference: ReferenceParameter.write(value, to: &writer)
    case .date: DateParameter.write(value, to: &writer)
    case .string: StringParameter.write(value, to: &writer)
    case .uri: URIParameter.write(value, to: &writer)
    case .number: NumberParameter.write(value, to: &writer)
    case .quantity: QuantityParameter.write(value, to: &writer)
    // Their values are those of other parameters.
    case .composite, .special: break
    }
  }

  /// What values of this kind are sorted by, as bytes that order as the values do.
  func sortKeys(of value: PathValue, configuration: SearchConfiguration) -> [[UInt8]] {
    switch self {
    case .token: TokenParameter.sortKey(of: value).map { [$0] } ?? []
    case .reference: ReferenceParameter.sortKey(of: value).map { [$0] } ?? []
    case .date:
      DateParameter.sortKey(of: value, assuming: configuration.zoneOffset).map { [$0] } ?? []
    case .string: StringParameter.sortKeys(of: value)
    case .uri: URIParameter.sortKey(of: value).map { [$0] } ?? []
    case .number, .quantity: NumberParameter.sortKey(of: value).map { [$0] } ?? []
    case .composite, .special: []
    }
  }
}

extension SearchIndex {
  /// The values of a resource for each of its type's parameters that has an expression of its own
  /// (composites have none), by the parameter's name.
  package static func values(of root: JSONValue, _ type: ResourceType) -> [String: [JSONValue]] {
    ParameterTable.shared[type].parameters.filter { !$0.value.parts.isEmpty }.mapValues {
      var values: [JSONValue] = []
      $0.forEachValue(in: root) { values.append($0.value) }
      return values
    }
  }
}
