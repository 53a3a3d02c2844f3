/// The raw samples of one metric that began on one day in UTC: what is kept, exactly, so that a
/// corrected rule can be applied to them without the file they came from.
///
/// A chunk names its sources and zones itself, in the order of their names, so that the same samples
/// make the same bytes in whatever order and by however many imports they came.
package struct SampleChunk: Hashable, Sendable {
  /// Its name: positions in the table of metrics change as the table grows.
  package let metric: String
  /// Days since 1970-01-01.
  package let day: Int32
  /// Rising.
  private(set) var sources: [Source]
  /// Rising; the home zone is the empty name.
  private(set) var zones: [String]
  /// Rising, each reading once.
  private(set) var rows: [Row]

  /// A sample whose source and zone are positions in the chunk's own lists.
  struct Row: Hashable, Sendable {
    var start: Int64
    var end: Int64
    var modified: Int64
    var value: Double
    var source: Int
    var zone: Int
    var isManual: Bool
  }

  /// - Parameters:
  ///   - sources: what positions in `rows` stand for, in any order, each once.
  ///   - zones: the same.
  init(metric: String, day: Int32, sources: [Source], zones: [String], rows: [Row]) {
    self.metric = metric
    self.day = day
    let (sources, newSource) = Self.used(sources, Set(rows.lazy.map(\.source)))
    let (zones, newZone) = Self.used(zones, Set(rows.lazy.map(\.zone)))
    self.sources = sources
    self.zones = zones
    self.rows = rows.map { row in
      var row = row
      row.source = newSource[row.source] ?? 0
      row.zone = newZone[row.zone] ?? 0
      return row
    }
    self.rows.sort()
  }

  /// Those names that are used, in order, and the new position of each.
  private static func used<Name: Comparable>(
    _ names: [Name], _ positions: Set<Int>
  ) -> (names: [Name], newPositions: [Int: Int]) {
    let order = positions.sorted { names[$0] < names[$1] }
    let newPositions = order.enumerated().map { ($0.element, $0.offset) }
    return (order.map { names[$0] }, Dictionary(uniqueKeysWithValues: newPositions))
  }

  package var count: Int { rows.count }

  /// The samples of both. What both have is there once; so is a reading that differs only in when it
  /// was changed or in its zone, with what was changed last. A reading that one of them has twice (two
  /// eggs of one meal) is there twice.
  ///
  /// - Precondition: both are of one metric and day.
  /// - Precondition: both are of one metric and day.
  package func merged(with other: SampleChunk) -> SampleChunk {
    precondition(metric == other.metric && day == other.day, "chunks of one metric and day")
    let sources = Set(self.sources).union(other.sources).sorted()
    let zones = Set(self.zones).union(other.zones).sorted()
    let rows = Self.united(
      self.rows(with: sources, zones)[...], other.rows(with: sources, zones)[...])
    return SampleChunk(metric: metric, day: day, sources: sources, zones: zones, rows: rows)
  }

  /// The rows with positions in longer lists of the same order.
  private func rows(with sources: [Source], _ zones: [String]) -> [Row] {
    let newSource = self.sources.map { sources.firstIndex(of: $0) ?? 0 }
    let newZone = self.zones.map { zones.firstIndex(of: $0) ?? 0 }
    return rows.map { row in
      var row = row
      row.source = newSource[row.source]
      row.zone = newZone[row.zone]
      return row
    }
  }

  private static func united(_ left: ArraySlice<Row>, _ right: ArraySlice<Row>) -> [Row] {
    var (left, right) = (left, right)
    var rows: [Row] = []
    rows.reserveCapacity(max(left.count, right.count))
    while let first = [left.first, right.first].compactMap(\.self).min() {
      let mine = left.prefix { $0.isSameReading(as: first) }
      let others = right.prefix { $0.isSameReading(as: first) }
      left = left.dropFirst(mine.count)
      right = right.dropFirst(others.count)
      rows += mine == others ? mine : copies(mine, others)
    }
    return rows
  }

  /// Copies of one reading: as many as the one that has more of them, those that were changed last.
  private static func copies(_ mine: ArraySlice<Row>, _ others: ArraySlice<Row>) -> ArraySlice<Row>
  {
    var all = Array(mine)
    var rest = mine
    for copy in others {
      // Each of mine stands for one that is the same.
      if let place = rest.firstIndex(of: copy) { rest.remove(at: place) } else { all.append(copy) }
    }
    return all.sorted().suffix(max(mine.count, others.count))
  }
}

extension SampleChunk.Row: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    if left.start != right.start { return left.start < right.start }
    if left.end != right.end { return left.end < right.end }
    if left.source != right.source { return left.source < right.source }
    let (one, other) = (left.value.bitPattern, right.value.bitPattern)
    if one != other { return one < other }
    if left.modified != right.modified { return left.modified < right.modified }
    if left.zone != right.zone { return left.zone < right.zone }
    return !left.isManual && right.isManual
  }

  func isSameReading(as other: Self) -> Bool {
    start == other.start && end == other.end && source == other.source
      && value.bitPattern == other.value.bitPattern
  }
}
