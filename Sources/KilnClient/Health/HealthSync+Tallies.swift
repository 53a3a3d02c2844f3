import Foundation

extension HealthSync {
  /// What the health store has of a metric on each day of a run; days without data are left out.
  func tallies(of metric: HealthMetric, in run: WindowRun) async throws -> [LocalDay: DayTally] {
    switch metric.reading {
    case .statistic(let statistic, let unit, let scale):
      return try await tallies(of: metric.type, statistic, unit: unit, scale: scale, in: run)
    case .pressure(let diastolic, let unit):
      let lower = try await tallies(of: diastolic, .average, unit: unit, scale: 1, in: run)
      return try await tallies(of: metric.type, .average, unit: unit, scale: 1, in: run)
        .merging(lower) { $0.with(diastolic: $1) }.filter { $1.numbers.diastolic != nil }
    case .duration(let values, let unitSeconds, let ofNights):
      let margin = ofNights ? Stretches.marginSeconds : 0
      let stretches = try await stretches(of: metric, in: run, margin: margin)
      return tallies(in: run, unit: unitSeconds) {
        ofNights
          ? stretches.asleep(values, wakingIn: $0) : stretches.covered(values, in: $0)
      }
    case .count(let values):
      let stretches = try await stretches(of: metric, in: run, margin: 0)
      return tallies(in: run, unit: 1) { stretches.count(values, beginningIn: $0) }
    case .worst(let order):
      let stretches = try await stretches(of: metric, in: run, margin: 0)
      return tallies(in: run, unit: 1) { stretches.worst(order, beginningIn: $0) }
    case .last(let values):
      let stretches = try await stretches(of: metric, in: run, margin: 0)
      return tallies(in: run, unit: 1) { stretches.last(values, beginningIn: $0) }
    }
  }

  private func tallies(
    of type: HealthType, _ statistic: HealthStatistic, unit: String, scale: Double,
    in run: WindowRun
  ) async throws -> [LocalDay: DayTally] {
    let request = HealthStatisticsRequest(
      type: type, unit: unit, statistic: statistic, start: run.start,
      bucketSeconds: run.bucketSeconds, bucketCount: run.windows.count)
    return try await reading.statistics(request).reduce(into: [:]) { tallies, bucket in
      // Buckets before the first and after the last hold what reaches over the border.
      let seconds = bucket.start.timeIntervalSince(run.start)
      let position = (seconds / Double(run.bucketSeconds)).rounded()
      guard 0..<Double(run.windows.count) ~= position else { return }
      tallies[run.windows[Int(position)].day] = DayTally(
        numbers: bucket.numbers.scaled(by: scale), sources: bucket.sources)
    }
  }

  private func stretches(
    of metric: HealthMetric, in run: WindowRun, margin: Double
  ) async throws -> Stretches {
    let interval = DateInterval(
      start: run.start.addingTimeInterval(-margin), end: run.end.addingTimeInterval(margin))
    return Stretches(try await reading.samples(of: metric.type, touching: interval))
  }

  private func tallies(
    in run: WindowRun, unit: Double, _ tally: (DateInterval) -> Stretches.Tally
  ) -> [LocalDay: DayTally] {
    run.windows.reduce(into: [:]) { tallies, window in
      let found = tally(window.interval)
      guard !found.sources.isEmpty else { return }
      tallies[window.day] = DayTally(
        numbers: DailyValue.Numbers(found.amount / unit), sources: Array(found.sources))
    }
  }
}

/// What the health store has of a day.
struct DayTally: Equatable {
  var numbers: DailyValue.Numbers
  var sources: [HealthSource]

  /// A blood pressure of its two parts.
  fileprivate func with(diastolic: DayTally) -> DayTally {
    let lower = diastolic.numbers
    var both = self
    both.numbers.diastolic = DailyValue.Diastolic(
      lower.value, minimum: lower.minimum, maximum: lower.maximum)
    both.sources = Array(Set(sources).union(diastolic.sources))
    return both
  }
}

/// Decides what of the days of a metric is news to the server.
struct DayJudge {
  let metric: HealthMetric
  let known: [LocalDay: SentValues.Entry]
  /// Whether the server may hold something else than what is known.
  let isUnsure: Bool
  let now: Date
  /// Whether a day that has no data can have lost it.
  let mayLose: (DayWindow) -> Bool

  func values(of windows: [DayWindow], _ tallies: [LocalDay: DayTally]) -> [DailyValue] {
    windows.compactMap { window in
      let entry = known[window.day]
      guard let tally = tallies[window.day] else { return withdrawal(of: window, entry) }
      let value = DailyValue(
        metric.name, on: window.day, tally.numbers.rounded,
        context: Self.context(window, tally.sources))
      return isKnown(value, window, entry) ? nil : value
    }
  }

  /// A day that was sent before it was over is sent once more when it is, even with the same number:
  /// then the server calls it final.
  private func isKnown(
    _ value: DailyValue, _ window: DayWindow, _ entry: SentValues.Entry?
  ) -> Bool {
    guard !isUnsure, let entry, entry.fingerprint == value.fingerprint else { return false }
    let isOver = SentValues.Entry.isOver(window.interval.end, at: now)
    return entry.isFinal || !isOver
  }

  private func withdrawal(of window: DayWindow, _ entry: SentValues.Entry?) -> DailyValue? {
    guard isUnsure || entry.map({ !$0.isWithdrawn && mayLose(window) }) ?? false else {
      return nil
    }
    return DailyValue(
      metric.name, on: window.day, nil,
      context: DailyValue.Context(timeZone: window.timeZone))
  }

  /// Where several programs measured, it was Health that made one number of them.
  static func context(_ window: DayWindow, _ sources: [HealthSource]) -> DailyValue.Context {
    let revisions = Set(sources.map(\.source.bundleIdentifier))
    guard revisions.count == 1, let only = sources.max(by: Self.isOlder) else {
      return DailyValue.Context(
        timeZone: window.timeZone,
        source: ValueSource(name: "Health", bundleIdentifier: "com.apple.health"))
    }
    return DailyValue.Context(
      timeZone: window.timeZone, source: only.source.withPlainIdentifier,
      device: Set(sources.map(\.device)).count == 1 ? only.device : nil)
  }

  /// Of two revisions of a program, the one with the greater version counts: `9.1` before `10.0`.
  private static func isOlder(_ left: HealthSource, _ right: HealthSource) -> Bool {
    let (left, right) = (left.source.version ?? "", right.source.version ?? "")
    return left.compare(right, options: .numeric) == .orderedAscending
  }
}

extension ValueSource {
  /// Kiln makes a URI of the identifier; what can't stand in one becomes `-`.
  var withPlainIdentifier: ValueSource {
    var plain = self
    plain.bundleIdentifier = bundleIdentifier.map { text in
      String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isPlain ? $0 : "-" }))
    }
    return plain
  }
}

extension DailyValue.Numbers {
  func scaled(by factor: Double) -> DailyValue.Numbers {
    mapped { $0 * factor }
  }

  /// To nine significant digits: sums of the same samples differ in the last ones from day to day,
  /// and each difference would be a version.
  var rounded: DailyValue.Numbers { mapped(Self.rounded) }

  private static func rounded(_ number: Double) -> Double {
    guard number.isFinite, number != 0 else { return number }
    let shift = 8 - Int(log10(abs(number)).rounded(.down))
    // Powers of ten are exact up to 10²², so that only the division rounds.
    let scale = pow(10, Double(min(22, abs(shift))))
    return shift < 0 ? (number / scale).rounded() * scale : (number * scale).rounded() / scale
  }
}
