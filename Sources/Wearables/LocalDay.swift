import FHIRModel
import Foundation

/// A day of the calendar, without a zone.
package struct LocalDay: Hashable, Comparable, Sendable {
  /// As written: `2026-10-25`.
  package let text: String
  /// Days since 1970-01-01.
  package let number: Int

  /// Reads `YYYY-MM-DD`; `nil` for another form or a day that the calendar doesn't have.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = Self.digits(bytes[0..<4]), let month = Self.digits(bytes[5..<7]),
      let day = Self.digits(bytes[8..<10]), let civil = CivilDay(year: year, month: month, day: day)
    else { return nil }
    self.text = text
    self.number = civil.daysSince1970
  }

  /// The day that lies so many days after 1970-01-01; `nil` outside the years 1 to 9999.
  init?(number: Int) {
    let civil = CivilDay(daysSince1970: number)
    guard 1...9_999 ~= civil.year else { return nil }
    func digits(_ number: Int, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: count - text.count) + text
    }
    text = "\(digits(civil.year, 4))-\(digits(civil.month, 2))-\(digits(civil.day, 2))"
    self.number = number
  }

  /// Whether a date or a time as FHIR writes it (`2026`, `2026-10`, `2026-10-24T23:30:00+02:00`) is of
  /// an earlier day there, whatever its zone; of a month or year, its last day.
  func isAfter(_ date: String) -> Bool {
    let day = date.prefix(10)
    return day < text.prefix(day.count)
  }

  /// The first moment that can be of this day or what leads to it, in milliseconds since 1970: a night
  /// begins the day before, and zones differ.
  var earliestMillisecond: Int64 { (Int64(number) - 2) * 86_400_000 }

  /// What lasts beyond this is of this day or a later one, whatever its zone.
  var sureMillisecond: Int64 { (Int64(number) + 2) * 86_400_000 }

  package static func < (left: LocalDay, right: LocalDay) -> Bool { left.number < right.number }

  private static func digits(_ bytes: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for byte in bytes {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }
}

/// A named time zone, and its days as intervals of time.
package struct Zone: Sendable {
  private let zone: TimeZone

  /// `nil` if there is no such zone.
  package init?(_ identifier: String) {
    guard let zone = TimeZone(identifier: identifier) else { return nil }
    self.zone = zone
  }

  /// A zone whose clocks never change; `nil` for an offset of more than 18 hours from UTC.
  ///
  /// - Parameter offset: in seconds, east of UTC positive.
  init?(offset: Int) {
    guard abs(offset) <= 18 * 3_600, let zone = TimeZone(secondsFromGMT: offset) else { return nil }
    self.zone = zone
  }

  private static let secondsPerDay = 86_400

  /// The seconds since 1970 in which the local date is `day`; empty if the zone left that day out.
  ///
  /// A day may begin after midnight, where the clocks go forward at midnight, and be of any length.
  func seconds(of day: LocalDay) -> Range<Int> {
    let start = firstSecond(of: day.number)
    return start..<max(start, firstSecond(of: day.number + 1))
  }

  /// The first second in which the local date is the day so many days after 1970-01-01, or a later
  /// one if the zone left that day out.
  func firstSecond(of day: Int) -> Int {
    firstSecond(whereLocalTimeReaches: day * Self.secondsPerDay)
  }

  /// The offset of local time from UTC at that second, in seconds.
  func offset(at second: Int) -> Int {
    zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
  }

  /// No zone is further from UTC than this, so one of the two ends is on either side of the answer.
  private static let widestOffset = 26 * 3_600

  private func firstSecond(whereLocalTimeReaches local: Int) -> Int {
    var low = local - Self.widestOffset
    var high = local + Self.widestOffset
    while low < high {
      let middle = low + (high - low) / 2
      if middle + offset(at: middle) >= local { high = middle } else { low = middle + 1 }
    }
    return lastCrossing(of: local, from: low)
  }

  /// Where clocks go back over midnight soon after it (at 00:01 in Newfoundland until 2011), the date
  /// is reached twice, and the day begins the second time.
  private func lastCrossing(of local: Int, from second: Int) -> Int {
    let later = offset(at: second + 3 * 3_600)
    let again = local - later
    return again > second && again - 1 + offset(at: again - 1) < local ? again : second
  }

  /// A second of `day` as FHIR writes it, with the offset that held then:
  /// `2026-10-25T23:59:59+01:00`.
  func dateTime(_ second: Int, on day: LocalDay) -> String {
    let offset = offset(at: second)
    let time = second + offset - day.number * Self.secondsPerDay
    let minutes = abs(offset) / 60
    var text = Array(day.text.utf8)
    text.append(UInt8(ascii: "T"), pair: time / 3_600)
    text.append(UInt8(ascii: ":"), pair: time / 60 % 60)
    text.append(UInt8(ascii: ":"), pair: time % 60)
    text.append(UInt8(ascii: offset < 0 ? "-" : "+"), pair: minutes / 60)
    text.append(UInt8(ascii: ":"), pair: minutes % 60)
    return String(decoding: text, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends a sign and a number with two digits.
  fileprivate mutating func append(_ sign: UInt8, pair number: Int) {
    append(sign)
    append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10))
    append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10))
  }
}
