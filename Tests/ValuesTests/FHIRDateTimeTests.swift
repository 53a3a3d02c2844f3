import FHIRModel
import Testing

@Suite("a date, dateTime or instant")
struct FHIRDateTimeTests {
  // Seconds since 1970 were computed with Python's datetime.
  @Test(
    "stands for the interval of what was written",
    arguments: [
      ("1980", 315_532_800, 347_155_200),
      ("1900", -2_208_988_800, -2_177_452_800),
      ("2024-02", 1_706_745_600, 1_709_251_200),
      ("2026-11-30", 1_795_996_800, 1_796_083_200),
      ("0001-01-01", -62_135_596_800, -62_135_510_400),
      ("9999-12-31", 253_402_214_400, 253_402_300_800),
      ("1980-05-11T16:32:15Z", 326_910_735, 326_910_736),
      ("2015-02-07T13:28:17-05:00", 1_423_333_697, 1_423_333_698),
      ("2026-10-25T00:00:00+02:00", 1_792_879_200, 1_792_879_201),
      ("2026-10-25T23:59:59+01:00", 1_792_969_199, 1_792_969_200),
    ] as [(String, Int64, Int64)])
  func interval(text: String, start: Int64, end: Int64) throws {
    let interval = try FHIRDateTime(text).interval()
    #expect(interval.lowerBound.ticks == start * 10_000_000)
    #expect(interval.upperBound.ticks == end * 10_000_000)
  }

  @Test(
    "reads a fraction of a second to any length, to a tick",
    arguments: [
      ("1970-01-01T00:00:00.5Z", 5_000_000, 1_000_000),
      ("1970-01-01T00:00:00.123Z", 1_230_000, 10_000),
      ("1970-01-01T00:00:00.1234567Z", 1_234_567, 1),
      ("1970-01-01T00:00:00.123456789012345678901234567890Z", 1_234_567, 1),
    ] as [(String, Int64, Int64)])
  func fraction(text: String, start: Int64, width: Int64) throws {
    let interval = try FHIRDateTime(text, as: .instant).interval()
    #expect(interval.lowerBound.ticks == start)
    #expect(interval.upperBound.ticks == start + width)
  }

  @Test("takes an assumed offset only where none was written")
  func assumedOffset() throws {
    let budapest = try #require(UTCOffset(minutes: 120))
    let day = try FHIRDateTime("2026-10-25").interval(assuming: budapest)
    #expect(try day.lowerBound == Instant("2026-10-24T22:00:00Z"))
    #expect(try day.upperBound == Instant("2026-10-25T22:00:00Z"))
    let moment = try FHIRDateTime("2026-10-25T00:00:00Z").interval(assuming: budapest)
    #expect(try moment.lowerBound == Instant("2026-10-25T00:00:00Z"))
  }

  @Test("of a search may leave out seconds and offset, and lose its plus sign")
  func searchForms() throws {
    let minute = try FHIRDateTime("2026-10-25T08:30", as: .search)
    #expect(minute.precision == .minute)
    #expect(minute.offset == nil)
    let interval = minute.interval()
    #expect(interval.upperBound.ticks - interval.lowerBound.ticks == 60 * 10_000_000)
    let blank = try FHIRDateTime("2026-10-25T08:30:00 02:00", as: .search)
    #expect(blank.offset == UTCOffset(minutes: 120))
  }

  @Test("counts a leap second as the next minute's first")
  func leapSecond() throws {
    let leap = try FHIRDateTime("2016-12-31T23:59:60Z").interval()
    #expect(try leap.lowerBound == Instant("2017-01-01T00:00:00Z"))
  }

  @Test(
    "is refused when no calendar or clock has it",
    arguments: [
      "2026-02-30", "2025-02-29", "1900-02-29", "2026-04-31", "2026-13", "2026-00", "2026-01-00",
      "0000", "2026-01-01T24:00:00Z", "2026-01-01T12:60:00Z", "2026-01-01T12:00:61Z",
      "2026-01-01T12:00:00+14:01", "2026-01-01T12:00:00+02:60",
    ])
  func impossible(text: String) {
    #expect(throws: FHIRDateTimeError.impossible) { try FHIRDateTime(text) }
  }

  @Test(
    "is refused at the byte that doesn't fit",
    arguments: [
      ("", 0), ("26", 2), ("2026-1", 6), ("2026-01-1", 9), ("2026-01-01T", 11),
      ("2026-01-01T12", 13), ("2026-01-01T12:00", 16), ("2026-01-01 12:00:00Z", 10),
      ("2026-01-01T12:00:00.Z", 20), ("2026-01-01T12:00:00z", 19), ("2026-01-01T12:00:00Z ", 20),
      ("+2026-01-01", 0), ("2026-01-01T12:00:00 02:00", 19), ("2026-01T12:00:00Z", 7),
    ])
  func malformed(text: String, offset: Int) {
    #expect(throws: FHIRDateTimeError.malformed(offset: offset)) { try FHIRDateTime(text) }
  }

  @Test("keeps its forms apart")
  func forms() {
    #expect(throws: FHIRDateTimeError.missingOffset) { try FHIRDateTime("2026-01-01T12:00:00") }
    #expect(throws: FHIRDateTimeError.malformed(offset: 10)) {
      try FHIRDateTime("2026-01-01T12:00:00Z", as: .date)
    }
    #expect(throws: FHIRDateTimeError.malformed(offset: 10)) {
      try FHIRDateTime("2026-01-01", as: .instant)
    }
  }
}

@Suite("a day of the calendar")
struct CivilDayTests {
  @Test("counts the days since 1970 and back, over ten thousand years")
  func roundTrip() throws {
    var expected = try #require(CivilDay(year: 1, month: 1, day: 1)).daysSince1970
    #expect(expected == -719_162)
    for year in 1...9999 {
      for month in 1...12 {
        for day in [1, CivilDay.dayCount(ofMonth: month, year: year)] {
          let civil = try #require(CivilDay(year: year, month: month, day: day))
          let days = expected + day - 1
          guard civil.daysSince1970 == days, CivilDay(daysSince1970: days) == civil else {
            Issue.record("\(civil)")
            return
          }
        }
        expected += CivilDay.dayCount(ofMonth: month, year: year)
      }
    }
    #expect(expected == 2_932_897)
  }

  @Test("knows its weekday")
  func weekday() throws {
    #expect(try #require(CivilDay(year: 1970, month: 1, day: 1)).weekday == 4)
    #expect(try #require(CivilDay(year: 1994, month: 11, day: 6)).weekday == 0)
    #expect(try #require(CivilDay(year: 1583, month: 1, day: 1)).weekday == 6)
  }
}
