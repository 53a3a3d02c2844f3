import Foundation
import Testing

@testable import KilnClient

@Suite("Stretches of time")
struct StretchesTests {
  private func sample(
    _ value: Int, _ from: String, _ to: String, _ source: HealthSource = FakeHealth.watch
  ) throws -> HealthSample {
    HealthSample(
      interval: DateInterval(
        start: try moment("2026-10-\(from):00Z"), end: try moment("2026-10-\(to):00Z")),
      value: value, source: source)
  }

  private func day(_ from: String, _ to: String) throws -> DateInterval {
    try sample(0, from, to).interval
  }

  @Test("a night belongs to the day on which it ends, before midnight and after")
  func waking() throws {
    let night = Stretches([
      try sample(0, "20T21:00", "21T06:00"), try sample(3, "20T21:30", "21T01:00"),
      try sample(2, "21T01:00", "21T01:30"), try sample(5, "21T01:30", "21T05:30"),
    ])
    let (before, after) = (try day("20T00:00", "21T00:00"), try day("21T00:00", "22T00:00"))
    #expect(night.asleep([1, 3, 4, 5], wakingIn: before).sources.isEmpty)
    #expect(night.asleep([1, 3, 4, 5], wakingIn: after).amount == 7.5 * 3_600)
    #expect(night.asleep([2], wakingIn: after).amount == 1_800)
    #expect(night.asleep([0], wakingIn: after).amount == 9 * 3_600)
    #expect(night.asleep([4], wakingIn: after).sources.isEmpty, "no data, not zero")
  }

  @Test("what two devices saw at once counts once")
  func union() throws {
    let night = Stretches([
      try sample(1, "21T00:00", "21T04:00", FakeHealth.phone),
      try sample(1, "21T02:00", "21T06:00"), try sample(1, "21T03:00", "21T03:30"),
    ])
    let tally = night.asleep([1], wakingIn: try day("21T00:00", "22T00:00"))
    #expect(tally.amount == 6 * 3_600)
    #expect(tally.sources == [FakeHealth.watch, FakeHealth.phone])
  }

  @Test("three hours awake end a night, less do not")
  func gap() throws {
    let day = try day("21T00:00", "22T00:00")
    let nap = try sample(1, "21T14:00", "21T15:00")
    let late = try sample(1, "21T23:00", "22T05:00")
    #expect(Stretches([nap, late]).asleep([1], wakingIn: day).amount == 3_600)
    let early = try sample(1, "21T17:59", "22T05:00")
    #expect(Stretches([nap, early]).asleep([1], wakingIn: day).sources.isEmpty)
  }

  @Test("what lasts longer than a day is no night and is cut at midnight")
  func endless() throws {
    let stretch = Stretches([try sample(1, "20T12:00", "21T13:00")])
    let before = stretch.asleep([1], wakingIn: try day("20T00:00", "21T00:00"))
    let after = stretch.asleep([1], wakingIn: try day("21T00:00", "22T00:00"))
    #expect(before.amount == 12 * 3_600)
    #expect(after.amount == 13 * 3_600)
  }

  @Test("other time is cut at midnight, and hours are counted where they begin")
  func others() throws {
    let day = try day("21T00:00", "22T00:00")
    let sessions = Stretches([
      try sample(0, "20T23:50", "21T00:10"), try sample(0, "21T10:00", "21T10:00"),
      try sample(1, "21T11:00", "21T12:00"), try sample(0, "21T23:55", "22T00:05"),
    ])
    #expect(sessions.covered([0], in: day).amount == 900)
    #expect(sessions.count([0], beginningIn: day).amount == 2)
    let twice = Stretches([
      try sample(0, "21T10:00", "21T11:00"),
      try sample(0, "21T10:00", "21T11:00", FakeHealth.phone),
    ])
    #expect(twice.count([0], beginningIn: day).amount == 1)
  }
}

