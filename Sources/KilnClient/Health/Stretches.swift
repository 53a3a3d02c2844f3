import Foundation

/// Samples of a category that cover time, from whatever sources.
struct Stretches {
  /// Rising by start.
  private let samples: [HealthSample]

  init(_ samples: [HealthSample]) {
    self.samples = samples.sorted { $0.interval.start < $1.interval.start }
  }

  /// Less time than this between two stretches of sleep leaves them one night.
  static let nightGapSeconds = 3.0 * 3_600
  /// What lasts longer is no night, and is cut at midnight like other time.
  static let nightLongestSeconds = 24.0 * 3_600

  /// How far before and after a day its nights may reach.
  static let marginSeconds = nightLongestSeconds + nightGapSeconds

  /// The seconds within `interval` that samples with one of `values` cover at least once, and the
  /// sources of these samples.
  func covered(_ values: Set<Int>, in interval: DateInterval) -> Tally {
    var tally = Tally()
    var position = interval.start
    for sample in samples where values.contains(sample.value) {
      let start = max(sample.interval.start, position)
      let end = min(sample.interval.end, interval.end)
      guard sample.interval.end > interval.start, sample.interval.start < interval.end,
        sample.interval.duration > 0
      else { continue }
      tally.sources.insert(sample.source)
      guard end > start else { continue }
      tally.amount += end.timeIntervalSince(start)
      position = end
    }
    return tally
  }

  /// The samples with one of `values` that begin in `interval`.
  func count(_ values: Set<Int>, beginningIn interval: DateInterval) -> Tally {
    let found = samples(with: values, beginningIn: interval)
    // Two devices that say the same say it once.
    let moments = Set(found.map(\.interval))
    return Tally(amount: Double(moments.count), sources: Set(found.map(\.source)))
  }

  /// Of the values of samples that begin in `interval` the one that comes last in `order`.
  func worst(_ order: [Int], beginningIn interval: DateInterval) -> Tally {
    let found = samples(with: Set(order), beginningIn: interval)
    guard let worst = order.last(where: { value in found.contains { $0.value == value } }) else {
      return Tally()
    }
    let sources = found.filter { $0.value == worst }.map(\.source)
    return Tally(amount: Double(worst), sources: Set(sources))
  }

  /// The value of the sample that begins last in `interval`; of several at that moment the greatest.
  func last(_ values: Set<Int>, beginningIn interval: DateInterval) -> Tally {
    let found = samples(with: values, beginningIn: interval)
    let last = found.max {
      ($0.interval.start, $0.value) < ($1.interval.start, $1.value)
    }
    return last.map { Tally(amount: Double($0.value), sources: [$0.source]) } ?? Tally()
  }

  private func samples(
    with values: Set<Int>, beginningIn interval: DateInterval
  ) -> [HealthSample] {
    samples.filter {
      values.contains($0.value) && $0.interval.start >= interval.start
        && $0.interval.start < interval.end
    }
  }

  /// What belongs to the nights that end in `interval`, and what is part of no night there.
  func asleep(_ values: Set<Int>, wakingIn interval: DateInterval) -> Tally {
    var tally = Tally()
    for night in nights {
      let isNight = night.duration <= Self.nightLongestSeconds
      if isNight, night.end > interval.start, night.end <= interval.end {
        tally.add(covered(values, in: night))
      } else if !isNight, let part = night.intersection(with: interval) {
        tally.add(covered(values, in: part))
      }
    }
    return tally
  }

  /// Stretches of sleep, whatever their stage, with short gaps closed.
  private var nights: [DateInterval] {
    samples.filter { $0.interval.duration > 0 }.reduce(into: []) { nights, sample in
      guard let last = nights.last,
        sample.interval.start.timeIntervalSince(last.end) < Self.nightGapSeconds
      else { return nights.append(sample.interval) }
      nights[nights.count - 1].end = max(last.end, sample.interval.end)
    }
  }

  /// An amount, and whose samples it is made of.
  struct Tally: Equatable {
    var amount = 0.0
    var sources: Set<HealthSource> = []

    fileprivate mutating func add(_ other: Tally) {
      amount += other.amount
      sources.formUnion(other.sources)
    }
  }
}
