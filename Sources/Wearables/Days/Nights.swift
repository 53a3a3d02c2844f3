/// The nights of all sleep samples, whatever their source and stage.
///
/// Stretches of sleep (in bed, asleep, awake in bed) with less than `gap` between them are one night,
/// and all of it belongs to the day on which the last of them ends. What lasts longer than `longest`
/// is no night; it is clipped to its days like other durations.
struct Nights {
  static let gap: Int64 = 3 * 3_600_000
  static let longest: Int64 = 24 * 3_600_000

  fileprivate struct Night {
    var start: Int64
    var end: Int64
    /// Of the stretch that ends last.
    var zone: UInt16
  }

  /// Rising, at least `gap` apart: as many as there can be in the time that they cover.
  private var nights: [Night] = []
  /// Those that came before the last of them in time, in no order: never many more than `nights`.
  private var earlier: [Night] = []

  private static let earlierCountMinimum = 4_096

  /// Adds a stretch, in any order.
  mutating func add(start: Int64, end: Int64, zone: UInt16) {
    let night = Night(start: start, end: end, zone: zone)
    guard let last = nights.last, start < last.start else { return append(night) }
    earlier.append(night)
    // Each time as many as are there, so that what is moved stays in proportion.
    if earlier.count >= max(Self.earlierCountMinimum, nights.count) { settle() }
  }

  /// Puts all stretches in order; to be called before `waking`.
  mutating func settle() {
    guard !earlier.isEmpty else { return }
    let all = (nights + earlier).sorted { $0.start < $1.start }
    nights.removeAll(keepingCapacity: true)
    earlier.removeAll(keepingCapacity: true)
    for night in all { append(night) }
  }

  /// Appends a night that begins no earlier than the last.
  private mutating func append(_ night: Night) {
    if let last = nights.last, night.start < last.end + Self.gap {
      nights[nights.count - 1].absorb(night)
    } else {
      nights.append(night)
    }
  }

  /// The moment of waking of the night that holds `instant`, and its zone; `nil` if it is too long
  /// to be a night.
  func waking(after instant: Int64) -> (end: Int64, zone: UInt16)? {
    let position = firstPosition { $0.end >= instant }
    guard position < nights.count else { return nil }
    let night = nights[position]
    guard night.start <= instant, night.end - night.start <= Self.longest else { return nil }
    return (night.end, night.zone)
  }

  private func firstPosition(where isReached: (Night) -> Bool) -> Int {
    if let last = nights.last, !isReached(last) { return nights.count }
    var low = 0
    var high = nights.count
    while low < high {
      let middle = (low + high) / 2
      if isReached(nights[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Nights.Night {
  /// Of two that end together, one that knows its zone says where the person woke.
  fileprivate mutating func absorb(_ other: Self) {
    start = min(start, other.start)
    if other.end > end || (other.end == end && other.zone > zone) { zone = other.zone }
    end = max(end, other.end)
  }
}
