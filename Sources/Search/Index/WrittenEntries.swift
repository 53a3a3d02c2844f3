import FHIRModel
import KeyValue

/// What a resource wrote into the index, by the units of its type: another one writes the same where
/// it says the same.
///
/// It holds for the transaction in which it was written, for terms may have got their numbers there; or,
/// where nothing is written yet, for the view in which terms had theirs.
package struct WrittenEntries: Sendable {
  /// By the units' positions; those that no single path leads to are left out.
  fileprivate var ofUnits: [[NewEntry]]
  /// The main index's keys without their last bytes, which are the date's.
  fileprivate var ofSeries: [NewEntry] = []

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
    let new = try entries(ofNew: version.resource, since: &known, change) {
      try terms.intern($0, in: &transaction)
    }
    try add(number, version, new, ProvisionalNumbers.Given(), in: &transaction)
  }

  /// Tells beforehand what a resource writes that the index doesn't speak of yet.
  ///
  /// - Parameters:
  ///   - number: gives the number of a term, which may be provisional.
  ///   - known: what another resource of its type writes in the same view; afterwards what this one does.
  ///   - change: what this resource says otherwise than that one: only that is looked at.
  package func entries(
    ofNew resource: Resource, since known: inout WrittenEntries?, _ change: ContentChange?,
    _ number: (Term) throws -> UInt32
  ) throws -> NewEntries {
    let parameters = ParameterTable.shared[resource.type]
    var written = known ?? WrittenEntries(unitCount: parameters.units.count)
    let change = known == nil ? nil : change
    known = nil
    try written.renew(parameters, resource, change, configuration, number)
    let entries =
      written.ofUnits.flatMap(\.self)
      + written.seriesEntries(of: resource, parameters, configuration)
    known = written
    return NewEntries(entries: entries)
  }

  /// Makes the index speak of a resource of which it doesn't speak yet, by what was told beforehand.
  ///
  /// - Parameter given: the numbers that took the place of provisional ones.
  package func add(
    _ number: UInt64, _ version: IndexedVersion, _ new: NewEntries,
    _ given: ProvisionalNumbers.Given,
    in transaction: inout WriteTransaction
  ) throws {
    let parameters = ParameterTable.shared[version.resource.type]
    let everything = Unit.everything(of: parameters.type)
    try transaction.insert(number, at: everything, in: .postings)
    for entry in new.entries {
      let entry = entry.entry(given)
      try transaction.insert(number, at: entry.key, in: entry.table)
    }
    for entry in unroutedEntries(of: version, parameters) {
      let key = try entry.key { try terms.intern($0, in: &transaction) }
      try transaction.insert(number, at: key, in: entry.table)
    }
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
    _ parameters: TypeParameters, _ resource: Resource, _ change: ContentChange?,
    _ configuration: SearchConfiguration, _ number: (Term) throws -> UInt32
  ) throws {
    for unit in ofUnits.indices where change?.touches(unit) != false {
      ofUnits[unit].removeAll(keepingCapacity: true)
    }
    let root = resource.document.root
    var writer = EntryWriter(configuration: configuration)
    for member in root.members {
      for route in parameters.routes[member.hash] ?? []
      where change?.touches(route.unit) != false && member.hasName(route.name) {
        let unit = parameters.units[route.unit]
        writer.begin(unit)
        route.path.forEachValue(inFirst: member.value) { unit.kind.write($0, to: &writer) }
        for entry in writer.entries { ofUnits[route.unit].append(try NewEntry(entry, number)) }
        writer.removeAll()
      }
    }
    if let series = parameters.series, change?.touchesHead(of: series) != false {
      ofSeries = try series.heads(of: root, configuration: configuration).map {
        try NewEntry($0, number)
      }
    }
  }

  /// The main index's, whole.
  fileprivate func seriesEntries(
    of resource: Resource, _ parameters: TypeParameters, _ configuration: SearchConfiguration
  ) -> [NewEntry] {
    guard let series = parameters.series else { return [] }
    let tail = series.tail(of: resource.document.root, configuration: configuration)
    return ofSeries.map { $0.closed(with: tail) }
  }
}

/// What a new resource writes into the index but for what depends on when that is.
package struct NewEntries: Sendable {
  fileprivate let entries: [NewEntry]
}

/// An entry to be made.
private struct NewEntry: Sendable {
  var entry: IndexEntry
  /// Where in the key provisional numbers stand.
  private var places: [Int] = []

  init(_ entry: Entry, _ number: (Term) throws -> UInt32) throws {
    let key = try entry.key(number)
    self.entry = IndexEntry(table: entry.table, key: key)
    // A term that isn't there has a place in the key all the same.
    for position in entry.terms.indices {
      let place = entry.head.count + 4 * position
      if ProvisionalNumbers.includes(Self.number(at: place, in: key.bytes)) { places.append(place) }
    }
  }

  private static func number(at place: Int, in bytes: [UInt8]) -> UInt32 {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// With those bytes behind all others.
  func closed(with tail: [UInt8]) -> NewEntry {
    var closed = self
    closed.entry.key.append(tail)
    return closed
  }

  /// With the numbers that took the place of provisional ones.
  func entry(_ given: ProvisionalNumbers.Given) -> IndexEntry {
    if places.isEmpty { return entry }
    var entry = entry
    for place in places {
      entry.key.replace(at: place, with: given[Self.number(at: place, in: entry.key.bytes)])
    }
    return entry
  }
}
