import FHIRModel
import KeyValue

/// Dates, moments, Periods and Timings: every value is an interval.
///
/// An entry is the kind of span, start, end and the offset of both, so that the index alone can
/// tell whether a value matches.
///
/// - SeeAlso: https://hl7.org/fhir/R4/search.html#date
enum DateParameter {
  static func write(_ value: PathValue, to writer: inout EntryWriter) {
    let assumed = writer.configuration.zoneOffset
    guard let interval = DateInterval(value, assuming: assumed) else {
      return writer.writePresence()
    }
    writer.write([interval.span.rawValue] + interval.keyBytes)
  }

  /// Writes a moment that the store has set.
  static func write(_ moment: Instant, to writer: inout EntryWriter) {
    let start = moment.inMilliseconds.ticks
    let interval = DateInterval(
      start: start, end: start + 1, startOffset: .utc, endOffset: .utc)
    writer.write([interval.span.rawValue] + interval.keyBytes)
  }

  /// What dates are sorted by: where they start, then where they end. The same moments are the same,
  /// whatever offset they are written with.
  static func sortKey(of value: PathValue, assuming assumed: UTCOffset) -> [UInt8]? {
    DateInterval(value, assuming: assumed).map { Array($0.keyBytes.prefix(16)) }
  }
}

/// How a value of a query is compared.
///
/// - SeeAlso: https://hl7.org/fhir/R4/search.html#prefix
enum Prefix: Sendable {
  case eq, ne, gt, lt, ge, le, sa, eb, ap

  /// Takes the prefix off a value; `eq` if there is none.
  static func split(_ text: String) -> (Prefix, String) {
    let bytes = text.utf8.span
    guard bytes.count > 1 else { return (.eq, text) }
    guard let prefix = Prefix(bytes[0], bytes[1]) else { return (.eq, text) }
    return (prefix, String(copying: bytes.extracting(2...)))
  }

  private init?(_ first: UInt8, _ second: UInt8) {
    switch (UnicodeScalar(first), UnicodeScalar(second)) {
    case ("e", "q"): self = .eq
    case ("n", "e"): self = .ne
    case ("g", "t"): self = .gt
    case ("l", "t"): self = .lt
    case ("g", "e"): self = .ge
    case ("l", "e"): self = .le
    case ("s", "a"): self = .sa
    case ("e", "b"): self = .eb
    case ("a", "p"): self = .ap
    default: return nil
    }
  }
}

/// A date with its prefix.
///
/// A date without a zone means that time in the local time of the value it is compared with; one
/// with a zone means the moment.
struct DateMatch: ValueMatch {
  let prefix: Prefix
  /// The interval that was written; local time where `isLocal`, as if it were UTC.
  let interval: Range<Int64>
  let isLocal: Bool
  let assumedOffset: UTCOffset

  init(parsing text: String, configuration: SearchConfiguration) throws(ValueError) {
    let (prefix, text) = Prefix.split(EscapedText.unescape(text))
    let date: FHIRDateTime
    do { date = try FHIRDateTime(text, as: .search) } catch {
      throw ValueError(reason: "\"\(text)\" is not a date: \(error)")
    }
    self.prefix = prefix
    isLocal = date.offset == nil
    assumedOffset = configuration.zoneOffset
    let written = date.searchInterval(assuming: .utc)
    let ticks = written.lowerBound.ticks..<written.upperBound.ticks
    let distance = prefix == .ap ? abs(configuration.now().ticks - ticks.lowerBound) / 10 : 0
    interval = ticks.lowerBound - distance..<ticks.upperBound + distance
  }

  /// Whether a stored interval is meant.
  func matches(_ stored: DateInterval) -> Bool {
    matches(stored.moments, local: stored.local)
  }

  /// - Parameter local: the same interval in the local time of its ends.
  func matches(_ moments: Range<Int64>, local: Range<Int64>) -> Bool {
    let target = isLocal ? local : moments
    let isContained =
      interval.lowerBound <= target.lowerBound && target.upperBound <= interval.upperBound
    return switch prefix {
    case .eq: isContained
    case .ne: !isContained
    case .gt: target.upperBound > interval.upperBound
    case .lt: target.lowerBound < interval.lowerBound
    case .ge: isContained || target.upperBound > interval.upperBound
    case .le: isContained || target.lowerBound < interval.lowerBound
    case .sa: target.lowerBound >= interval.upperBound
    case .eb: target.upperBound <= interval.lowerBound
    case .ap:
      target.lowerBound < interval.upperBound && target.upperBound > interval.lowerBound
    }
  }

  func matches(_ value: PathValue) -> Bool {
    DateInterval(value, assuming: assumedOffset).map(matches) ?? false
  }

  func selections(
    in unit: Unit, terms: Terms, reader: borrowing Reader
  ) -> [Selection] {
    DateInterval.Length.allCases.map { span in
      let starts = starts(of: span)
      return .range(starts.keys(after: unit.key([span.rawValue]))) { body in
        guard let stored = DateInterval(body, at: 1) else { return .no }
        return matches(stored) ? .yes : .no
      }
    }
  }
}

/// The starts that a walk must look at, both ends included.
struct StartRange: Hashable, Sendable {
  var lower: Int64 = .min
  var upper: Int64 = .max

  /// The keys that go on with these starts behind `prefix`.
  func keys(after prefix: Key) -> KeyRange {
    let end = upper == .max ? prefix.afterPrefix : prefix.appending(upper + 1)
    return KeyRange(from: prefix.appending(lower), to: end)
  }

  func hull(with other: StartRange) -> StartRange {
    StartRange(lower: min(lower, other.lower), upper: max(upper, other.upper))
  }

  func clamped(to other: StartRange) -> StartRange {
    StartRange(lower: max(lower, other.lower), upper: min(upper, other.upper))
  }
}

extension DateMatch {
  /// Where values of this span may start that match: the interval, widened by the length of the
  /// span, and by the largest offset where local times are compared.
  func starts(of span: DateInterval.Length) -> StartRange {
    let lower = interval.lowerBound
    let upper = interval.upperBound
    let longest = span.ticksMaximum
    var range =
      switch prefix {
      case .eq: StartRange(lower: lower, upper: upper)
      case .ne: StartRange()
      case .gt: StartRange(lower: longest.map { upper.reduced(by: $0) } ?? .min)
      case .ge: StartRange(lower: longest.map { min(lower, upper.reduced(by: $0)) } ?? .min)
      case .lt: StartRange(upper: lower)
      case .le: StartRange(upper: upper)
      case .sa: StartRange(lower: upper)
      case .eb: StartRange(upper: lower)
      case .ap: StartRange(lower: longest.map { lower.reduced(by: $0) } ?? .min, upper: upper)
      }
    if isLocal {
      let widening = 14 * 3_600 * Instant.ticksPerSecond
      if range.lower != .min { range.lower = range.lower.reduced(by: widening) }
      if range.upper != .max { range.upper = -(-range.upper).reduced(by: widening) }
    }
    return range
  }
}

extension Int64 {
  fileprivate func reduced(by amount: Int64) -> Int64 {
    let (difference, hasOverflown) = subtractingReportingOverflow(amount)
    return hasOverflown ? .min : difference
  }
}
