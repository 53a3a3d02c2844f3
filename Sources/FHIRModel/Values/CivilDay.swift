/// A day of the proleptic Gregorian calendar, as FHIR's dates use it, in the years 1 to 9999.
package struct CivilDay: Hashable, Sendable {
  package let year: Int
  package let month: Int
  package let day: Int

  /// `nil` if the calendar has no such day (2026-02-30).
  package init?(year: Int, month: Int, day: Int) {
    guard 1...9999 ~= year, 1...12 ~= month, day >= 1,
      day <= Self.dayCount(ofMonth: month, year: year)
    else { return nil }
    self.init(unchecked: year, month, day)
  }

  private init(unchecked year: Int, _ month: Int, _ day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  package static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  package static func dayCount(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The days from 1970-01-01 to this day.
  package var daysSince1970: Int {
    // Years begin in March here, so that the leap day is the last of its year.
    let marchYear = month > 2 ? year : year - 1
    let monthsSinceMarch = (month + 9) % 12
    let dayOfYear = (153 * monthsSinceMarch + 2) / 5 + day - 1
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    return marchYear * 365 + leapDays + dayOfYear - Self.daysFromYear0To1970
  }

  /// The day that lies `daysSince1970` days after 1970-01-01; it may lie outside the years 1…9999.
  package init(daysSince1970: Int) {
    let days = daysSince1970 + Self.daysFromYear0To1970
    let (era, dayOfEra) = days.flooredQuotientAndRemainder(by: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthsSinceMarch = (5 * dayOfYear + 2) / 153
    let month = monthsSinceMarch < 10 ? monthsSinceMarch + 3 : monthsSinceMarch - 9
    self.init(
      unchecked: era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * monthsSinceMarch + 2) / 5 + 1)
  }

  /// 0 for Sunday to 6 for Saturday.
  package var weekday: Int {
    (daysSince1970 + 4).flooredQuotientAndRemainder(by: 7).remainder
  }

  /// The midnight with which this day begins at UTC.
  package var startAtUTC: Instant {
    Instant(ticks: Int64(daysSince1970) * 86_400 * Instant.ticksPerSecond)
  }

  // From 0000-03-01 to 1970-01-01.
  private static let daysFromYear0To1970 = 719_468
}

extension FixedWidthInteger {
  /// Division that rounds down, so that the remainder has the divisor's sign.
  func flooredQuotientAndRemainder(by divisor: Self) -> (quotient: Self, remainder: Self) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
