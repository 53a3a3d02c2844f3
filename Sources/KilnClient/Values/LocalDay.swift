/// A day of the Gregorian calendar, without a zone.
///
/// It is written `2026-10-25` whatever calendar, script or region the phone is set to.
public struct LocalDay: Hashable, Sendable {
  /// Days since 1970-01-01.
  let number: Int

  /// `nil` if the calendar has no such day, or the year has more than four digits.
  public init?(year: Int, month: Int, day: Int) {
    guard 1...9999 ~= year, 1...12 ~= month, day >= 1,
      day <= Self.dayCount(ofMonth: month, in: year)
    else { return nil }
    let inYear = (1..<month).reduce(0) { $0 + Self.dayCount(ofMonth: $1, in: year) } + day - 1
    number = Self.dayCount(before: year) - Self.dayCount(before: 1970) + inYear
  }

  init(number: Int) { self.number = number }

  /// Year, month and day.
  public var components: (year: Int, month: Int, day: Int) {
    let sinceYearOne = number + Self.dayCount(before: 1970)
    // Never more than one too low: 146,097 days are 400 years.
    var year = sinceYearOne * 400 / 146_097 + 1
    if Self.dayCount(before: year) > sinceYearOne { year -= 1 }
    if Self.dayCount(before: year + 1) <= sinceYearOne { year += 1 }
    var month = 1
    var rest = sinceYearOne - Self.dayCount(before: year)
    while rest >= Self.dayCount(ofMonth: month, in: year) {
      rest -= Self.dayCount(ofMonth: month, in: year)
      month += 1
    }
    return (year, month, rest + 1)
  }

  /// The day so many days later; earlier where `count` is negative.
  public func advanced(by count: Int) -> LocalDay { LocalDay(number: number + count) }

  private static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  private static func dayCount(ofMonth month: Int, in year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The days from 1 January of year 1 to the last of the year before `year`.
  private static func dayCount(before year: Int) -> Int {
    let whole = year - 1
    return whole * 365 + whole / 4 - whole / 100 + whole / 400
  }
}

extension LocalDay: Comparable {
  public static func < (left: LocalDay, right: LocalDay) -> Bool { left.number < right.number }
}

extension LocalDay: LosslessStringConvertible {
  /// Reads `YYYY-MM-DD`, with ASCII digits.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2],
      text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || 0x30...0x39 ~= $0 }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  public var description: String {
    let (year, month, day) = components
    let digits = String(year)
    return String(repeating: "0", count: 4 - digits.count) + digits
      + "-" + Self.pair(month) + "-" + Self.pair(day)
  }

  private static func pair(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension LocalDay: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let day = LocalDay(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "“\(text)” is no day of the calendar.")
    }
    self = day
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
