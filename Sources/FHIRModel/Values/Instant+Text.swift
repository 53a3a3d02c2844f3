extension Instant {
  /// `2026-11-30T05:21:15.123Z`: UTC, milliseconds, rounded down.
  ///
  /// - Precondition: the moment is `writable`.
  /// - SeeAlso: https://hl7.org/fhir/R4/datatypes.html#instant
  package var utf8Text: [UInt8] {
    let (days, ticksOfDay) = daysAndTicksOfDay
    var text: [UInt8] = []
    text.reserveCapacity(24)
    text.append(CivilDay(daysSince1970: days))
    text.append(UInt8(ascii: "T"))
    text.append(timeOfDay: ticksOfDay)
    text.append(UInt8(ascii: "."))
    text.append(number: Int(ticksOfDay / (Self.ticksPerSecond / 1000) % 1000), digits: 3)
    text.append(UInt8(ascii: "Z"))
    return text
  }

  /// Reads a FHIR instant: to the second or beyond, with an offset.
  ///
  /// - Throws: `FHIRDateTimeError` with the place or the reason.
  package init(_ text: some StringProtocol) throws(FHIRDateTimeError) {
    self = try FHIRDateTime(text, as: .instant).interval().lowerBound
  }

  /// The moments of the years 1 to 9999, which FHIR can write.
  package static let writable =
    Instant(
      ticks: -62_135_596_800 * ticksPerSecond)..<Instant(ticks: 253_402_300_800 * ticksPerSecond)

  /// The last whole millisecond at or before this moment, which is what `utf8Text` can show.
  package var inMilliseconds: Instant {
    let unit = Self.ticksPerSecond / 1000
    return Instant(ticks: ticks.flooredQuotientAndRemainder(by: unit).quotient * unit)
  }

  var daysAndTicksOfDay: (Int, Int64) {
    let (days, ticksOfDay) = ticks.flooredQuotientAndRemainder(by: FHIRDateTime.ticksPerDay)
    return (Int(days), ticksOfDay)
  }
}

extension Instant: CustomStringConvertible {
  package var description: String { String(decoding: utf8Text, as: UTF8.self) }
}

extension [UInt8] {
  /// Appends `YYYY-MM-DD`.
  mutating func append(_ day: CivilDay) {
    append(number: day.year, digits: 4)
    append(UInt8(ascii: "-"))
    append(number: day.month, digits: 2)
    append(UInt8(ascii: "-"))
    append(number: day.day, digits: 2)
  }

  /// Appends `hh:mm:ss`.
  mutating func append(timeOfDay ticks: Int64) {
    let seconds = Int(ticks / Instant.ticksPerSecond)
    append(number: seconds / 3600, digits: 2)
    append(UInt8(ascii: ":"))
    append(number: seconds / 60 % 60, digits: 2)
    append(UInt8(ascii: ":"))
    append(number: seconds % 60, digits: 2)
  }
}

extension CivilDay: CustomStringConvertible {
  /// `YYYY-MM-DD`
  package var description: String {
    var text: [UInt8] = []
    text.append(self)
    return String(decoding: text, as: UTF8.self)
  }
}
