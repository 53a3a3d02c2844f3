import Foundation

/// Days as intervals of time in one zone: 23, 24, 24.5 or 25 hours long, and beginning at 01:00 where
/// a change of the clocks leaves midnight out.
///
/// Always the Gregorian calendar, whatever calendar the phone is set to.
public struct LocalCalendar: Hashable, Sendable {
  /// The zone in which days begin and end.
  public let timeZone: TimeZone
  private let calendar: Calendar

  /// The calendar of a zone. Hand in where the person is or was; `TimeZone.current` is where the
  /// phone is now.
  public init(_ timeZone: TimeZone) {
    self.timeZone = timeZone
    var calendar = Calendar(identifier: .gregorian)
    calendar.locale = Locale(identifier: "en_US_POSIX")
    calendar.timeZone = timeZone
    self.calendar = calendar
  }

  /// The local day at a moment.
  public func day(at moment: Date) -> LocalDay {
    let local = moment.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: moment))
    return LocalDay(number: Int((local / 86_400).rounded(.down)))
  }

  /// From the day's first moment to the next day's first; `nil` if the zone left that day out of the
  /// calendar.
  public func interval(of day: LocalDay) -> DateInterval? {
    let (year, month, number) = day.components
    let noon = DateComponents(year: year, month: month, day: number, hour: 12)
    guard let moment = calendar.date(from: noon), self.day(at: moment) == day else { return nil }
    return calendar.dateInterval(of: .day, for: moment)
  }

  /// The first moment at which `day` has begun or been left out.
  func start(of day: LocalDay) -> Date {
    if let interval = interval(of: day) { return interval.start }
    // Only whole days were ever left out, so the day before ends where the next begins.
    return interval(of: day.advanced(by: -1))?.end
      ?? Date(
        timeIntervalSince1970: Double(day.number) * 86_400 - Double(timeZone.secondsFromGMT()))
  }
}
