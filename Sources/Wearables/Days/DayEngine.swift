/// Samples in, day values out.
///
/// An instant belongs to the day that the sample's own zone, else the home zone, had then. Sums count
/// one source at a time (`SumSweep`) and spread a sample over the days that it touches; durations are
/// unions of stretches, clipped to the day, and a night of sleep belongs to the day of waking
/// (`Nights`); all other readings belong to the day on which they begin. A reading that comes twice
/// counts once. The order in which samples come doesn't matter.
///
/// What must be in order goes through the sorter; apart from it memory holds the nights and a few
/// open days.
package struct DayEngine {
  package var sources = SourceList()
  package var zones: ZoneList
  /// What became of the samples so far.
  package private(set) var counts = Counts()
  /// `counts.repeated` by the metric's position.
  private(set) var repeatedOf: [UInt16: Int] = [:]
  /// `counts.before` by the metric's position.
  private(set) var beforeOf: [UInt16: Int] = [:]

  /// How sources and zones are taken: what must be known to do it again.
  package internal(set) var rule: SampleRule
  /// Where samples are kept as they came, if they are; to be set before the first is added.
  package var shelf: SampleShelf?

  private let metrics: MetricTable
  private let rules: [DayRule?]
  private var sorter: any SampleSorter
  private var nights = Nights()

  /// What became of samples.
  package struct Counts: Hashable, Sendable {
    package var added = 0
    /// They count once.
    package var repeated = 0
    /// Left out by `withoutManual`.
    package var manual = 0
    /// `start` after `end`.
    package var reversed = 0
    /// Not a number, or none that a person can have.
    package var outsideRange = 0
    /// Before 1900 or after 2199.
    package var outsideCalendar = 0
    /// Of a source that the priority leaves out.
    package var unlisted = 0
    /// While tens of thousands of others of its metric lasted.
    package var crowded = 0
    /// Of days before the first that is asked for alone.
    package var before = 0
    /// Of a metric that has no value of a day.
    package var withoutDayValue = 0
  }

  /// What became of one sample, the better first.
  package enum Verdict: Int, Comparable, Sendable {
    case added, manual, outsideRange, outsideCalendar, reversed, unlisted, withoutDayValue

    package static func < (left: Verdict, right: Verdict) -> Bool { left.rawValue < right.rawValue }
  }

  package init(
    home: HomeZone, priority: SourcePriority = .byKind(), withoutManual: Bool = false,
    since: LocalDay? = nil, metrics: MetricTable = .shared,
    sorter: any SampleSorter = SpillSampleSorter()
  ) {
    self.init(
      SampleRule(home: home, priority: priority, withoutManual: withoutManual, since: since),
      metrics: metrics, sorter: sorter)
  }

  package init(
    _ rule: SampleRule, metrics: MetricTable = .shared,
    sorter: any SampleSorter = SpillSampleSorter()
  ) {
    self.rule = rule
    self.metrics = metrics
    self.sorter = sorter
    zones = ZoneList(home: rule.home)
    rules = metrics.metrics.enumerated().map { position, metric in
      DayRule(metric, addsUp: rule.priority.addingUp.contains(UInt16(position)))
    }
  }

  /// Takes a sample, or counts why it is left out.
  ///
  /// - Precondition: its positions are those of `sources`, `zones` and the table of metrics.
  /// - Throws: what the sorter throws.
  @discardableResult
  package mutating func add(_ sample: Sample) throws -> Verdict {
    let verdict = verdict(of: sample)
    switch verdict {
    case .added: counts.added += 1
    case .manual: counts.manual += 1
    case .outsideRange: counts.outsideRange += 1
    case .unlisted: counts.unlisted += 1
    case .withoutDayValue: counts.withoutDayValue += 1
    case .outsideCalendar:
      counts.outsideCalendar += 1
      return verdict
    case .reversed:
      counts.reversed += 1
      return verdict
    }
    if verdict == .added {
      if rules[Int(sample.metric)]?.isSleep == true {
        nights.add(start: sample.start, end: sample.end, zone: zones.zone(of: sample))
      }
    } else if shelf == nil {
      // What is kept is kept all the same, for another rule may want it.
      return verdict
    }
    try sorter.append(sample)
    return verdict
  }

  private func verdict(of sample: Sample) -> Verdict {
    guard sample.start <= sample.end else { return .reversed }
    guard sample.start >= Self.calendar.lowerBound, sample.end < Self.calendar.upperBound else {
      return .outsideCalendar
    }
    guard let rule = rules[Int(sample.metric)] else { return .withoutDayValue }
    guard rule.takes(sample.value) else { return .outsideRange }
    if sample.isManual, self.rule.withoutManual { return .manual }
    // Of other metrics this is asked once a source, when the samples are in order.
    if rule.isSleep, !self.rule.priority.takes(sources[sample.source], for: sample.metric) {
      return .unlisted
    }
    return .added
  }

  /// From 1900 to 2199, in milliseconds.
  private static let calendar: Range<Int64> = -2_208_988_800_000..<7_258_118_400_000

  /// Lends all values, by metric in the order of the table and by day; then the engine is empty.
  ///
  /// - Throws: what the sorter, the shelf and `each` throw.
  package mutating func finish(_ each: (DayValue) throws -> Void) throws {
    var run: MetricRun?
    var pending: Sample?
    var sorter = self.sorter
    self.sorter = MemorySampleSorter()
    nights.settle()
    try shelf?.keepRule(rule.text(metrics))
    var keeper = shelf.map {
      SampleKeeper(metrics: metrics, sources: sources, zones: zones, deliver: $0.keep)
    }
    try sorter.drain { sample in
      if keeper != nil {
        try keeper?.take(sample)
        guard verdict(of: sample) == .added else { return }
      }
      // Of readings that are the same the last knows most: when it was changed, and its zone.
      if let one = pending {
        if isRepeated(one, in: sample) {
          counts.repeated += 1
          repeatedOf[one.metric, default: 0] += 1
        } else {
          try take(one, &run, each)
        }
      }
      pending = sample
    }
    if let pending { try take(pending, &run, each) }
    try run?.finish(&zones, each)
    try keeper?.finish()
    nights = Nights()
  }

  /// Where an export tells its records apart, the same may well be there twice: two eggs of one meal.
  private func isRepeated(_ one: Sample, in next: Sample) -> Bool {
    one.isSameReading(as: next) && !rule.priority.addingUp.contains(one.metric)
  }

  private mutating func take(
    _ sample: Sample, _ run: inout MetricRun?, _ each: (DayValue) throws -> Void
  ) throws {
    if run?.metric != sample.metric {
      try run?.finish(&zones, each)
      run = rules[Int(sample.metric)].map {
        MetricRun(
          metric: sample.metric, rule: $0,
          ranks: rule.priority.ranks(of: sources, for: sample.metric), since: rule.since)
      }
    }
    let before = counts.before
    try run?.take(sample, nights, &zones, &counts, each)
    if counts.before > before { beforeOf[sample.metric, default: 0] += 1 }
  }

  /// How many of these samples belong to days alone that are before the first that is asked for; asked
  /// once all stretches of sleep were added.
  mutating func countBefore(_ samples: [Sample]) -> Int {
    guard let since = rule.since else { return 0 }
    nights.settle()
    return samples.count { sample in
      var sample = sample
      sample.zone = zones.zone(of: sample)
      let day = rules[Int(sample.metric)]?.lastDay(of: sample, nights, &zones)
      return day.map { $0 < since.number } ?? false
    }
  }
}
