import Foundation
import SeededNumbers
import Testing

@testable import KilnClient

@Suite("Local days")
struct DayTests {
  @Test("a day is written the same whatever the phone is set to, and read back")
  func text() throws {
    let days = ["1970-01-01", "2000-02-29", "2026-10-25", "1999-12-31", "9999-12-31", "0001-01-01"]
    for text in days { #expect(LocalDay(text)?.description == text) }
    let others = [
      "2026-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-1-01", "2569-10-0١", "",
      "2026-10-25T00:00", "0000-01-01", "-026-10-25", "+026-10-25",
    ]
    for text in others { #expect(LocalDay(text) == nil, "\(text)") }
  }

  /// The calendar's own arithmetic is the other program here.
  @Test("every day of two centuries follows the one before")
  func arithmetic() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    for number in -25_567...47_482 {
      let date = Date(timeIntervalSince1970: Double(number) * 86_400)
      let expected = calendar.dateComponents([.year, .month, .day], from: date)
      let day = LocalDay(number: number)
      let (year, month, inMonth) = day.components
      try #require(expected == DateComponents(year: year, month: month, day: inMonth))
      try #require(LocalDay(year: year, month: month, day: inMonth) == day)
    }
  }

  /// `fixtures/wearables/days.tsv` is made by `days.py`: minute by minute over the IANA zones.
  @Test("a day begins and ends where the zone says")
  func intervals() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let table = try String(
      contentsOf: root.appendingPathComponent("fixtures/wearables/days.tsv"), encoding: .utf8)
    let rows = table.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(rows.count > 20)
    for row in rows {
      let calendar = LocalCalendar(try #require(TimeZone(identifier: row[0])))
      let day = try #require(LocalDay(row[1]))
      guard !row[2].isEmpty else {
        #expect(calendar.interval(of: day) == nil, "\(row)")
        #expect(calendar.start(of: day) == calendar.start(of: day.advanced(by: 1)), "\(row)")
        continue
      }
      let interval = try #require(calendar.interval(of: day), "\(row)")
      #expect(interval.start == (try moment(row[2])), "\(row)")
      #expect(interval.end == (try moment(row[3])).addingTimeInterval(1), "\(row)")
      for inside in [interval.start, interval.end.addingTimeInterval(-1)] {
        #expect(calendar.day(at: inside) == day, "\(row)")
      }
      #expect(calendar.day(at: interval.end) != day, "\(row)")
    }
  }
}

@Suite("Where a person was")
struct ZoneHistoryTests {
  private func history(_ stays: (String, String)...) throws -> ZoneHistory {
    var history = ZoneHistory()
    for (since, name) in stays {
      let zone = try #require(TimeZone(identifier: name))
      #expect(history.note(zone, at: try moment(since)))
    }
    return history
  }

  private func expect(
    _ history: ZoneHistory, _ day: LocalDay, _ start: String, _ end: String, _ zone: String
  ) throws {
    let window = try #require(history.window(of: day))
    #expect(window.interval.start == (try moment(start)), "\(day)")
    #expect(window.interval.end == (try moment(end)), "\(day)")
    #expect(window.timeZone == zone, "\(day)")
  }

  @Test("days before the first note and after it are days there")
  func atHome() throws {
    let history = try history(("2026-10-20T10:00:00Z", "Europe/Budapest"))
    let zone = "Europe/Budapest"
    try expect(history, "2026-10-01", "2026-09-30T22:00:00Z", "2026-10-01T22:00:00Z", zone)
    try expect(history, "2026-10-25", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", zone)
    #expect(history.day(at: try moment("2026-10-19T23:00:00Z")) == "2026-10-20")
    #expect(ZoneHistory().window(of: "2026-10-20") == nil)
  }

  @Test("flying west, the day of the flight is longer, and no other day changes")
  func west() throws {
    // Landed at 18:00 in Budapest on the 10th, which had begun in Tokyo.
    let history = try history(
      ("2026-10-01T00:00:00Z", "Asia/Tokyo"), ("2026-10-10T16:00:00Z", "Europe/Budapest"))
    let (tokyo, home) = ("Asia/Tokyo", "Europe/Budapest")
    try expect(history, "2026-10-09", "2026-10-08T15:00:00Z", "2026-10-09T15:00:00Z", tokyo)
    // The 11th had begun in Tokyo an hour before; it went back to the 10th, which ends once.
    try expect(history, "2026-10-10", "2026-10-09T15:00:00Z", "2026-10-10T22:00:00Z", home)
    try expect(history, "2026-10-11", "2026-10-10T22:00:00Z", "2026-10-11T22:00:00Z", home)
  }

  @Test("flying east over midnight, a day ends with the flight")
  func east() throws {
    // At 20:00 in Budapest on the 10th it is 03:00 in Tokyo on the 11th.
    let history = try history(
      ("2026-10-01T00:00:00Z", "Europe/Budapest"), ("2026-10-10T18:00:00Z", "Asia/Tokyo"))
    let (tokyo, home) = ("Asia/Tokyo", "Europe/Budapest")
    try expect(history, "2026-10-10", "2026-10-09T22:00:00Z", "2026-10-10T18:00:00Z", home)
    try expect(history, "2026-10-11", "2026-10-10T18:00:00Z", "2026-10-11T15:00:00Z", tokyo)
  }

  @Test("whatever a person's way, days follow each other without gap or overlap")
  func contiguous() throws {
    let names = ["Europe/Budapest", "Asia/Tokyo", "America/Santiago", "Pacific/Apia", "UTC"]
    var random = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0 ... .max, using: &random)
    var generator = SplitMix64(seed: seed)
    for _ in 0..<200 {
      var history = ZoneHistory()
      var now = try moment("2026-01-01T00:00:00Z")
      for _ in 0..<6 {
        now += Double.random(in: 3_600...900_000, using: &generator)
        _ = history.note(
          try #require(TimeZone(identifier: names.randomElement(using: &generator) ?? "")), at: now)
      }
      let first: LocalDay = "2025-12-28"
      let windows = (0..<90).compactMap { history.window(of: first.advanced(by: $0)) }
      for (window, next) in zip(windows, windows.dropFirst()) {
        #expect(window.interval.end == next.interval.start, "seed \(seed)")
      }
      let runs = WindowRun.runs(of: windows, countMaximum: 366)
      #expect(runs.flatMap(\.windows) == windows)
      #expect(
        runs.allSatisfy { run in
          run.end == run.start.addingTimeInterval(Double(run.bucketSeconds * run.windows.count))
        })
    }
  }

  @Test("days of one length are asked for together")
  func runs() throws {
    let history = try history(("2026-10-20T10:00:00Z", "Europe/Budapest"))
    let first: LocalDay = "2026-10-20"
    let windows = (0..<10).compactMap { history.window(of: first.advanced(by: $0)) }
    let runs = WindowRun.runs(of: windows, countMaximum: 366)
    #expect(runs.map(\.windows.count) == [5, 1, 4])
    #expect(runs.map(\.bucketSeconds) == [86_400, 90_000, 86_400])
    #expect(WindowRun.runs(of: windows, countMaximum: 3).map(\.windows.count) == [3, 2, 1, 3, 1])
  }
}
