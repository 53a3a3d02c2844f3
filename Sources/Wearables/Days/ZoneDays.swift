import FHIRModel

/// The days of one zone, looked up by instant; it remembers those it has found.
struct ZoneDays: Sendable {
  let zone: Zone
  private var starts: [Int: Int64] = [:]
  private var last = DaySpan(number: 0, start: 0, end: 0)

  init(_ zone: Zone) { self.zone = zone }

  /// The day that holds the instant. A day begins where the zone's clocks reach its date for
  /// good, so the days follow each other without a gap or an overlap whatever the clocks do.
  ///
  /// - Parameter instant: milliseconds since 1970.
  mutating func span(at instant: Int64) -> DaySpan {
    if instant >= last.start, instant < last.end { return last }
    let second = Int(instant.flooredQuotient(by: 1_000))
    var number = (second + zone.offset(at: second)).flooredQuotient(by: 86_400)
    while instant < start(of: number) { number -= 1 }
    while instant >= start(of: number + 1) { number += 1 }
    last = DaySpan(number: number, start: start(of: number), end: start(of: number + 1))
    return last
  }

  private mutating func start(of number: Int) -> Int64 {
    if let known = starts[number] { return known }
    let start = Int64(zone.firstSecond(of: number)) * 1_000
    starts[number] = start
    return start
  }
}

/// A day of a zone: its number since 1970-01-01, and its milliseconds.
struct DaySpan: Hashable, Sendable {
  var number: Int
  var start: Int64
  /// The first that is not part of it.
  var end: Int64
}

extension FixedWidthInteger {
  func flooredQuotient(by divisor: Self) -> Self {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
