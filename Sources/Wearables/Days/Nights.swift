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

  mutating func add(start: Int64, end: Int64, zone: UInt16) {
    var night = Night(start: start, end: end, zone: zone)
    let first = firstPosition { $0.end + Self.gap > start }
    var next = first
    while next < nights.count, nights[next].start < end + Self.gap {
      night.absorb(nights[next])
      next += 1
    }
    nights.replaceSubrange(first..<next, with: CollectionOfOne(night))
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
