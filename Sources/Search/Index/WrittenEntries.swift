import FHIRModel
import KeyValue

/// What a resource wrote into the index, by the units of its type: another one writes the same where
/// it says the same.
///
/// It holds for the transaction in which it was written, for terms may have got their numbers there.
package struct WrittenEntries: Sendable {
  /// By the units' positions; those that no single path leads to are left out.
  fileprivate var ofUnits: [[IndexEntry]]
  /// The main index's keys without their last bytes, which are the date's.
  fileprivate var ofSeries: [Key] = []

  fileprivate init(unitCount: Int) { ofUnits = Array(repeating: [], count: unitCount) }
}

extension SearchIndex {
  /// Makes the index speak of a resource of which it doesn't speak yet.
  ///
  /// - Parameters:
  ///   - known: what another resource of its type wrote in this transaction; afterwards what this one
  ///     wrote.
  ///   - change: what this resource says otherwise than that one: only that is looked at.
  package func add(
    _ number: UInt64, _ version: IndexedVersion, since known: inout WrittenEntries?,
    _ change: ContentChange?, in transaction: inout WriteTransaction
  ) throws {
    let parameters = ParameterTable.shared[version.resource.type]
    var written = known ?? WrittenEntries(unitCount: parameters.units.count)
    let change = known == nil ? nil : change
    known = nil
    try written.renew(parameters, version, change, configuration) {
      try terms.intern($0, in: &transaction)
    }
    let everything = Unit.everything(of: parameters.type)
    try transaction.insert(number, at: everything, in: .postings)
    for entries in written.ofUnits {
      for entry in entries { try transaction.insert(number, at: entry.key, in: entry.table) }
    }
    for entry in unroutedEntries(of: version, parameters) {
      let key = try entry.key { try terms.intern($0, in: &transaction) }
      try transaction.insert(number, at: key, in: entry.table)
    }
    if let series = parameters.series {
      let tail = series.tail(of: version.resource.document.root, configuration: configuration)
      for head in written.ofSeries {
        var key = head
        key.append(tail)
        try transaction.insert(number, at: key, in: .series)
      }
    }
    known = written
  }

  /// What the units write that no single path leads to.
  func unroutedEntries(of version: IndexedVersion, _ parameters: TypeParameters) -> [Entry] {
    var writer = EntryWriter(configuration: configuration)
    for position in parameters.unrouted {
      let unit = parameters.units[position]
      writer.begin(unit)
      if unit.isLastUpdated {
        DateParameter.write(version.lastUpdated, to: &writer)
      } else {
        unit.forEachValue(in: version.resource.document.root) {
          unit.kind.write($0, to: &writer)
        }
      }
    }
    return writer.entries
  }
}

extension WrittenEntries {
  /// Makes it what this version writes, where a change says that it may be something else.
  fileprivate mutating func renew(
    _ parameters: TypeParameters, _ version: IndexedVersion, _ change: ContentChange?,
    _ configuration: SearchConfiguration, _ number: (Term) throws -> UInt32
  ) throws {
    for unit in ofUnits.indices where change?.touches(unit) != false {
      ofUnits[unit].removeAll(keepingCapacity: true)
    }
    let root = version.resource.document.root
    var writer = EntryWriter(configuration: configuration)
    for member in root.members {
      for route in parameters.routes[member.hash] ?? []
      where change?.touches(route.unit) != false && member.hasName(route.name) {
        let unit = parameters.units[route.unit]
        writer.begin(unit)
        route.path.forEachValue(inFirst: member.value) { unit.kind.write($0, to: &writer) }
        for entry in writer.entries {
          ofUnits[route.unit].append(IndexEntry(table: entry.table, key: try entry.key(number)))
        }
        writer.removeAll()
      }
    }
    if let series = parameters.series, change?.touchesHead(of: series) != false {
      ofSeries = try series.heads(of: root, configuration: configuration).map {
        try $0.key(number)
      }
    }
  }
}
