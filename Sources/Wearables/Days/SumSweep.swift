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

  /// Those that may still count.
  private var open = BestFirst<Open>()
  /// The best sample without length at `position`.
  private var instant: Open?
  /// Up to here everything is in the days.
  private var position = Int64.min

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
    return open.insert(new)
  }

  /// Counts what is open to its end.
  mutating func finish(_ days: inout OpenDays, _ zones: inout ZoneList) {
    advance(to: Int64.max, &days, &zones)
  }

  private mutating func advance(
    to next: Int64, _ days: inout OpenDays, _ zones: inout ZoneList
  ) {
    guard next > position else { return }
    countInstant(&days, &zones)
    while let best = open.best, position < next {
      if best.sample.end > position {
        count(to: min(best.sample.end, next), &days, &zones)
      }
      // One that ends at `next` is open for an instant there.
      if best.sample.end < next { open.removeBest() }
    }
    position = next
  }

  /// One that ends at the instant is still open, as one that begins there is.
  private mutating func countInstant(_ days: inout OpenDays, _ zones: inout ZoneList) {
    guard let candidate = instant else { return }
    instant = nil
    if let best = open.best, best.isBetter(than: candidate) { return }
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
    let sample = open.first.sample
    while position < end {
      let span = zones.span(at: position, in: sample.zone)
      let stop = min(end, span.end)
      let isNew = open.first.day != span.number
      open.first.day = span.number
      let part = sample.part(from: position, to: stop)
      days.with(span.number) {
        if isNew { $0.note(sample) }
        $0.sum.add(part)
      }
      position = stop
    }
  }
}

extension SumSweep.Open: Rival {
  var end: Int64 { sample.end }

  /// The order of Health Connect: the source, then the later change, start and end, then the value; and
  /// of two sources that tell the same, that with the smaller name.
  func isBetter(than other: Self) -> Bool {
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
