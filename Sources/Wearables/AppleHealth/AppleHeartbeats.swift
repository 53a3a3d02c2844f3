/// The single beats that an export lists inside of a record: the time of day of each, as the phone's
/// language writes it, and the heart rate there.
struct AppleHeartbeats {
  /// `SECONDS RATE; SECONDS RATE`: since the first beat, and a minute; `nil` if there is no beat, or one
  /// of them can't be read.
  var text: String? { isReadable && count > 0 ? pairs : nil }
  private(set) var count = 0

  private var pairs = ""
  private var isReadable = true
  /// Of the last beat: milliseconds since the first, and since midnight or noon.
  private var elapsed = 0
  private var clock = 0

  /// Half a day, in milliseconds: a clock of twelve hours says no more.
  private static let halfDay = 43_200_000
  /// No record of a heart's variability lasts longer, in milliseconds.
  private static let longest = 3_600_000
  private static let countMaximum = 20_000

  mutating func append(time: String, rate: String) {
    count += 1
    guard count <= Self.countMaximum, let clock = Self.clock(time),
      let rate = AppleNumber.parse(rate, allowsComma: true)
    else {
      isReadable = false
      return
    }
    if count > 1 {
      elapsed += (clock - self.clock + Self.halfDay) % Self.halfDay
      pairs += "; "
    }
    self.clock = clock
    guard elapsed <= Self.longest else {
      isReadable = false
      return
    }
    pairs += "\(decimalText(Double(elapsed) / 1_000)) \(decimalText(rate))"
  }

  /// Milliseconds since midnight or noon of `12:21:00,30`, `9:41:00.30 PM` or the same in other digits.
  private static func clock(_ time: String) -> Int? {
    let groups = time.split { $0.wholeNumberValue == nil }.map { $0.compactMap(\.wholeNumberValue) }
    guard 3...4 ~= groups.count, groups.allSatisfy({ $0.count <= 3 && $0.allSatisfy { $0 < 10 } })
    else { return nil }
    let numbers = groups.map { $0.reduce(0) { $0 * 10 + $1 } }
    guard numbers[0] < 25, numbers[1] < 60, numbers[2] < 60 else { return nil }
    let scales = [0, 100, 10, 1]
    let fraction = groups.count == 4 ? numbers[3] * scales[groups[3].count] : 0
    return ((numbers[0] % 12 * 60 + numbers[1]) * 60 + numbers[2]) * 1_000 + fraction
  }
}
