import FHIRModel
import KeyValue

/// An entry of the main index: a resource at its date.
struct SeriesItem: Hashable, Comparable {
  /// `nil` for what has no date, which comes behind everything in both directions.
  var interval: DateInterval?
  var number: UInt64

  static func < (left: SeriesItem, right: SeriesItem) -> Bool {
    switch (left.interval, right.interval) {
    case (let mine?, let other?) where mine != other: mine.isBefore(other)
    case (_?, nil): true
    case (nil, _?): false
    default: left.number < right.number
    }
  }

  /// Whether it comes before `other` in a walk of this direction.
  func precedes(_ other: SeriesItem, isDescending: Bool) -> Bool {
    guard isDescending, (interval == nil) == (other.interval == nil) else { return self < other }
    return other < self
  }
}

extension DateInterval {
  /// The order of the keys.
  fileprivate func isBefore(_ other: DateInterval) -> Bool {
    (start, end, startOffset.minutes, endOffset.minutes)
      < (other.start, other.end, other.startOffset.minutes, other.endOffset.minutes)
  }
}

/// One range of the main index, read some entries at a time.
struct SeriesStream {
  private let plan: SeriesPlan
  private let prefix: Key
  /// `nil` for what has no date.
  private let span: DateInterval.Length?
  private var items: ArraySlice<SeriesItem> = []
  private var last: SeriesItem?
  private var chunk: Int
  private var isAtEnd = false

  /// - Parameter place: entries up to this one, included, are left out.
  init(
    _ plan: SeriesPlan, prefix: Key, span: DateInterval.Length?, after place: SeriesItem?,
    chunk: Int
  ) {
    self.plan = plan
    self.prefix = prefix
    self.span = span
    self.chunk = chunk
    last = place
  }

  /// The next entry, which stays the next until it is taken.
  mutating func next(in reader: borrowing Reader) throws -> SeriesItem? {
    if items.isEmpty, !isAtEnd { try refill(from: reader) }
    return items.first
  }

  mutating func take() { items.removeFirst() }

  private mutating func refill(from reader: borrowing Reader) throws {
    var found: [SeriesItem] = []
    let (plan, span, last, chunk, position) = (plan, span, last, chunk, prefix.bytes.count + 1)
    isAtEnd = true
    var isFull = false
    try reader.walkPostings(.series, range, plan.isDescending ? .backward : .forward) {
      key, number in
      let interval = span == nil ? nil : DateInterval(key, at: position)
      let item = SeriesItem(interval: interval, number: number)
      if let last, !last.precedes(item, isDescending: plan.isDescending) { return .next }
      if let interval, !plan.matches(interval) { return .next }
      if found.isEmpty { found.reserveCapacity(chunk) }
      found.append(item)
      isFull = found.count >= chunk
      return isFull ? .stop : .next
    }
    isAtEnd = !isFull
    self.last = found.last ?? last
    self.chunk = min(chunk * 4, 4096)
    items = found[...]
  }

  /// The keys that are still to be read.
  private var range: KeyRange {
    guard let span else { return KeyRange(prefix: tagged(SeriesLayout.undated)) }
    var range = plan.starts(of: span).keys(after: tagged(span.rawValue))
    guard let interval = last?.interval else { return range }
    var key = tagged(span.rawValue)
    key.append(interval.keyBytes)
    if plan.isDescending {
      // The key itself is read again: it may hold numbers below the last one.
      let end = key.afterPrefix
      if let end, range.upper.map({ end < $0 }) ?? true { range.upper = end }
    } else if range.lower < key {
      range.lower = key
    }
    return range
  }

  private func tagged(_ tag: UInt8) -> Key {
    var key = prefix
    key.append([tag])
    return key
  }
}

/// All ranges of the main index that a plan needs, as one sequence in the order of dates. Each
/// resource comes once, though several of its codes may be asked for.
struct SeriesWalk {
  private var streams: [SeriesStream]
  private let isDescending: Bool
  private var last: SeriesItem?

  init(
    _ plan: SeriesPlan, prefixes: [Key], after place: SeriesItem?, chunk: Int
  ) {
    isDescending = plan.isDescending
    var spans: [DateInterval.Length?] = []
    // Behind a place without a date there are no more dates.
    if place.map({ $0.interval != nil }) ?? true { spans = DateInterval.Length.allCases }
    if plan.dates.isEmpty { spans.append(nil) }
    streams = prefixes.flatMap { prefix in
      spans.map { span in
        // A place with a date lies before everything undated.
        let start = span == nil && place?.interval != nil ? nil : place
        return SeriesStream(plan, prefix: prefix, span: span, after: start, chunk: chunk)
      }
    }
  }

  mutating func next(in reader: borrowing Reader) throws -> SeriesItem? {
    while true {
      var best: (item: SeriesItem, position: Int)?
      for position in streams.indices {
        guard let item = try streams[position].next(in: reader) else { continue }
        if best.map({ item.precedes($0.item, isDescending: isDescending) }) ?? true {
          best = (item, position)
        }
      }
      guard let best else { return nil }
      streams[best.position].take()
      if best.item == last { continue }
      last = best.item
      return best.item
    }
  }
}
