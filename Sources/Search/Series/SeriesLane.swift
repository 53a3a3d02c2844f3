import KeyValue

/// What a walk of the main index has read of one kind of span behind one prefix, and where it is.
struct SeriesLane {
  /// `nil` for what has no date.
  let span: DateInterval.Length?
  /// The starts that are still to be read.
  private var starts: StartRange
  private let isDescending: Bool
  private var items: [SeriesItem] = []
  private var takenCount = 0
  /// What was read last, or the place behind which the walk begins.
  private var last: SeriesItem?
  /// Nothing is behind what was read.
  private(set) var isAtEnd = false
  private var chunk: Int

  /// - Parameters:
  ///   - place: entries up to this one, included, are left out.
  ///   - chunk: how many entries are read first.
  init(_ plan: SeriesPlan, span: DateInterval.Length?, after place: SeriesItem?, chunk: Int) {
    self.span = span
    starts = span.map(plan.starts) ?? StartRange()
    isDescending = plan.isDescending
    last = place
    self.chunk = chunk
    if let place { keepStarts(behind: place) }
  }

  /// The tag of the lane's keys.
  var tag: UInt8 { span?.rawValue ?? SeriesLayout.undated }

  /// The next entry of what was read, which stays the next until it is taken.
  var first: SeriesItem? { takenCount < items.count ? items[takenCount] : nil }

  /// Whether its next entry comes before that of another.
  func precedes(_ other: SeriesLane) -> Bool {
    guard let mine = first, let other = other.first else { return false }
    return mine.precedes(other, isDescending: isDescending)
  }

  mutating func take() { takenCount += 1 }

  /// Where an entry stands, in the walk's direction.
  enum Relation {
    case before
    case inside
    case behind
  }

  /// - Parameter interval: `nil` for an entry without a date.
  func relation(toTag tag: UInt8, _ interval: DateInterval?) -> Relation {
    if tag != self.tag { return (tag < self.tag) == isDescending ? .behind : .before }
    guard let interval else { return .inside }
    if interval.start < starts.lower { return isDescending ? .behind : .before }
    if interval.start > starts.upper { return isDescending ? .before : .behind }
    return .inside
  }

  mutating func beginChunk() {
    items = []
    takenCount = 0
  }

  /// - Returns: whether as many were read as are read at once.
  mutating func read(_ item: SeriesItem) -> Bool {
    if let last, !last.precedes(item, isDescending: isDescending) { return false }
    if items.isEmpty { items.reserveCapacity(chunk) }
    items.append(item)
    return items.count >= chunk
  }

  /// - Parameter isFull: whether there may be more.
  mutating func endChunk(isFull: Bool) {
    isAtEnd = !isFull
    chunk = min(chunk * 4, 4096)
    guard let item = items.last else { return }
    last = item
    keepStarts(behind: item)
  }

  private mutating func keepStarts(behind item: SeriesItem) {
    guard span != nil, let interval = item.interval else { return }
    if isDescending {
      starts.upper = min(starts.upper, interval.start)
    } else {
      starts.lower = max(starts.lower, interval.start)
    }
  }

  private func head(behind prefix: Key) -> Key {
    var head = Key(reservingByteCount: prefix.bytes.count + 1 + DateInterval.keyByteCount)
    head.append(prefix.bytes)
    head.append(tag)
    return head
  }

  /// Where a backward walk of the keys behind `prefix` begins: at this key or before it.
  func lastKey(behind prefix: Key) -> Key {
    if starts.upper < .max, let upper = keys(behind: prefix).upper { return upper }
    // Not the end of `keys`: what has no date stands at that very key.
    var key = head(behind: prefix)
    key.append([UInt8](repeating: .max, count: DateInterval.keyByteCount))
    return key
  }

  /// The keys that are still to be read behind `prefix`.
  func keys(behind prefix: Key) -> KeyRange {
    var head = head(behind: prefix)
    if span == nil { return KeyRange(prefix: head) }
    var range = starts.keys(after: head)
    guard let interval = last?.interval else { return range }
    // The key itself is read again: it may hold numbers that are still to come.
    head.append(interval.keyBytes)
    if isDescending {
      if let end = head.afterPrefix, range.upper.map({ end < $0 }) ?? true { range.upper = end }
    } else if range.lower < head {
      range.lower = head
    }
    return range
  }
}
