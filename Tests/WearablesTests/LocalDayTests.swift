import Testing

@testable import Wearables

@Suite("A local day")
struct LocalDayTests {
  @Test("is read in one form, and only if the calendar has it")
  func reading() {
    for text in ["2026-10-25", "2024-02-29", "2000-02-29", "0001-01-01", "1969-12-31"] {
      #expect(LocalDay(text)?.text == text)
    }
    let wrong = [
      "", "2026-02-29", "2026-02-30", "1900-02-29", "2026-04-31", "2026-00-10", "2026-13-01",
      "2026-1-01", "2026-10-00", "2026-10-32", "26-10-01", "2026/10/01", "2026-10-01T00:00:00Z",
      " 2026-10-01", "+026-10-01", "２０２６-10-01", "0000-01-01",
    ]
    for text in wrong { #expect(LocalDay(text) == nil, "\(text)") }
  }

  @Test("counts the days since 1970")
  func counting() throws {
    // date --utc --date=DAY +%s, divided by 86,400
    for (text, number) in [
      ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2000-03-01", 11_017),
      ("2026-10-25", 20_751), ("1900-03-01", -25_508),
    ] {
      #expect(try #require(LocalDay(text)).number == number, "\(text)")
    }
  }

  /// `fixtures/wearables/days.py` asked every minute of these days for its local date.
  @Test("begins and ends when the zone's clocks say so, in 23 hours or 25 or without a midnight")
  func periods() throws {
    let lines = try Fixture.lines("fixtures/wearables/days.tsv")
    #expect(lines.count >= 28)
    for line in lines {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let zone = try #require(Zone(cells[0]), "\(cells[0])")
      let day = try #require(LocalDay(cells[1]))
      let seconds = zone.seconds(of: day)
      #expect(seconds.isEmpty == cells[2].isEmpty, "\(line)")
      guard !seconds.isEmpty else { continue }
      #expect(zone.dateTime(seconds.lowerBound, on: day) == cells[2])
      #expect(zone.dateTime(seconds.upperBound - 1, on: day) == cells[3])
    }
  }

  @Test("is of no zone that doesn't exist")
  func unknownZones() {
    for name in ["", "Mars/Olympus", "+02:00", "Europe/Budapest/x", "Europe"] {
      #expect(Zone(name) == nil, "\(name)")
    }
  }
}
