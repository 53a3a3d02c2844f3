import FHIRModel
import KeyValue

/// An entry of the table of changes: which version of which resource was made when.
struct ChangeEntry: Hashable {
  var type: ResourceType
  var moment: Instant
  var number: UInt64
  var version: VersionID

  /// Newest first; of one moment, the resource made last comes first.
  func isNewer(than other: ChangeEntry) -> Bool {
    (moment, number) > (other.moment, other.number)
  }

  init(key: Span<UInt8>, value: Span<UInt8>) throws(ByteReader.Failure) {
    var reader = ByteReader()
    guard let type = ResourceType(position: try reader.byte(in: key)) else {
      throw ByteReader.Failure()
    }
    self.type = type
    moment = try reader.moment(in: key)
    number = try reader.fixed(UInt64.self, in: key)
    var valueReader = ByteReader()
    version = VersionID(try valueReader.fixed(UInt32.self, in: value))
    guard reader.position == key.count, valueReader.position == value.count else {
      throw ByteReader.Failure()
    }
  }
}

/// The changes of several types, newest first: the types' own ranges, merged.
struct ChangeWalk {
  private struct Lane {
    let type: ResourceType
    /// Changes read ahead, the newest last.
    var ahead: [ChangeEntry] = []
    /// Where reading goes on; `nil` when the range is used up.
    var upper: Key?
  }

  private var lanes: [Lane]
  private let oldest: Instant

  /// How many changes are read at once of each type.
  private static let batchCount = 64

  /// - Parameters:
  ///   - oldest: no change before this moment is met.
  ///   - place: only changes older than this one are met.
  init(types: [ResourceType], from oldest: Instant, before place: HistoryPlace) {
    self.oldest = oldest
    lanes = types.map { type in
      Lane(type: type, upper: StoreKey.change(type, place.moment, place.number))
    }
  }

  /// All types that have changes.
  static func types(in reader: borrowing Reader) throws -> [ResourceType] {
    var types: [ResourceType] = []
    try reader.walk(.changes, .everything, .forward) { key, _ in
      guard let type = ResourceType(position: key[0]) else {
        throw StoreError.unreadable(table: Table.changes.name, key: Key(key).bytes)
      }
      types.append(type)
      return key[0] < .max ? .seek(Key([key[0] + 1])) : .stop
    }
    return types
  }

  /// The next older change; `nil` after the oldest.
  mutating func next(in reader: borrowing Reader) throws -> ChangeEntry? {
    var newest: Int?
    for position in lanes.indices {
      try fill(&lanes[position], in: reader)
      guard let candidate = lanes[position].ahead.last else { continue }
      if let best = newest.flatMap({ lanes[$0].ahead.last }), !candidate.isNewer(than: best) {
        continue
      }
      newest = position
    }
    return newest.flatMap { lanes[$0].ahead.popLast() }
  }

  private func fill(_ lane: inout Lane, in reader: borrowing Reader) throws {
    guard lane.ahead.isEmpty, let upper = lane.upper else { return }
    let lower = StoreKey.change(lane.type, oldest, 0)
    var batch: [ChangeEntry] = []
    lane.upper = nil
    if upper > lower {
      try reader.walk(.changes, KeyRange(from: lower, to: upper), .backward) { key, value in
        guard let entry = try? ChangeEntry(key: key, value: value) else {
          throw StoreError.unreadable(table: Table.changes.name, key: Key(key).bytes)
        }
        batch.append(entry)
        return batch.count < Self.batchCount ? .next : .stop
      }
    }
    if batch.count == Self.batchCount, let last = batch.last {
      lane.upper = StoreKey.change(lane.type, last.moment, last.number)
    }
    lane.ahead = batch.reversed()
  }
}