@Suite("The metrics of a phone")
struct HealthMetricTests {
  /// A table of `spec`, as the server reads it.
  private func rows(_ name: String) throws -> [[String: String]] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appendingPathComponent("spec/tables/\(name).tsv"), encoding: .utf8)
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    let names = try #require(lines.first)
    return lines.dropFirst().map { Dictionary(zip(names, $0)) { first, _ in first } }
  }

  /// HealthKit's own texts of units, by what the server calls them.
  private let units: [String: String] = [
    "/min": "count/min", "/h": "count", "Cel": "degC", "mL/kg/min": "mL/(kg*min)", "[iU]": "IU",
    "kcal/(kg.h)": "kcal/(kg*hr)", "kg/m2": "count", "uS": "mcS", "dB[SPL]": "dBASPL", "ug": "mcg",
  ]

  @Test("each has the server's name, type, unit and way to a day's value")
  func agreeWithTheServer() throws {
    let served = Dictionary(
      uniqueKeysWithValues: try rows("metrics").map { ($0["metric"] ?? "", $0) })
    let types = try rows("wearable-types").filter { $0["origin"] == "apple-health" }
    for metric in HealthMetric.all {
      let row = try #require(served[metric.name], "\(metric.name)")
      #expect(
        types.contains {
          // Of a blood pressure each part has a type.
          $0["metric"] == (metric == .bloodPressure ? "blood_pressure_systolic" : metric.name)
            && $0["type"]?.split(separator: "#").first.map(String.init) == metric.type.identifier
        }, "\(metric.name) is not of \(metric.type.identifier)")
      let ucum = row["ucum"] ?? ""
      switch metric.reading {
      case .statistic(let statistic, let unit, let scale):
        #expect(row["aggregation"] == (statistic == .latest ? "last" : statistic.rawValue))
        let expected = units[ucum] ?? (ucum.hasPrefix("{") ? "count" : ucum)
        #expect(unit == expected || unit == "appleEffortScore", "\(metric.name)")
        #expect(scale == (ucum == "%" ? 100 : 1))
        if statistic == .average {
          #expect(row["minimum"] != "", "\(metric.name) has no extremes there")
        }
      case .duration(_, let unitSeconds, _):
        #expect(row["aggregation"] == "duration")
        #expect(["h": 3_600, "min": 60, "s": 1][ucum] == unitSeconds, "\(metric.name)")
      case .count: #expect(row["aggregation"] == "count")
      case .pressure(let diastolic, let unit):
        #expect(row["aggregation"] == "average" && unit == "mmHg")
        #expect(
          types.contains {
            $0["metric"] == "blood_pressure_diastolic" && $0["type"] == diastolic.identifier
          })
      case .worst(let order):
        #expect(row["aggregation"] == "maximum")
        #expect(try sets(of: metric, types).allSatisfy { $0 == order }, "\(metric.name)")
      case .last(let values):
        #expect(row["aggregation"] == "last")
        #expect(try sets(of: metric, types).allSatisfy { Set($0) == values }, "\(metric.name)")
      }
    }
    #expect(Set(HealthMetric.all.map(\.name)).count == HealthMetric.all.count)
  }

  /// The numbers of the values that the server knows of a category, from the least to the worst, for
  /// each of its sets.
  private func sets(of metric: HealthMetric, _ types: [[String: String]]) throws -> [[Int]] {
    let row = try #require(types.first { $0["metric"] == metric.name })
    let names = try #require(row["values"]).split(separator: ";").map(String.init)
    #expect(!names.isEmpty)
    let values = try rows("category-values")
    return names.map { name in
      values.filter { $0["set"] == name }.compactMap { Int($0["raw"] ?? "") }
    }
  }

  @Test("every type with a day's value is read, blood pressure as one")
  func complete() throws {
    let daily: Set = ["sum", "average", "last", "maximum", "duration", "count"]
    let served = Dictionary(
      uniqueKeysWithValues: try rows("metrics").map { ($0["metric"] ?? "", $0["aggregation"]) })
    let read = Set(HealthMetric.all.map(\.name))
    let missing = try rows("wearable-types").filter { row in
      let name = row["metric"] ?? ""
      let isQuantity = row["type"]?.hasPrefix("HKQuantityTypeIdentifier") ?? false
      let isCategory = row["type"]?.hasPrefix("HKCategoryTypeIdentifier") ?? false
      return row["origin"] == "apple-health" && (isQuantity || isCategory)
        && daily.contains(served[name].flatMap(\.self) ?? "") && !read.contains(name)
    }.map { $0["metric"] ?? "" }
    #expect(Set(missing) == ["blood_pressure_systolic", "blood_pressure_diastolic"])
  }

  @Test("numbers keep nine digits")
  func rounding() {
    func rounded(_ value: Double) -> Double { DailyValue.Numbers(value).rounded.value }
    #expect(rounded(71.48372093023256) == 71.4837209)
    #expect(rounded(0.1 + 0.2) == 0.3)
    #expect(rounded(-1234567891.4) == -1_234_567_890)
    #expect(rounded(0) == 0)
    #expect(rounded(97.00000000000001) == 97)
    #expect(rounded(8342) == 8342)
    #expect(rounded(1e-9) == 1e-9)
  }
}
