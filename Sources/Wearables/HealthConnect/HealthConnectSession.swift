/// A record that lasts, with the parts that it is known to have: a night and its stages.
struct HealthConnectSession: Hashable {
  var reading: HealthConnectReading
  /// The place of its app in the list that decides, 0 the best.
  var rank: Int
  /// By rising start.
  var parts: [Part] = []

  struct Part: Hashable {
    var start: Int64
    var end: Int64
    var type: Int
  }

  /// More stages than anybody has in a night.
  static let partCountMaximum = 10_000
}

/// Which sessions say the same as one before.
struct HealthConnectRepeats {
  private var start = Int64.min
  /// Of those that begin then.
  private var known: Set<HealthConnectSession> = []

  /// Takes the next session by start.
  mutating func isRepeat(_ session: HealthConnectSession) -> Bool {
    if session.reading.start != start {
      start = session.reading.start
      known.removeAll(keepingCapacity: true)
    }
    var session = session
    (session.reading.name, session.reading.modified) = (nil, 0)
    return !known.insert(session).inserted
  }
}

/// Which session counts when: at each moment the open one of the best app, of one app that which was
/// changed last. So several apps' records of one night neither add up nor fill each other's gaps, as
/// Health Connect has it.
///
/// - SeeAlso: https://cs.android.com, `PriorityRecordsAggregator`, `SessionDurationAggregationData`
struct HealthConnectSessionSweep {
  /// Those that may still count: the worst first, each ending later than all better ones.
  private var open: [HealthConnectSession] = []
  /// Up to here it is said which session counts.
  private var position = Int64.min

  typealias Stretch = (session: HealthConnectSession, start: Int64, end: Int64)

  /// Takes the next session by start, and lends the stretches before it.
  mutating func take(
    _ session: HealthConnectSession, _ each: (Stretch) throws -> Void
  ) rethrows {
    try advance(to: session.reading.start, each)
    var place = open.count
    while place > 0, open[place - 1].isBetter(than: session) { place -= 1 }
    // The worst of the better ones ends last of them.
    if place < open.count, open[place].reading.end >= session.reading.end { return }
    var first = place
    while first > 0, open[first - 1].reading.end <= session.reading.end { first -= 1 }
    open.replaceSubrange(first..<place, with: CollectionOfOne(session))
  }

  /// Lends the stretches that are left.
  mutating func finish(_ each: (Stretch) throws -> Void) rethrows {
    try advance(to: .max, each)
  }

  private mutating func advance(to next: Int64, _ each: (Stretch) throws -> Void) rethrows {
    while position < next, let best = open.last {
      let end = min(best.reading.end, next)
      let start = max(position, best.reading.start)
      if start < end {
        try each((best, start, end))
        position = end
      }
      if best.reading.end <= next { open.removeLast() }
    }
    position = max(position, next)
  }
}

extension HealthConnectSession {
  fileprivate func isBetter(than other: Self) -> Bool {
    if rank != other.rank { return rank < other.rank }
    let (one, two) = (reading, other.reading)
    if one.modified != two.modified { return one.modified > two.modified }
    return one.start != two.start ? one.start > two.start : one.end > two.end
  }

  /// The stretches from `start` to `end` that count for a type.
  func stretches(
    of type: HealthConnectType, from start: Int64, to end: Int64
  ) -> [Range<Int64>] {
    let numbers = type.filter?.values ?? []
    return type.shape == .session || type.filter == nil
      ? stretches(without: numbers, from: start, to: end)
      : stretches(of: numbers, from: start, to: end)
  }

  /// The stretches from `start` to `end` that parts of such types cover.
  func stretches(
    of types: [Int], from start: Int64, to end: Int64
  ) -> [Range<Int64>] {
    var covered: [Range<Int64>] = []
    for part in parts where types.contains(part.type) {
      let (low, high) = (max(part.start, start), min(part.end, end))
      guard low < high else { continue }
      if let last = covered.last, low <= last.upperBound {
        covered[covered.count - 1] = last.lowerBound..<max(last.upperBound, high)
      } else {
        covered.append(low..<high)
      }
    }
    return covered
  }

  /// The stretches from `start` to `end` that no part of such types covers.
  func stretches(
    without types: [Int], from start: Int64, to end: Int64
  ) -> [Range<Int64>] {
    var position = start
    var free: [Range<Int64>] = []
    for part in stretches(of: types, from: start, to: end) {
      if position < part.lowerBound { free.append(position..<part.lowerBound) }
      position = part.upperBound
    }
    if position < end { free.append(position..<end) }
    return free
  }
}
