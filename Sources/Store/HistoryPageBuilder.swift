import FHIRModel

/// Collects a page of a history from entries that come newest first.
struct HistoryPageBuilder {
  private let query: HistoryQuery
  private let countMaximum: Int
  private(set) var entries: [HistoryEntry] = []
  /// The place of the last entry taken.
  private(set) var last: HistoryPlace?
  /// Whether there is an entry after the page.
  private(set) var hasMore = false

  init(_ query: HistoryQuery, countMaximum: Int) {
    self.query = query
    self.countMaximum = countMaximum
  }

  /// Whether the query asks for a version, by its moments.
  ///
  /// - Parameter replaced: when the next version came; `nil` if it is the current one.
  func asksFor(
    _ record: VersionRecord, replaced: @autoclosure () throws -> Instant?
  ) rethrows -> Bool {
    if let since = query.since, record.lastUpdated < since { return false }
    guard let at = query.at else { return true }
    guard record.lastUpdated < at.upperBound else { return false }
    if record.lastUpdated >= at.lowerBound { return true }
    // What was deleted before the interval was not there in it.
    guard !record.isDeleted else { return false }
    return try replaced().map { $0 > at.lowerBound } ?? true
  }

  /// Takes an entry, or notes that it would belong on the next page.
  mutating func take(
    _ record: VersionRecord, number: UInt64, json: @autoclosure () throws -> [UInt8]
  ) rethrows {
    guard entries.count < countMaximum else {
      hasMore = true
      return
    }
    entries.append(
      HistoryEntry(version: record.stored(with: try json()), change: record.change))
    last = HistoryPlace(moment: record.lastUpdated, number: number)
  }
}
