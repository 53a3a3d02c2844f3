import Foundation

/// Keeps a Kiln server current with the phone's health store.
///
/// Each synchronisation reads, of each metric, the days since the last one, the last days once more
/// because a watch may deliver late, the days of samples that were saved meanwhile, and after a
/// deletion every day that was sent. What differs from what the server has goes into the client's
/// outbox and is sent. A day without data is nothing; if it had data, it is withdrawn.
public actor HealthSync {
  let reading: any HealthReading
  let client: DailyValueClient
  let metrics: [HealthMetric]
  let firstDay: LocalDay
  let rereadDayCount: Int
  let timeZone: @Sendable () -> TimeZone
  var states: ReadingStates
  private var tail: Task<Void, Never>?

  /// - Parameters:
  ///   - reading: the phone's health store.
  ///   - client: whose outbox and folder are used.
  ///   - metrics: what the person shares.
  ///   - firstDay: the first day that is read.
  ///   - rereadDayCount: how many days back from today are read each time.
  ///   - timeZone: where the person is, asked at each synchronisation.
  /// - Throws: ``ClientError``, or what the file system says.
  public init(
    reading: some HealthReading, into client: DailyValueClient,
    metrics: [HealthMetric] = HealthMetric.all, from firstDay: LocalDay, rereadDayCount: Int = 7,
    timeZone: @escaping @Sendable () -> TimeZone = { .current }
  ) throws {
    self.reading = reading
    self.client = client
    self.metrics = metrics
    self.firstDay = firstDay
    self.rereadDayCount = max(1, rereadDayCount)
    self.timeZone = timeZone
    states = try ReadingStates(in: client.folder)
  }

  /// Asks the person to allow reading, type by type, and reads for the first time. Call it when the
  /// person taps “connect”.
  ///
  /// What the person did not allow is without data; nobody learns which.
  public func connect() async throws -> SyncReport {
    try await reading.requestPermission(toRead: types)
    return await synchronise()
  }

  /// Synchronises whenever the health store has news, also in the background. Call it each time the
  /// app starts, before it has finished launching, and once after ``connect()``.
  ///
  /// - Parameter report: is told of each synchronisation.
  /// - Throws: ``HealthReadingError``: for example `notAsked` before the person was asked, or the first
  ///   type that can't wake the app; the others do all the same.
  public func observe(_ report: @escaping @Sendable (SyncReport) async -> Void = { _ in })
    async throws
  {
    try await reading.observe(types) { [weak self] type in
      guard let self else { return }
      await report(await self.synchronise { $0.types.contains(type) })
    }
  }

  /// Reads what is new and sends it. Synchronisations that are asked for at the same time come one
  /// after the other.
  ///
  /// - Parameter isWanted: chooses among the metrics.
  public func synchronise(
    _ isWanted: @escaping @Sendable (HealthMetric) -> Bool = { _ in true }
  ) async -> SyncReport {
    let before = tail
    let task = Task {
      await before?.value
      return await self.synchroniseNow(isWanted)
    }
    tail = Task { _ = await task.value }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Reads every day again at the next synchronisation, sends it and withdraws those without data,
  /// whatever was sent before: for an app that was installed anew, or after a server was restored or
  /// has learned metrics that it refused.
  public func startOver() throws {
    for metric in metrics {
      var state = states[metric.name]
      state.forget(isUnsure: true)
      try states.keep(state)
    }
  }

  /// The newest day up to which everything was read and has arrived; `nil` before that.
  public func lastSynchronisedDay(of metric: HealthMetric) async -> LocalDay? {
    guard let day = states[metric.name].readThrough else { return nil }
    guard let waiting = await client.outbox.oldestDay(of: metric.name) else { return day }
    return min(day, waiting.advanced(by: -1))
  }

  /// Each type once.
  private var types: [HealthType] {
    metrics.flatMap(\.types).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
