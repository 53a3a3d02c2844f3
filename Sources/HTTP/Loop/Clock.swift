#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Seconds on a clock that only goes forward; deadlines are counted on it.
func monotonicSeconds() -> Double {
  var time = timespec()
  _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The Date field of answers, written anew once a second.
struct DateField {
  private(set) var line: [UInt8] = []
  private var second = -1

  mutating func update() {
    let now = time(nil)
    guard now != second else { return }
    second = now
    line = Array("Date: \(Self.text(ofSecond: now))\r\n".utf8)
  }

  /// A moment as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
  ///
  /// - SeeAlso: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
  static func text(ofSecond second: Int) -> String {
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let (day, rest) = (second / 86_400, second % 86_400)
    let date = civil(day: day)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(weekdays[day % 7]), \(two(date.day)) \(months[date.month - 1]) \(date.year) "
      + "\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60)) GMT"
  }

  /// The Gregorian date of a day counted from 1970-01-01, by 400-year cycles that begin in March.
  private static func civil(day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let (cycle, ofCycle) = (shifted / 146_097, shifted % 146_097)
    let yearOfCycle = (ofCycle - ofCycle / 1460 + ofCycle / 36_524 - ofCycle / 146_096) / 365
    let ofYear = ofCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let shiftedMonth = (5 * ofYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
    return (year, month, ofYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}
