import FHIRModel
import KeyValue

/// The moments that a stored date, Period or Timing covers, with the offset of each end.
struct DateInterval: Hashable, Sendable {
  /// The first moment; `Int64.min` if it is open.
  var start: Int64
  /// The first moment after it; `Int64.max` if it is open.
  var end: Int64
  var startOffset: UTCOffset
  var endOffset: UTCOffset

  /// How a span is filed, so that a walk by start knows how far back it must begin.
  enum Length: UInt8, CaseIterable, Sendable {
    /// Up to 25 hours: every day there is.
    case day = 0
    /// Up to 32 days: every month.
    case month = 1
    /// Longer, or open at an end: the side list.
    case long = 2

    /// The longest, in ticks; `nil` if there is none.
    var ticksMaximum: Int64? {
      switch self {
      case .day: 25 * 3_600 * Instant.ticksPerSecond
      case .month: 32 * 86_400 * Instant.ticksPerSecond
      case .long: nil
      }
    }
  }

  var span: Length {
    guard start != .min, end != .max else { return .long }
    return Length.allCases.first { $0.ticksMaximum.map { end - start <= $0 } ?? true } ?? .long
  }

  /// From its start to its end, where that doesn't come before.
  var moments: Range<Int64> { start..<max(start, end) }

  /// The same in the local time of each end, as if it were UTC.
  var local: Range<Int64> {
    let start = start == .min ? start : start.moved(by: Self.ticks(of: startOffset))
    let end = end == .max ? end : end.moved(by: Self.ticks(of: endOffset))
    return start..<max(start, end)
  }

  private static func ticks(of offset: UTCOffset) -> Int64 {
    Int64(offset.minutes) * 60 * Instant.ticksPerSecond
  }
}

extension Int64 {
  /// The sum, or the outermost number where that is none: a damaged key may hold any moment.
  fileprivate func moved(by amount: Int64) -> Int64 {
    let (sum, hasOverflown) = addingReportingOverflow(amount)
    return hasOverflown ? (amount < 0 ? .min : .max) : sum
  }
}

extension UTCOffset {
  /// As an offset stands in a key.
  var bits: UInt16 { UInt16(bitPattern: Int16(minutes)) }
}

extension DateInterval {
  /// The bytes in a key: start, end, then the offset of each in minutes.
  var keyBytes: [UInt8] {
    var key = Key(reservingByteCount: Self.keyByteCount)
    key.append(start)
    key.append(end)
    key.append(startOffset.bits)
    key.append(endOffset.bits)
    return key.bytes
  }

  static let keyByteCount = 20

  /// Reads what `keyBytes` wrote, from `position` of a key on; `nil` if it is something else.
  init?(_ key: Span<UInt8>, at position: Int) {
    guard key.count >= position + Self.keyByteCount,
      let startOffset = UTCOffset(minutes: Self.minutes(key, at: position + 16)),
      let endOffset = UTCOffset(minutes: Self.minutes(key, at: position + 18))
    else { return nil }
    self.init(
      start: Self.ticks(key, at: position), end: Self.ticks(key, at: position + 8),
      startOffset: startOffset, endOffset: endOffset)
  }

  private static func ticks(_ key: Span<UInt8>, at position: Int) -> Int64 {
    Int64(bitPattern: key.bigEndianNumber(at: position) ^ (1 << 63))
  }

  private static func minutes(_ key: Span<UInt8>, at position: Int) -> Int {
    Int(Int16(bitPattern: UInt16(key[position]) << 8 | UInt16(key[position + 1])))
  }
}

extension DateInterval {
  /// What a value covers; `nil` if it holds no date that can be read.
  ///
  /// - Parameter assumed: the offset of dates that have none.
  init?(_ value: PathValue, assuming assumed: UTCOffset) {
    switch value.type {
    case .date, .dateTime, .instant:
      guard let date = Self.date(value.value) else { return nil }
      self.init(from: date, to: date, assuming: assumed)
    case .period:
      let start = value.value[.start].flatMap(Self.date)
      let end = value.value[.end].flatMap(Self.date)
      if start == nil && end == nil { return nil }
      self.init(from: start, to: end, assuming: assumed)
    case .timing: self.init(timing: value.value, assuming: assumed)
    default: return nil
    }
  }

  private init(from first: FHIRDateTime?, to last: FHIRDateTime?, assuming assumed: UTCOffset) {
    start = first?.searchInterval(assuming: assumed).lowerBound.ticks ?? .min
    end = last?.searchInterval(assuming: assumed).upperBound.ticks ?? .max
    startOffset = (first ?? last)?.offset ?? assumed
    endOffset = (last ?? first)?.offset ?? assumed
  }

  /// The outer limits of a Timing: its events and the bounds of its repetition.
  private init?(timing: JSONValue, assuming assumed: UTCOffset) {
    var parts: [DateInterval] = []
    for event in timing[.event]?.elements.compactMap(Self.date) ?? [] {
      parts.append(DateInterval(from: event, to: event, assuming: assumed))
    }
    if let bounds = timing[.`repeat`]?[.boundsPeriod],
      let interval = DateInterval(PathValue(bounds, .period), assuming: assumed)
    {
      parts.append(interval)
    }
    guard let first = parts.min(by: { $0.start < $1.start }),
      let last = parts.max(by: { $0.end < $1.end })
    else { return nil }
    self.init(
      start: first.start, end: last.end, startOffset: first.startOffset, endOffset: last.endOffset)
  }

  private static func date(_ value: JSONValue) -> FHIRDateTime? {
    value.string.flatMap { try? FHIRDateTime($0, as: .search) }
  }
}

extension FHIRDateTime {
  /// As `interval`, but a value with a fraction of a second is a moment: one tick.
  func searchInterval(assuming assumed: UTCOffset) -> Range<Instant> {
    let interval = interval(assuming: assumed)
    guard case .fraction = precision else { return interval }
    return interval.lowerBound..<Instant(ticks: interval.lowerBound.ticks + 1)
  }
}
