import Foundation

extension DailyValueClient {
  /// The state of one delivery.
  private struct Run {
    var report = DeliveryReport()
    /// Contexts whose request was refused as a whole; others may still be taken.
    var blocked: Set<DailyValue.Context> = []
    var countMaximum: Int
    /// Failures since the last success.
    var failureCount = 0
  }

  func run() async -> DeliveryReport {
    defer { delivery = nil }
    var run = Run(countMaximum: max(1, configuration.valuesPerRequest))
    do {
      try outbox.refresh()
      try await waitForSilenceToEnd()
      while true {
        let batch = outbox.batch(countMaximum: run.countMaximum, without: run.blocked)
        guard !batch.isEmpty else { break }
        try await send(batch, &run)
      }
    } catch let failure as DeliveryFailure {
      run.report.failure = failure
    } catch is CancellationError {
      run.report.failure = .cancelled
    } catch {
      run.report.failure = .storage(reason: "\(error)")
    }
    run.report.pendingCount = outbox.entries.count
    return run.report
  }

  /// Sends one request and does what its answer asks for.
  ///
  /// - Throws: what ends the delivery.
  private func send(_ batch: [Outbox.Entry], _ run: inout Run) async throws {
    let sentAt = configuration.surroundings.now()
    switch await answer(to: batch.map(\.value)) {
    case .success(let answer):
      run.failureCount = 0
      try settle(batch, answer, sentAt: sentAt, &run.report)
    case .failure(.again(let failure, let asked)):
      run.failureCount += 1
      try await wait(failure, asked: asked, failureCount: run.failureCount)
    case .failure(.smaller(let failure)):
      if batch.count > 1 {
        run.countMaximum = batch.count / 2
      } else {
        block(batch, failure, &run)
      }
    case .failure(.otherContext(let failure)): block(batch, failure, &run)
    case .failure(.end(let failure)): throw failure
    }
  }

  private func block(_ batch: [Outbox.Entry], _ failure: DeliveryFailure, _ run: inout Run) {
    run.blocked.formUnion(batch.map(\.value.context))
    run.report.failure = failure
  }

  /// Keeps what became of each value, then takes it out of the outbox. An app that is killed in
  /// between sends it again.
  private func settle(
    _ batch: [Outbox.Entry], _ answer: UploadAnswer, sentAt: Date, _ report: inout DeliveryReport
  ) throws {
    var news: [String: [SentValues.Entry]] = [:]
    var refusals: [Refusal] = []
    for (entry, verdict) in zip(batch, answer.values) {
      news[entry.value.metric, default: []].append(
        SentValues.Entry(entry.value, verdict.result, sentAt: sentAt))
      if verdict.result == .refused {
        refusals.append(Refusal(value: entry.value, reason: verdict.reason ?? "No reason given."))
      }
    }
    for (metric, entries) in news { try note(entries, of: metric) }
    try outbox.remove(batch)
    report.refusals += refusals
    report.deliveredCount += batch.count - refusals.count
    report.changedCount += answer.values.count {
      $0.result != .refused && $0.result != .unchanged
    }
  }

  /// Waits until the next try.
  ///
  /// - Throws: `failure` when it is time to give up.
  private func wait(
    _ failure: DeliveryFailure, asked: Double?, failureCount: Int
  ) async throws {
    let surroundings = configuration.surroundings
    let now = surroundings.now()
    let until = asked.map { now.addingTimeInterval($0) }
    silence = until.map { DateInterval(start: now, end: $0) }
    guard
      let seconds = configuration.retry.waitSeconds(
        afterFailure: failureCount, asked: asked, draw: surroundings.draw())
    else {
      guard case .unavailable(let status, _) = failure else { throw failure }
      throw DeliveryFailure.unavailable(status: status, until: until)
    }
    try await surroundings.sleep(seconds)
  }

  /// A delivery that begins while the server wants to be left alone waits, or ends at once.
  private func waitForSilenceToEnd() async throws {
    let now = configuration.surroundings.now()
    // Before its start the phone's clock was set back, and nobody knows how much of it is left.
    guard let silence, silence.start <= now, now < silence.end else {
      self.silence = nil
      return
    }
    let seconds = silence.end.timeIntervalSince(now)
    guard seconds <= configuration.retry.longestWaitSeconds else {
      throw DeliveryFailure.unavailable(status: 503, until: silence.end)
    }
    try await configuration.surroundings.sleep(seconds)
  }
}

extension SentValues.Entry {
  /// How far the phone's clock may be ahead of the server's, which decides whether a day is over.
  private static let clockSlackSeconds = 600.0

  /// Whether a day that ends at `end` is surely over by the server's clock too.
  static func isOver(_ end: Date, at now: Date) -> Bool {
    end.addingTimeInterval(clockSlackSeconds) <= now
  }

  init(_ value: DailyValue, _ result: UploadAnswer.Result, sentAt: Date) {
    let zone = TimeZone(identifier: value.context.timeZone)
    let end = zone.map { LocalCalendar($0).start(of: value.day.advanced(by: 1)) }
    self.init(
      day: value.day, fingerprint: value.fingerprint,
      isFinal: end.map { Self.isOver($0, at: sentAt) } ?? false,
      isRefused: result == .refused, isWithdrawn: value.numbers == nil && result != .refused)
  }
}
