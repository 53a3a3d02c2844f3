/// Which session counts when: at each moment the open one of the best app, of one app that which was
/// changed last. So several apps' records of one night neither add up nor fill each other's gaps, as
/// Health Connect has it.
///
/// - SeeAlso: https://cs.android.com, `PriorityRecordsAggregator`, `SessionDurationAggregationData`
struct HealthConnectSessionSweep {
  /// Those that may still count.
  private var open = BestFirst<HealthConnectSession>()
  /// Up to here it is said which session counts.
  private var position = Int64.min

  typealias Stretch = (session: HealthConnectSession, start: Int64, end: Int64)

  /// Takes the next session by start, and lends the stretches before it.
  ///
  /// - Returns: `false` if too many are open.
  mutating func take(
    _ session: HealthConnectSession, _ each: (Stretch) throws -> Void
  ) rethrows -> Bool {
    try advance(to: session.reading.start, each)
    return open.insert(session)
  }

  /// Lends the stretches that are left.
  mutating func finish(_ each: (Stretch) throws -> Void) rethrows {
    try advance(to: .max, each)
  }

  private mutating func advance(to next: Int64, _ each: (Stretch) throws -> Void) rethrows {
    while position < next, let best = open.best {
      let end = min(best.reading.end, next)
      let start = max(position, best.reading.start)
      if start < end {
        try each((best, start, end))
        position = end
      }
      if best.reading.end <= next { open.removeBest() }
    }
    position = max(position, next)
  }
}

extension HealthConnectSession: Rival {
  var end: Int64 { reading.end }

  func isBetter(than other: Self) -> Bool {
    if rank != other.rank { return rank < other.rank }
    let (one, two) = (reading, other.reading)
    if one.modified != two.modified { return one.modified > two.modified }
    return one.start != two.start ? one.start > two.start : one.end > two.end
  }
}
