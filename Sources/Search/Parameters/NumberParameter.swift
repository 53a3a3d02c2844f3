import FHIRModel
import KeyValue

/// Numbers: points in their order. A Range is marked as one and rechecked; so are SampledData.
///
/// - SeeAlso: https://hl7.org/fhir/R4/search.html#number
enum NumberParameter {
  /// The first byte of a key behind the unit's, or behind the unit of measure.
  enum Tag {
    static let point: UInt8 = 0
    static let interval: UInt8 = 1
  }

  static func write(_ value: PathValue, to writer: inout EntryWriter) {
    guard let interval = NumberInterval(value) else { return writer.writePresence() }
    writer.write(interval.tail)
  }

  static func sortKey(of value: PathValue) -> [UInt8]? {
    NumberInterval(value).flatMap { ($0.low ?? $0.high)?.keyBytes() }
  }
}

/// A stored number, or the ends of a Range or of SampledData; an end may be open.
struct NumberInterval: Sendable {
  var low: DecimalValue?
  var high: DecimalValue?
  /// Whether the ends that are there lie just outside: of `<` and `>`.
  var isExclusive = false

  /// `nil` if the value holds no number.
  init?(_ value: PathValue) {
    switch value.type {
    case .range:
      low = value.value[.low].flatMap(Self.decimal(ofQuantity:))
      high = value.value[.high].flatMap(Self.decimal(ofQuantity:))
      if low == nil && high == nil { return nil }
    case .quantity, .age, .count, .distance, .duration, .money:
      guard let number = Self.decimal(ofQuantity: value.value) else { return nil }
      // A comparator says that the true value lies beyond the number.
      let comparator = value.value[.comparator]?.string
      low = comparator == "<" || comparator == "<=" ? nil : number
      high = comparator == ">" || comparator == ">=" ? nil : number
      isExclusive = comparator == "<" || comparator == ">"
    case .sampledData:
      guard let bounds = SampledBounds(value.value) else { return nil }
      low = bounds.low
      high = bounds.high
    default:
      guard let number = value.value.numberText.flatMap({ DecimalValue($0) }) else { return nil }
      low = number
      high = number
    }
  }

  private static func decimal(ofQuantity quantity: JSONValue) -> DecimalValue? {
    quantity[.value]?.numberText.flatMap { DecimalValue($0) }
  }

  /// The end of a key: a point as itself, an interval as its mark.
  var tail: [UInt8] {
    guard let low, low == high else { return [NumberParameter.Tag.interval] }
    return [NumberParameter.Tag.point] + low.keyBytes()
  }
}

/// A number with its prefix.
struct NumberMatch: ValueMatch {
  let prefix: Prefix
  let number: DecimalValue
  /// The numbers that are meant: those that round to `number`, or for `ap` those near it.
  let range: Range<DecimalValue>

  init(parsing text: String) throws(ValueError) {
    let (prefix, text) = Prefix.split(EscapedText.unescape(text))
    guard let number = DecimalValue(search: text) else {
      throw ValueError(reason: "\"\(text)\" is not a number")
    }
    self.prefix = prefix
    self.number = number
    range = prefix == .ap ? number.approximateRange : number.searchRange
  }

  func selections(
    in unit: Unit, terms: Terms, reader: borrowing Reader
  ) -> [Selection] {
    selections(after: unit.prefix)
  }

  /// The keys behind `key` that may match, points and intervals.
  func selections(after key: Key) -> [Selection] {
    var point = key
    point.append([NumberParameter.Tag.point])
    var interval = key
    interval.append([NumberParameter.Tag.interval])
    // A key holds only so many digits; numbers longer than that are rechecked.
    let verdict: Verdict =
      number.isKeyExact() && range.lowerBound.isKeyExact() && range.upperBound.isKeyExact()
      ? .yes : .perhaps
    return pointRanges(after: point).map { .range($0, verdict) } + [.key(interval, .perhaps)]
  }

  private func pointRanges(after point: Key) -> [KeyRange] {
    func at(_ value: DecimalValue) -> Key {
      var key = point
      key.append(value.keyBytes())
      return key
    }
    func behind(_ value: DecimalValue) -> Key {
      var key = at(value)
      key.append([0])
      return key
    }
    let end = point.afterPrefix
    return switch prefix {
    case .eq, .ap: [KeyRange(from: at(range.lowerBound), to: at(range.upperBound))]
    case .ne:
      [
        KeyRange(from: point, to: at(range.lowerBound)),
        KeyRange(from: at(range.upperBound), to: end),
      ]
    case .gt, .sa: [KeyRange(from: behind(number), to: end)]
    case .ge: [KeyRange(from: at(number), to: end)]
    case .lt, .eb: [KeyRange(from: point, to: at(number))]
    case .le: [KeyRange(from: point, to: behind(number))]
    }
  }

  func matches(_ value: PathValue) -> Bool {
    NumberInterval(value).map(matches) ?? false
  }

  /// A point is compared as itself, an interval by both of its ends.
  private func matches(_ stored: NumberInterval) -> Bool {
    let isContained =
      stored.low.map { range.lowerBound <= $0 } ?? false
      && stored.high.map { $0 < range.upperBound } ?? false
    return switch prefix {
    case .eq: isContained
    case .ne: !isContained
    case .gt: stored.high.map { $0 > number } ?? true
    case .ge: stored.high.map { $0 > number || !stored.isExclusive && $0 == number } ?? true
    case .lt: stored.low.map { $0 < number } ?? true
    case .le: stored.low.map { $0 < number || !stored.isExclusive && $0 == number } ?? true
    case .sa: stored.low.map { $0 > number || stored.isExclusive && $0 == number } ?? false
    case .eb: stored.high.map { $0 < number || stored.isExclusive && $0 == number } ?? false
    case .ap:
      stored.low.map { $0 < range.upperBound } ?? true
        && stored.high.map {
          $0 > range.lowerBound || !stored.isExclusive && $0 == range.lowerBound
        } ?? true
    }
  }
}
