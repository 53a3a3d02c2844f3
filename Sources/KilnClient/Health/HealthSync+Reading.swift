import Foundation

extension HealthSync {
  func synchroniseNow(_ isWanted: (HealthMetric) -> Bool) async -> SyncReport {
    var report = SyncReport()
    let now = client.configuration.surroundings.now()
    do {
      try states.note(timeZone(), at: now)
      for metric in metrics where isWanted(metric) {
        do {
          try await read(metric, now: now, &report)
        } catch let failure as HealthReadingError {
          report.readingFailures[metric.name] = failure
          if failure == .locked || failure == .unavailable { break }
        }
      }
    } catch {
      report.storageFailure = "\(error)"
    }
    await client.note(damaged: states.damagedFiles)
    await deliver(&report)
    return report
  }

  /// Brings a metric's news into the outbox, then remembers how far it came: in this order, so that
  /// an app which is killed reads the same again.
  private func read(_ metric: HealthMetric, now: Date, _ report: inout SyncReport) async throws {
    let known = try await client.knownValues(of: metric.name)
    try states.forgetDamaged(of: metrics.map(\.name))
    guard let today = states.zones.day(at: now), firstDay <= today else { return }
    let news = try await changes(of: metric)
    var state = states[metric.name]
    if state.anchors.count < news.anchors.count {
      // From here on changes are seen, however long the first reading takes.
      state.anchors = news.anchors
      state.readThrough = nil
      try states.keep(state)
    }
    let from = firstUnread(state, today)
    var days = Set(from.number...today.number)
    days.formUnion(news.days)
    if news.hasDeletions { days.formUnion(known.keys.map(\.number)) }
    let windows = days.filter { firstDay.number...today.number ~= $0 }.sorted()
      .compactMap { states.zones.window(of: LocalDay(number: $0)) }
    let judge = DayJudge(
      metric: metric, known: known, isUnsure: state.isUnsure, now: now,
      mayLose: { news.mayEmpty($0.day) || self.states.zones.hasChange(near: $0) })
    for run in WindowRun.runs(of: windows, countMaximum: dayCountOfRunMaximum) {
      let values = judge.values(of: run.windows, try await tallies(of: metric, in: run))
      try await add(values, &report)
      guard let last = run.windows.last?.day, last >= from else { continue }
      state.readThrough = max(last, state.readThrough ?? last)
      state.readFrom = firstDay
      try states.keep(state)
    }
    state.anchors = news.anchors
    state.readThrough = today
    state.readFrom = firstDay
    state.isUnsure = false
    try states.keep(state)
  }

  /// A year: few enough that what is read at once stays small; and half of what the outbox may hold.
  private var dayCountOfRunMaximum: Int {
    min(366, max(1, client.configuration.pendingCountMaximum / 2))
  }

  private func firstUnread(_ state: ReadingState, _ today: LocalDay) -> LocalDay {
    guard let read = state.readThrough, let begin = state.readFrom, begin <= firstDay else {
      return firstDay
    }
    return max(firstDay, min(read, today.advanced(by: 1 - rereadDayCount)))
  }

  // MARK: Changes

  /// What changed since the last synchronisation.
  private struct News {
    /// Of each type; none as long as nothing was ever there. What the person allows later was saved
    /// before, and no anchor of now would bring it.
    var anchors: [HealthAnchor] = []
    var days: Set<Int> = []
    var hasDeletions = false
    var hasSamples = false
    var isFirst = false

    /// Whether a day can have lost its data by what changed. Without a change it looks so when the
    /// person no longer allows reading, and then what was sent stays.
    func mayEmpty(_ day: LocalDay) -> Bool {
      isFirst || hasDeletions || days.contains(day.number)
    }
  }

  private func changes(of metric: HealthMetric) async throws -> News {
    do {
      return try await changes(of: metric, after: states[metric.name].anchors)
    } catch HealthReadingError.anchorUnknown {
      var state = states[metric.name]
      state.forget(isUnsure: false)
      try states.keep(state)
      return try await changes(of: metric, after: [])
    }
  }

  /// The changes of all types of a metric: one of two pressures may be deleted alone.
  private func changes(
    of metric: HealthMetric, after anchors: [HealthAnchor]
  ) async throws -> News {
    var news = News()
    news.isFirst = anchors.isEmpty
    for (place, type) in metric.types.enumerated() {
      let anchor = anchors.indices.contains(place) ? anchors[place] : nil
      try await note(changesOf: type, after: anchor, in: &news)
    }
    if anchors.isEmpty, !news.hasSamples { news.anchors = [] }
    return news
  }

  private static var changeCountMaximum: Int { 5_000 }

  private func note(
    changesOf type: HealthType, after anchor: HealthAnchor?, in news: inout News
  ) async throws {
    // The first time every day is read in any case, and what was before the first day is not asked
    // for. Later nothing is left out, since a date may leave out deletions.
    let isFirst = anchor == nil
    let start = states.zones.window(of: firstDay)?.interval.start
    let since = isFirst ? start?.addingTimeInterval(-Stretches.marginSeconds) : nil
    var anchor = anchor
    while true {
      let page = try await reading.changes(
        of: type, after: anchor, endingAfter: since,
        countMaximum: Self.changeCountMaximum)
      news.hasSamples = news.hasSamples || !page.saved.isEmpty
      if !isFirst {
        for interval in page.saved { news.days.formUnion(days(touching: interval)) }
        news.hasDeletions = news.hasDeletions || page.deletedCount > 0
      }
      if page.saved.isEmpty && page.deletedCount == 0 || page.anchor == anchor {
        return news.anchors.append(page.anchor)
      }
      anchor = page.anchor
    }
  }

  /// The days of which a sample may change the number: also its neighbours, since a stretch of sleep
  /// may move the night before or after it, and since zones differ.
  private func days(touching interval: DateInterval) -> ClosedRange<Int> {
    let first = states.zones.day(at: interval.start)?.number ?? 0
    let last = states.zones.day(at: interval.end)?.number ?? first
    return (first - 1)...(max(first, last) + 1)
  }

  // MARK: Sending

  private func add(_ values: [DailyValue], _ report: inout SyncReport) async throws {
    guard !values.isEmpty else { return }
    do {
      try await client.add(values)
    } catch ClientError.outboxFull where report.delivery.failure == nil {
      await deliver(&report)
      try await client.add(values)
    }
    report.addedCount += values.count
    if await client.outbox.entries.count >= client.configuration.valuesPerRequest,
      report.delivery.failure == nil
    {
      await deliver(&report)
    }
  }

  private func deliver(_ report: inout SyncReport) async {
    // One synchronisation waits for an absent server once.
    guard report.delivery.failure == nil else { return }
    let earlier = report.delivery
    report.delivery = await client.deliver()
    report.delivery.deliveredCount += earlier.deliveredCount
    report.delivery.changedCount += earlier.changedCount
    report.delivery.refusals = earlier.refusals + report.delivery.refusals
  }
}
