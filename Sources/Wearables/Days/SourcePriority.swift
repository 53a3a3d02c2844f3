/// Which of several sources counts where they cover the same time.
package struct SourcePriority: Sendable {
  /// Names or identifiers, normalised, the best first; for all metrics that have no list of their
  /// own.
  private let named: [String: Int]
  private let namedByMetric: [UInt16: [String: Int]]

  /// Those that are named first, in that order, then watches, then phones, then all others: for an
  /// Apple Health export, which doesn't hold the order that the person chose.
  package static func byKind(first names: [String] = []) -> SourcePriority {
    SourcePriority(named: ranks(names), namedByMetric: [:])
  }

  /// Only those that are listed, in that order: for a Health Connect export, which holds a list per
  /// category of data. A metric without a list takes all its sources by kind.
  package static func listed(_ lists: [UInt16: [String]]) -> SourcePriority {
    SourcePriority(named: [:], namedByMetric: lists.mapValues(ranks))
  }

  private static func ranks(_ names: [String]) -> [String: Int] {
    Dictionary(names.enumerated().map { (Source.normalised($1), $0) }, uniquingKeysWith: min)
  }

  func takes(_ source: Source, for metric: UInt16) -> Bool {
    rank(of: source, for: metric) != nil
  }

  /// The rank of each source for a metric, the smallest first; `nil` for one that doesn't count.
  func ranks(of sources: SourceList, for metric: UInt16) -> [Int?] {
    sources.sources.map { rank(of: $0, for: metric) }
  }

  private func rank(of source: Source, for metric: UInt16) -> Int? {
    let list = namedByMetric[metric]
    let names = list ?? named
    if let rank = names[source.identifier ?? ""] ?? names[source.name] { return rank }
    return list == nil ? names.count + Int(source.kind.rawValue) : nil
  }
}
