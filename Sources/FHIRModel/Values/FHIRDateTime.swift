/// A date, dateTime or instant, as exact as it was written.
///
/// A partial value stands for an interval: `2026-10` is the whole month, `…T08:30` the minute.
///
/// - SeeAlso: https://hl7.org/fhir/R4/datatypes.html#dateTime
/// - SeeAlso: https://hl7.org/fhir/R4/search.html#date
package struct FHIRDateTime: Hashable, Sendable {
  /// The last part that was written.
  package enum Precision: Hashable, Comparable, Sendable {
    case year, month, day, minute, second
    /// So many digits after the second; more than seven are read to seven, a tick.
    case fraction(digits: Int)
  }

  /// Which texts are taken.
  package enum Form: Sendable {
    /// `YYYY`, `YYYY-MM`, `YYYY-MM-DD`.
    case date
    /// A date, or a day with a time to the second or beyond and an offset.
    case dateTime
    /// A day with a time to the second or beyond and an offset.
    case instant
    /// A dateTime whose seconds and offset may be left out. A blank before the digits of an offset
    /// is its `+`, which clients forget to encode.
    case search
  }

  package let precision: Precision
  /// The offset that was written; a date has none.
  package let offset: UTCOffset?
  /// The day that was written, its month or day 1 where they were left out.
  package let day: CivilDay
  // Since midnight of `day`, in local time; a leap second counts as the next minute's first.
  let ticksOfDay: Int64

  /// The moments that this value stands for: from its first, included, to the first after it.
  ///
  /// - Parameter assumed: the offset for a value without one.
  package func interval(assuming assumed: UTCOffset = .utc) -> Range<Instant> {
    let shift = (offset ?? assumed).ticks
    let start = day.startAtUTC.ticks + ticksOfDay
    return Instant(ticks: start - shift)..<Instant(ticks: start + ticksOfPrecision - shift)
  }

  private var ticksOfPrecision: Int64 {
    switch precision {
    case .year: (CivilDay.isLeap(day.year) ? 366 : 365) * Self.ticksPerDay
    case .month:
      Int64(CivilDay.dayCount(ofMonth: day.month, year: day.year)) * Self.ticksPerDay
    case .day: Self.ticksPerDay
    case .minute: 60 * Instant.ticksPerSecond
    case .second: Instant.ticksPerSecond
    case .fraction(let digits): Self.ticks(ofFractionDigit: digits)
    }
  }

  static func ticks(ofFractionDigit digit: Int) -> Int64 {
    var ticks = Instant.ticksPerSecond
    for _ in 0..<min(digit, 7) { ticks /= 10 }
    return ticks
  }

  static let ticksPerDay = 86_400 * Instant.ticksPerSecond
}

/// Why a text is not a date, dateTime or instant.
package enum FHIRDateTimeError: Error, Hashable, Sendable {
  /// It is not of the form; the offset is the place of the first byte that doesn't fit.
  case malformed(offset: Int)
  /// The calendar has no such day, or the clock no such time.
  case impossible
  /// A time needs an offset here (`Z`, `+02:00`).
  case missingOffset
}

extension FHIRDateTimeError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let offset): "not of the form YYYY-MM-DDThh:mm:ss+zz:zz at byte \(offset)"
    case .impossible: "no such day or time"
    case .missingOffset: "a time needs an offset, such as Z or +02:00"
    }
  }
}
