import FHIRModel
import KeyValue

/// The entries of the main index with one prefix, in the order of dates: those of each kind of span
/// are read some at a time, and all kinds at first in one walk.
struct SeriesStream {
  private let isDescending: Bool
  private let dates: DateConditions
  private let prefix: Key
  /// In the order in which a walk comes through them, without those that have no more entries.
  private var lanes: [SeriesLane]
  private var isOpen = false
  /// The lane of the next entry.
  private var nextLane = 0

  /// - Parameter place: entries up to this one, included, are left out.
  init(_ plan: SeriesPlan, prefix: Key, after place: SeriesItem?, chunk: Int) {
    isDescending = plan.isDescending
    dates = plan.dates
    self.prefix = prefix
    lanes = []
    lanes.reserveCapacity(4)
    // Behind a place without a date there are no more dates.
    if place.map({ $0.interval != nil }) ?? true {
      for span in DateInterval.Length.allCases {
        lanes.append(SeriesLane(plan, span: span, after: place, chunk: chunk))
      }
    }
    if plan.dates.isEmpty {
      // A place with a date lies before everything undated.
      let start = place?.interval == nil ? place : nil
      lanes.append(SeriesLane(plan, span: nil, after: start, chunk: chunk))
    }
    if plan.isDescending { lanes.reverse() }
  }

  /// The next entry, which stays the next until it is taken.
  mutating func next(in reader: borrowing Reader) throws -> SeriesItem? {
    if !isOpen {
      isOpen = true
      if !lanes.isEmpty { try fill(0..<lanes.count, from: reader) }
    }
    while let position = lanes.firstIndex(where: { $0.first == nil }) {
      if lanes[position].isAtEnd {
        lanes.remove(at: position)
      } else {
        try fill(position..<position + 1, from: reader)
      }
    }
    nextLane = 0
    for position in lanes.indices.dropFirst()
    where lanes[position].precedes(lanes[nextLane]) {
      nextLane = position
    }
    return nextLane < lanes.count ? lanes[nextLane].first : nil
  }

  mutating func take() { lanes[nextLane].take() }

  /// Reads on in some lanes that lie beside each other, in one walk.
  private mutating func fill(_ wanted: Range<Int>, from reader: borrowing Reader) throws {
    for position in wanted { lanes[position].beginChunk() }
    var walk = LaneWalk(position: wanted.lowerBound, end: wanted.upperBound)
    let direction = isDescending ? Direction.backward : .forward
    try reader.walkPostings(.series, range(of: wanted), direction) { key, number in
      try meet(key, number, &walk)
    }
    for position in walk.position..<walk.end { lanes[position].endChunk(isFull: false) }
  }

  /// From the first key of the first lane to the last of the last.
  private func range(of wanted: Range<Int>) -> KeyRange {
    let first = lanes[wanted.lowerBound].keys(behind: prefix)
    if wanted.count == 1 { return first }
    let last = lanes[wanted.upperBound - 1].keys(behind: prefix)
    return isDescending
      ? KeyRange(from: last.lower, to: first.upper) : KeyRange(from: first.lower, to: last.upper)
  }

  /// Where a walk through lanes is.
  private struct LaneWalk {
    var position: Int
    let end: Int
    /// The walk went to where the lane begins: what lies before it is passed over one by one.
    var isAtLane = true
  }

  private mutating func meet(
    _ key: Span<UInt8>, _ number: UInt64, _ walk: inout LaneWalk
  ) throws -> Step {
    let tag = key[prefix.bytes.count]
    let interval = DateInterval(key, at: prefix.bytes.count + 1)
    // A damaged key: `kiln check` names it.
    guard interval != nil || tag == SeriesLayout.undated else { return .next }
    relations: while true {
      switch lanes[walk.position].relation(toTag: tag, interval) {
      case .inside: break relations
      case .behind:
        lanes[walk.position].endChunk(isFull: false)
        walk.position += 1
        walk.isAtLane = false
        if walk.position == walk.end { return .stop }
      case .before:
        return walk.isAtLane ? .next : seekLane(&walk)
      }
    }
    walk.isAtLane = true
    if let interval, !dates.areMet(by: interval) { return .next }
    let item = SeriesItem(interval: interval, number: number)
    guard lanes[walk.position].read(item) else { return .next }
    lanes[walk.position].endChunk(isFull: true)
    walk.position += 1
    return walk.position == walk.end ? .stop : seekLane(&walk)
  }

  private func seekLane(_ walk: inout LaneWalk) -> Step {
    walk.isAtLane = true
    let lane = lanes[walk.position]
    return .seek(isDescending ? lane.lastKey(behind: prefix) : lane.keys(behind: prefix).lower)
  }
}
