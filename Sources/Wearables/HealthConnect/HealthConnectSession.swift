/// A record that lasts, with the parts that it is known to have: a night and its stages.
struct HealthConnectSession: Hashable {
  var reading: HealthConnectReading
  /// The place of its app in the list that decides, 0 the best.
  var rank: Int
  /// By rising start.
  var parts: [Part] = []
  /// What of it counts for each type of its group, once that was set: others may cut it into many
  /// stretches.
  private var counted: [String: [Range<Int64>]] = [:]

  struct Part: Hashable {
    var start: Int64
    var end: Int64
    var type: Int
  }

  init(reading: HealthConnectReading, rank: Int, parts: [Part] = []) {
    self.reading = reading
    self.rank = rank
    self.parts = parts
  }

  /// More stages than anybody has in a night.
  static let partCountMaximum = 10_000
}

/// Which sessions say the same as one before.
struct HealthConnectRepeats {
  private var start = Int64.min
  /// Of those that begin then.
  private var known: Set<HealthConnectSession> = []

  /// Takes the next session by start.
  mutating func isRepeat(_ session: HealthConnectSession) -> Bool {
    if session.reading.start != start {
      start = session.reading.start
      known.removeAll(keepingCapacity: true)
    }
    var session = session
    (session.reading.name, session.reading.modified) = (nil, 0)
    return !known.insert(session).inserted
  }
}

extension HealthConnectSession {
  /// Finds out what of it counts for each type.
  mutating func setCounted(of types: [HealthConnectType]) {
    for type in types {
      counted[type.identifier] = stretches(of: type, from: reading.start, to: reading.end)
    }
  }

  /// What counts for a type from `start` to `end`.
  ///
  /// - Precondition: `setCounted` was told the type.
  func counted(of type: HealthConnectType, from start: Int64, to end: Int64) -> [Range<Int64>] {
    guard let all = counted[type.identifier] else { return [] }
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle].upperBound > start { high = middle } else { low = middle + 1 }
    }
    return all[low...].prefix { $0.lowerBound < end }.map { $0.clamped(to: start..<end) }
  }

  /// The stretches from `start` to `end` that count for a type.
  func stretches(
    of type: HealthConnectType, from start: Int64, to end: Int64
  ) -> [Range<Int64>] {
    let numbers = type.filter?.values ?? []
    return type.shape == .session || type.filter == nil
      ? stretches(without: numbers, from: start, to: end)
      : stretches(of: numbers, from: start, to: end)
  }

  /// The stretches from `start` to `end` that parts of such types cover.
  func stretches(
    of types: [Int], from start: Int64, to end: Int64
  ) -> [Range<Int64>] {
    var covered: [Range<Int64>] = []
    for part in parts where types.contains(part.type) {
      let (low, high) = (max(part.start, start), min(part.end, end))
      guard low < high else { continue }
      if let last = covered.last, low <= last.upperBound {
        covered[covered.count - 1] = last.lowerBound..<max(last.upperBound, high)
      } else {
        covered.append(low..<high)
      }
    }
    return covered
  }

  /// The stretches from `start` to `end` that no part of such types covers.
  func stretches(
    without types: [Int], from start: Int64, to end: Int64
  ) -> [Range<Int64>] {
    var position = start
    var free: [Range<Int64>] = []
    for part in stretches(of: types, from: start, to: end) {
      if position < part.lowerBound { free.append(position..<part.lowerBound) }
      position = part.upperBound
    }
    if position < end { free.append(position..<end) }
    return free
  }
}
