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

  private let rules: [DayRule?]
  private let priority: SourcePriority
  private let withoutManual: Bool
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
    /// Of a metric that has no value of a day.
    package var withoutDayValue = 0
  }

  package init(
    home: HomeZone, priority: SourcePriority = .byKind(), withoutManual: Bool = false,
    metrics: MetricTable = .shared, sorter: any SampleSorter = SpillSampleSorter()
  ) {
    zones = ZoneList(home: home)
    rules = metrics.metrics.enumerated().map { position, metric in
      DayRule(metric, addsUp: priority.addingUp.contains(UInt16(position)))
    }
    self.priority = priority
    self.withoutManual = withoutManual
    self.sorter = sorter
  }

  /// Takes a sample, or counts why it is left out.
  ///
  /// - Precondition: its positions are those of `sources`, `zones` and the table of metrics.
  /// - Throws: what the sorter throws.
  package mutating func add(_ sample: Sample) throws {
    guard let rule = rules[Int(sample.metric)] else {
      counts.withoutDayValue += 1
      return
    }
    guard sample.start <= sample.end else {
      counts.reversed += 1
      return
    }
    guard sample.start >= Self.calendar.lowerBound, sample.end < Self.calendar.upperBound else {
      counts.outsideCalendar += 1
      return
    }
    guard rule.takes(sample.value) else {
      counts.outsideRange += 1
      return
    }
    if sample.isManual, withoutManual {
      counts.manual += 1
      return
    }
    if rule.isSleep {
      guard priority.takes(sources[sample.source], for: sample.metric) else {
        counts.unlisted += 1
        return
      }
      nights.add(start: sample.start, end: sample.end, zone: sample.zone)
    }
    counts.added += 1
    try sorter.append(sample)
  }

  /// From 1900 to 2199, in milliseconds.
  private static let calendar: Range<Int64> = -2_208_988_800_000..<7_258_118_400_000

  /// Lends all values, by metric in the order of the table and by day; then the engine is empty.
  package mutating func finish(_ each: (DayValue) throws -> Void) throws {
    var run: MetricRun?
    var pending: Sample?
    var sorter = self.sorter
    self.sorter = MemorySampleSorter()
    try sorter.drain { sample in
      // Of readings that are the same the last knows most: when it was changed, and its zone.
      if let one = pending {
        if isRepeated(one, in: sample) { counts.repeated += 1 } else { try take(one, &run, each) }
      }
      pending = sample
    }
    if let pending { try take(pending, &run, each) }
    try run?.finish(&zones, each)
    nights = Nights()
  }

  /// Of what adds up, the same may well come twice: two eggs of one meal.
  private func isRepeated(_ one: Sample, in next: Sample) -> Bool {
    one.isSameReading(as: next) && rules[Int(one.metric)]?.kind != .total
  }

  private mutating func take(
    _ sample: Sample, _ run: inout MetricRun?, _ each: (DayValue) throws -> Void
  ) throws {
    if run?.metric != sample.metric {
      try run?.finish(&zones, each)
      run = rules[Int(sample.metric)].map {
        MetricRun(
          metric: sample.metric, rule: $0, ranks: priority.ranks(of: sources, for: sample.metric))
      }
    }
    try run?.take(sample, nights, &zones, &counts, each)
  }
}
