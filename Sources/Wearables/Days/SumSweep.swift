/// The total of one metric across sources.
///
/// Between two neighbouring points (of all starts and ends) the open sample of the best source
/// counts, with the part of its value that the time between them is of its own time. Of one source,
/// that which was changed later is better. A sample without length counts if none that is open at
/// its instant is better, and of several at one instant only the best does.
///
/// Health Connect adds up so; Apple has not said how Health does.
///
/// - SeeAlso: https://cs.android.com, `PriorityRecordsAggregator`, `ValueColumnAggregationData`
struct SumSweep {
  /// A sample that is open, with the rank of its source.
  fileprivate struct Open {
    let sample: Sample
    let rank: SourceRank
    /// The last day in which it was counted.
    var day = Int.min
  }

  /// Those that may still count, as a heap with the best first.
  private var open: [Open] = []
  /// The best sample without length at `position`.
  private var instant: Open?
  /// Up to here everything is in the days.
  private var position = Int64.min

  /// As many samples are never open at one time in a person's data; what goes beyond would fill the
  /// memory.
  private static let openCountMaximum = 65_536

  /// Takes the next sample by start; `false` if too many are open.
  mutating func take(
    _ sample: Sample, rank: SourceRank, _ days: inout OpenDays, _ zones: inout ZoneList
  ) -> Bool {
    advance(to: sample.start, &days, &zones)
    let new = Open(sample: sample, rank: rank)
    guard sample.end > sample.start else {
      if instant.map({ new.isBetter(than: $0) }) ?? true { instant = new }
      return true
    }
    return insert(new)
  }

  /// Counts what is open to its end.
  mutating func finish(_ days: inout OpenDays, _ zones: inout ZoneList) {
    advance(to: Int64.max, &days, &zones)
  }

  /// Keeps out what the best covers to its end, and throws out what is covered so itself.
  private mutating func insert(_ new: Open) -> Bool {
    while let best = open.first {
      if best.isBetter(than: new) {
        if best.sample.end >= new.sample.end { return true }
        break
      }
      guard best.sample.end <= new.sample.end else { break }
      removeBest()
    }
    guard open.count < Self.openCountMaximum else { return false }
    open.append(new)
    var place = open.count - 1
    while place > 0, open[place].isBetter(than: open[(place - 1) / 2]) {
      open.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
    return true
  }

  private mutating func removeBest() {
    open.swapAt(0, open.count - 1)
    open.removeLast()
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < open.count else { return }
      if child + 1 < open.count, open[child + 1].isBetter(than: open[child]) { child += 1 }
      guard open[child].isBetter(than: open[place]) else { return }
      open.swapAt(place, child)
      place = child
    }
  }

  private mutating func advance(
    to next: Int64, _ days: inout OpenDays, _ zones: inout ZoneList
  ) {
    guard next > position else { return }
    countInstant(&days, &zones)
    while let best = open.first, position < next {
      if best.sample.end > position {
        count(to: min(best.sample.end, next), &days, &zones)
      }
      // One that ends at `next` is open for an instant there.
      if best.sample.end < next { removeBest() }
    }
    position = next
  }

  /// One that ends at the instant is still open, as one that begins there is.
  private mutating func countInstant(_ days: inout OpenDays, _ zones: inout ZoneList) {
    guard let candidate = instant else { return }
    instant = nil
    if let best = open.first, best.isBetter(than: candidate) { return }
    let day = zones.span(at: position, in: candidate.sample.zone).number
    days.with(day) {
      $0.note(candidate.sample)
      $0.sum.add(candidate.sample.value)
    }
  }

  /// Counts the best one from `position` on, day by day in its own zone.
  private mutating func count(
    to end: Int64, _ days: inout OpenDays, _ zones: inout ZoneList
  ) {
    let sample = open[0].sample
    while position < end {
      let span = zones.span(at: position, in: sample.zone)
      let stop = min(end, span.end)
      let isNew = open[0].day != span.number
      open[0].day = span.number
      let part = sample.part(from: position, to: stop)
      days.with(span.number) {
        if isNew { $0.note(sample) }
        $0.sum.add(part)
      }
      position = stop
    }
  }
}

extension SumSweep.Open {
  /// The order of Health Connect: the source, then the later change, start and end, then the value; and
  /// of two sources that tell the same, that with the smaller name.
  fileprivate func isBetter(than other: Self) -> Bool {
    if rank.place != other.rank.place { return rank.place < other.rank.place }
    let (one, two) = (sample, other.sample)
    if one.modified != two.modified { return one.modified > two.modified }
    if one.start != two.start { return one.start > two.start }
    if one.end != two.end { return one.end > two.end }
    if one.value != two.value { return one.value > two.value }
    return rank.name < other.rank.name
  }
}

extension Sample {
  /// The part of the value that a part of its time has.
  func part(from start: Int64, to end: Int64) -> Double {
    start == self.start && end == self.end
      ? value : value * Double(end - start) / Double(self.end - self.start)
  }
}
