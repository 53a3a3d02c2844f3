/// How a chunk is kept; `Format.md` says what stands where.
extension SampleChunk {
  /// What can't be read as a chunk.
  package struct Unreadable: Error, Hashable, Sendable, CustomStringConvertible {
    package let metric: String
    package let day: Int32

    package var description: String { "kept samples of \(metric), day \(day), can't be read" }
  }

  private static let format: UInt8 = 1

  package var bytes: [UInt8] {
    var bytes: [UInt8] = [Self.format]
    bytes.appendVarint(UInt64(sources.count))
    for source in sources { bytes.append(source) }
    bytes.appendVarint(UInt64(zones.count))
    for zone in zones { bytes.append(counted: zone) }
    let tick = tick
    bytes.appendVarint(UInt64(tick))
    bytes.appendVarint(UInt64(rows.count))
    var before = Int64(day) * Self.millisecondsPerDay
    for row in rows {
      bytes.append(row, after: before, tick: tick)
      before = row.start
    }
    return bytes
  }

  /// The milliseconds that all times are multiples of: nearly always those of a second.
  private var tick: Int64 {
    let isWhole = rows.allSatisfy { row in
      [row.start, row.end, row.modified].allSatisfy { $0.isMultiple(of: 1_000) }
    }
    return isWhole ? 1_000 : 1
  }

  static let millisecondsPerDay: Int64 = 86_400_000

  /// Reads what `bytes` wrote.
  package init(metric: String, day: Int32, bytes: Span<UInt8>) throws(Unreadable) {
    var cursor = SampleCursor()
    guard let chunk = SampleChunk(metric: metric, day: day, bytes: bytes, at: &cursor),
      cursor.position == bytes.count
    else { throw Unreadable(metric: metric, day: day) }
    self = chunk
  }

  private init?(metric: String, day: Int32, bytes: Span<UInt8>, at cursor: inout SampleCursor) {
    guard cursor.byte(in: bytes) == Self.format,
      let sources = cursor.list(in: bytes, { cursor, bytes in cursor.source(in: bytes) }),
      let zones = cursor.list(in: bytes, { cursor, bytes in cursor.text(in: bytes) }),
      let tick = cursor.varint(in: bytes), [1, 1_000].contains(tick)
    else { return nil }
    var before = Int64(day) * Self.millisecondsPerDay
    let rows = cursor.list(in: bytes) { cursor, bytes -> Row? in
      guard let row = cursor.row(in: bytes, after: before, tick: Int64(tick)),
        row.source < sources.count, row.zone < zones.count
      else { return nil }
      before = row.start
      return row
    }
    guard let rows else { return nil }
    self.init(metric: metric, day: day, sources: sources, zones: zones, rows: rows)
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ source: Source) {
    append(source.kind.rawValue)
    append(counted: source.name)
    append(counted: source.identifier ?? "")
  }

  fileprivate mutating func append(
    _ row: SampleChunk.Row, after before: Int64, tick: Int64
  ) {
    appendVarint(UInt64((row.start - before) / tick))
    appendVarint(UInt64((row.end - row.start) / tick))
    appendVarint(UInt64(row.source << 1 | (row.isManual ? 1 : 0)))
    appendVarint(UInt64(row.zone))
    // Most exports tell when a sample was written, which is soon after its end.
    let isTold = row.modified != 0
    appendVarint(isTold ? Self.zigzag((row.modified - row.end) / tick) + 1 : 0)
    append(exact: row.value)
  }

  /// A number that a few decimal digits write exactly, as nearly all are, takes two or three bytes:
  /// its digits with the count of decimals in the lowest three bits. Any other has 7 there and its
  /// eight bytes behind.
  fileprivate mutating func append(exact number: Double) {
    var scale = 1.0
    for decimalCount in 0..<UInt64(7) {
      let digits = (number * scale).rounded()
      guard abs(digits) < 1e15 else { break }
      let whole = Int64(digits)
      // As it will be read, which tells -0 from 0.
      if (Double(whole) / scale).bitPattern == number.bitPattern {
        return appendVarint(Self.zigzag(whole) << 3 | decimalCount)
      }
      scale *= 10
    }
    append(7)
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      append(UInt8(truncatingIfNeeded: number.bitPattern >> shift))
    }
  }

  fileprivate static func zigzag(_ number: Int64) -> UInt64 {
    UInt64(bitPattern: number << 1 ^ number >> 63)
  }

  /// In groups of seven bits, the lowest first, each but the last with its high bit set.
  fileprivate mutating func appendVarint(_ number: UInt64) {
    var rest = number
    while rest > 0x7F {
      append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  fileprivate mutating func append(counted text: String) {
    appendVarint(UInt64(text.utf8.count))
    append(contentsOf: text.utf8)
  }
}
