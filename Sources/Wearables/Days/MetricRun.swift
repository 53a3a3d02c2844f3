/// The days of one metric, while its samples come by rising start.
struct MetricRun {
  let metric: UInt16
  let rule: DayRule
  /// By source; `nil` for one that doesn't count.
  let ranks: [SourceRank?]
  private var days = OpenDays()
  private var sums = SumSweep()
  private var durations = DurationSweep()
  /// The day in which the last sample began.
  private var today = Int.min
  /// The first day that is asked for.
  private let since: Int

  init(metric: UInt16, rule: DayRule, ranks: [SourceRank?], since: LocalDay?) {
    self.metric = metric
    self.rule = rule
    self.ranks = ranks
    self.since = since?.number ?? .min
  }

  mutating func take(
    _ sample: Sample, _ nights: Nights, _ zones: inout ZoneList, _ counts: inout DayEngine.Counts,
    _ each: (DayValue) throws -> Void
  ) throws {
    var sample = sample
    sample.zone = zones.zone(of: sample)
    let began = zones.span(at: sample.start, in: sample.zone).number
    switch rule.kind {
    case .sum:
      guard let rank = ranks[Int(sample.source)] else {
        counts.unlisted += 1
        return
      }
      guard sums.take(sample, rank: rank, &days, &zones) else {
        counts.crowded += 1
        return
      }
    case .duration:
      guard ranks[Int(sample.source)] != nil else {
        counts.unlisted += 1
        return
      }
      durations.take(sample, on: rule.wakingDay(of: sample, nights, &zones), &days, &zones)
    case .total(isSpread: true) where sample.end > sample.start: spread(sample, &zones)
    case .total, .average, .last, .maximum, .count:
      let day = rule.isOfTheNight ? zones.span(at: sample.end, in: sample.zone).number : began
      days.with(day) { $0.take(sample) }
    }
    // What reaches no day that is asked for may still cover what else does.
    if began < since, rule.lastDay(of: sample, nights, &zones) < since { counts.before += 1 }
    guard began > today else { return }
    today = began
    try close(before: began - Self.slack, each)
  }

  private mutating func spread(_ sample: Sample, _ zones: inout ZoneList) {
    var start = sample.start
    // The day of a move may come in two parts.
    var last: Int?
    while start < sample.end {
      let span = zones.span(at: start, in: sample.zone)
      let isNew = span.number != last
      last = span.number
      let stop = min(span.end, sample.end)
      let part = sample.part(from: start, to: stop)
      days.with(span.number) {
        if isNew { $0.note(sample) }
        $0.sum.add(part)
      }
      start = stop
    }
  }

  /// Zones differ by up to two days, and a night ends at most two days after it began.
  private static let slack = 4

  mutating func finish(_ zones: inout ZoneList, _ each: (DayValue) throws -> Void) throws {
    sums.finish(&days, &zones)
    try close(before: .max, each)
  }

  private mutating func close(before number: Int, _ each: (DayValue) throws -> Void) throws {
    try days.close(before: number) { number, tally in
      guard let day = LocalDay(number: number) else { return }
      try each(tally.value(metric, on: day, by: rule.kind))
    }
  }

}
