/// Which of several sources counts where they cover the same time.
package struct SourcePriority: Hashable, Sendable {
  /// Names or identifiers, normalised, the best first; for all metrics that have no list of their
  /// own.
  let named: [String: Int]
  let namedByMetric: [UInt16: [String: Int]]
  /// The metrics to which no order applies, and whose records the export tells apart.
  let addingUp: Set<UInt16>

  /// Those that are named first (or all of a kind: Watch, iPhone), in that order, then watches, then
  /// phones, then all others: for an Apple Health export, which doesn't hold the order that the person
  /// chose.
  package static func byKind(first names: [String] = []) -> SourcePriority {
    SourcePriority(named: ranks(names), namedByMetric: [:], addingUp: [])
  }

  /// Only those that are listed, in that order: for a Health Connect export, which holds a list per
  /// category of data. A metric without a list takes all its sources by kind.
  ///
  /// - Parameter addingUp: the metrics whose samples add up whatever their source, without an order.
  package static func listed(
    _ lists: [UInt16: [String]], addingUp: Set<UInt16> = []
  ) -> SourcePriority {
    SourcePriority(named: [:], namedByMetric: lists.mapValues(ranks), addingUp: addingUp)
  }

  private static func ranks(_ names: [String]) -> [String: Int] {
    Dictionary(names.enumerated().map { (key($1), $0) }, uniquingKeysWith: min)
  }

  private static func key(_ name: String) -> String { Source.normalised(name).lowercased() }

  /// Says of each of the names for `byKind` that stands for none of the sources that it does, and which
  /// there are: a mistyped name would change nothing.
  static func strangers(among names: [String], to sources: [Source]) -> [String] {
    let known = Set(
      sources.flatMap { [key($0.name), key($0.identifier ?? "")] + $0.kind.words })
    let own = Set(sources.map(\.name)).sorted().prefix(toldSourceCountMaximum)
    let there = own.isEmpty ? "no source" : own.joined(separator: ", ")
    return names.filter { !known.contains(key($0)) }.map {
      "no record is of “\($0)”, which is to count first; there is \(there)"
    }
  }

  private static let toldSourceCountMaximum = 10

  func takes(_ source: Source, for metric: UInt16) -> Bool {
    namedByMetric[metric] == nil || place(of: source, for: metric) != nil
  }

  /// The rank of each source for a metric; `nil` for one that doesn't count.
  func ranks(of list: SourceList, for metric: UInt16) -> [SourceRank?] {
    let sources = list.sources
    var names = [Int](repeating: 0, count: sources.count)
    for (place, position) in sources.indices.sorted(by: { sources[$0] < sources[$1] }).enumerated()
    {
      names[position] = place
    }
    return zip(sources, names).map { source, name in
      place(of: source, for: metric).map { SourceRank(place: $0, name: name) }
    }
  }

  private func place(of source: Source, for metric: UInt16) -> Int? {
    if let list = namedByMetric[metric] {
      return list[Self.key(source.identifier ?? "")] ?? list[Self.key(source.name)]
    }
    let own = named[Self.key(source.identifier ?? "")] ?? named[Self.key(source.name)]
    return own ?? source.kind.words.compactMap { named[$0] }.min()
      ?? named.count + Int(source.kind.rawValue)
  }
}

extension Source.Kind {
  /// What stands for all sources of a kind in a list of names.
  fileprivate var words: [String] {
    switch self {
    case .watch: ["watch", "apple watch"]
    case .phone: ["phone", "iphone"]
    case .other: []
    }
  }
}

/// The place of a source among all, the smallest is the best; by its name in the order of names,
/// whatever else is the same.
struct SourceRank: Hashable, Sendable {
  let place: Int
  let name: Int
}

extension Source: Comparable {
  package static func < (left: Source, right: Source) -> Bool {
    if left.name != right.name { return left.name < right.name }
    if left.kind != right.kind { return left.kind < right.kind }
    return (left.identifier ?? "") < (right.identifier ?? "")
  }
}
