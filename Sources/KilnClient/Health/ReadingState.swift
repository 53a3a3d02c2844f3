import Foundation

/// How far a metric was read, on disk.
struct ReadingState: Hashable, Codable, Sendable {
  let metric: String
  /// Every day from here …
  var readFrom: LocalDay?
  /// … to here was read and is in the outbox, or was; `nil` before the first reading is through.
  var readThrough: LocalDay?
  /// Changes up to here are in the outbox.
  var anchor: HealthAnchor?
  /// The same of the metric's further types, in their order.
  var furtherAnchors: [HealthAnchor]?
  /// Whether the server may hold something else than what is known here, so that every day is sent, and
  /// one without data withdrawn rather than passed over.
  var isUnsure = false

  init(_ metric: String) { self.metric = metric }

  /// Of the metric's types, in their order; none of those that were not asked yet.
  var anchors: [HealthAnchor] {
    get { (anchor.map { [$0] } ?? []) + (furtherAnchors ?? []) }
    set {
      anchor = newValue.first
      furtherAnchors = newValue.count > 1 ? Array(newValue.dropFirst()) : nil
    }
  }

  /// Asks for everything again.
  mutating func forget(isUnsure: Bool) {
    readThrough = nil
    anchors = []
    self.isUnsure = self.isUnsure || isUnsure
  }
}

/// What a reader keeps between runs of the app.
struct ReadingStates {
  private let stateFile: RecordFile<ReadingState>
  private let zoneFile: RecordFile<ZoneHistory.Stay>
  private let handledFile: RecordFile<String>
  private let folder: URL
  private let lock: FolderLock
  private var states: [String: ReadingState]
  private(set) var zones: ZoneHistory
  private var handled: Set<String>
  /// What was found damaged when it was opened.
  let damagedFiles: [DamagedFile]

  init(in folder: URL) throws {
    self.folder = folder
    lock = FolderLock(in: folder)
    stateFile = RecordFile("reading", kind: "reading", in: folder)
    zoneFile = RecordFile("zones", kind: "zones", in: folder)
    handledFile = RecordFile("handled", kind: "handled", in: folder)
    let (states, damagedStates) = try stateFile.read()
    let (stays, damagedStays) = try zoneFile.read()
    let (handled, damagedHandled) = try handledFile.read()
    self.states = Self.byMetric(states)
    zones = ZoneHistory(stays: stays)
    self.handled = Set(handled)
    damagedFiles = [damagedStates, damagedStays, damagedHandled].compactMap(\.self)
  }

  private static func byMetric(_ states: [ReadingState]) -> [String: ReadingState] {
    Dictionary(states.map { ($0.metric, $0) }) { $1 }
  }

  subscript(_ metric: String) -> ReadingState { states[metric] ?? ReadingState(metric) }

  /// Keeps a state; durable when it returns.
  mutating func keep(_ state: ReadingState) throws {
    guard states[state.metric] != state else { return }
    states = try lock.whileHeld {
      // Another client may have read other metrics meanwhile.
      var next = Self.byMetric(try stateFile.read().records)
      next[state.metric] = state
      try stateFile.write(next.values.sorted { $0.metric < $1.metric })
      return next
    }
  }

  /// Notes where the person is now.
  mutating func note(_ timeZone: TimeZone, at now: Date) throws {
    guard zones.isNews(timeZone, at: now) else { return }
    zones = try lock.whileHeld {
      var next = ZoneHistory(stays: try zoneFile.read().records)
      if next.note(timeZone, at: now) { try zoneFile.write(next.stays) }
      return next
    }
  }

  /// Asks for everything again of which records were lost on disk, once for each damaged file.
  ///
  /// - Parameter metrics: all that are read.
  mutating func forgetDamaged(of metrics: [String]) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let news = names.filter { $0.contains(".damaged-") && !handled.contains($0) }
    guard !news.isEmpty else { return }
    for metric in metrics {
      let lostValues = news.contains { $0.hasPrefix("outbox.") }
      let lostKnowledge = news.contains { $0.hasPrefix("sent-\(metric).") }
      guard lostValues || lostKnowledge else { continue }
      var state = self[metric]
      state.forget(isUnsure: lostKnowledge)
      try keep(state)
    }
    handled = try lock.whileHeld {
      let next = Set(try handledFile.read().records).union(handled).union(news)
      try handledFile.write(next.sorted())
      return next
    }
  }
}
