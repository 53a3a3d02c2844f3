/// - SeeAlso: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
extension Instant {
  /// `Mon, 30 Nov 2026 05:21:15 GMT`: whole seconds, rounded down.
  package var httpDate: String {
    var text: [UInt8] = []
    text.append(httpDateOf: self)
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads any of HTTP's three forms; `nil` for anything else, as a recipient ignores such a header.
  ///
  /// - Parameter now: the moment by which the old form's two-digit year is understood: one that
  ///   would lie more than 50 years ahead is of the century before.
  package init?(httpDate text: String, now: Instant) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    let moment =
      Self.fixdate(parts) ?? Self.rfc850Date(parts, now: now) ?? Self.asctimeDate(text)
    guard let moment else { return nil }
    self = moment
  }

  /// `Sun, 06 Nov 1994 08:49:37 GMT`
  private static func fixdate(_ parts: [Substring]) -> Instant? {
    guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT", parts[3].utf8.count == 4,
      let day = HTTPDateNames.number(parts[1], digits: 2),
      let month = HTTPDateNames.month(parts[2]),
      let year = HTTPDateNames.number(parts[3], digits: 4)
    else { return nil }
    return moment(year, month, day, time: parts[4], weekday: parts[0].dropLast(), isShort: true)
  }

  /// `Sunday, 06-Nov-94 08:49:37 GMT`
  private static func rfc850Date(_ parts: [Substring], now: Instant) -> Instant? {
    guard parts.count == 4 else { return nil }
    let date = parts[1].split(separator: "-", omittingEmptySubsequences: false)
    guard parts[0].hasSuffix(","), parts[3] == "GMT", date.count == 3,
      let day = HTTPDateNames.number(date[0], digits: 2),
      let month = HTTPDateNames.month(date[1]),
      let shortYear = HTTPDateNames.number(date[2], digits: 2)
    else { return nil }
    let currentYear = CivilDay(daysSince1970: now.daysAndTicksOfDay.0).year
    var year = currentYear / 100 * 100 + shortYear
    if year > currentYear + 50 { year -= 100 }
    return moment(year, month, day, time: parts[2], weekday: parts[0].dropLast(), isShort: false)
  }

  /// `Sun Nov  6 08:49:37 1994`
  private static func asctimeDate(_ text: String) -> Instant? {
    let parts = text.split(separator: " ")
    guard text.utf8.count == 24, parts.count == 5, let month = HTTPDateNames.month(parts[1]),
      let day = HTTPDateNames.number(parts[2], digits: parts[2].utf8.count),
      let year = HTTPDateNames.number(parts[4], digits: 4)
    else { return nil }
    return moment(year, month, day, time: parts[3], weekday: parts[0], isShort: true)
  }

  private static func moment(
    _ year: Int, _ month: Int, _ day: Int, time: Substring, weekday: Substring, isShort: Bool
  ) -> Instant? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false)
    guard let date = CivilDay(year: year, month: month, day: day), clock.count == 3,
      let hour = HTTPDateNames.number(clock[0], digits: 2), hour < 24,
      let minute = HTTPDateNames.number(clock[1], digits: 2), minute < 60,
      let second = HTTPDateNames.number(clock[2], digits: 2), second <= 60
    else { return nil }
    let isKnown = HTTPDateNames.weekdays.contains { weekday == (isShort ? $0.prefix(3) : $0[...]) }
    guard isKnown else { return nil }
    let seconds = Int64(hour * 3600 + minute * 60 + second)
    return Instant(ticks: date.startAtUTC.ticks + seconds * ticksPerSecond)
  }
}

extension [UInt8] {
  /// Appends `Mon, 30 Nov 2026 05:21:15 GMT`: whole seconds, rounded down.
  package mutating func append(httpDateOf moment: Instant) {
    let (days, ticksOfDay) = moment.daysAndTicksOfDay
    let day = CivilDay(daysSince1970: days)
    append(contentsOf: HTTPDateNames.weekdays[day.weekday].utf8.prefix(3))
    append(contentsOf: ", ".utf8)
    append(number: day.day, digits: 2)
    append(UInt8(ascii: " "))
    append(contentsOf: HTTPDateNames.months[day.month - 1].utf8)
    append(UInt8(ascii: " "))
    append(number: day.year, digits: 4)
    append(UInt8(ascii: " "))
    append(timeOfDay: ticksOfDay)
    append(contentsOf: " GMT".utf8)
  }
}

private enum HTTPDateNames {
  static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  static func month(_ name: Substring) -> Int? {
    months.firstIndex { $0 == name }.map { $0 + 1 }
  }

  static func number(_ text: Substring, digits: Int) -> Int? {
    guard text.utf8.count == digits,
      text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    return Int(text)
  }
}
