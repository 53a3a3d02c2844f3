import FHIRModel
import Testing

@testable import Wearables

/// Milliseconds since 1970 of `2024-03-10T08:00:00Z`.
func instant(_ text: String) throws -> Int64 {
  let parts = text.split { "TZ:".contains($0) }
  let day = try #require(LocalDay(String(parts[0])))
  let numbers = try parts.dropFirst().map { try #require(Int64($0)) }
  return Int64(day.number) * 86_400_000
    + zip(numbers, [3_600_000, 60_000, 1_000]).reduce(0) { $0 + $1.0 * $1.1 }
}

/// An engine with the words of a test.
struct DayBench {
  var engine: DayEngine

  init(
    _ home: String..., priority: SourcePriority = .byKind(), withoutManual: Bool = false
  ) throws {
    engine = DayEngine(
      home: try HomeZone(parsing: home), priority: priority, withoutManual: withoutManual)
  }

  mutating func add(
    _ metric: String, _ source: Source, _ start: String, _ end: String? = nil, _ value: Double = 0,
    zone: String? = nil, isManual: Bool = false, modified: Int64 = 0
  ) throws {
    let known = engine.sources.position(of: source)
    let named = zone.map { engine.zones.position(named: $0) } ?? 0
    try engine.add(
      Sample(
        metric: try #require(position(of: metric)), source: try #require(known),
        zone: try #require(named),
        isManual: isManual, start: try instant(start), end: try instant(end ?? start),
        modified: modified, value: value))
  }

  private func position(of metric: String) -> UInt16? {
    MetricTable.shared.metrics.firstIndex { $0.name == metric }.map { UInt16($0) }
  }

  mutating func values() throws -> [DayValue] {
    var values: [DayValue] = []
    try engine.finish { values.append($0) }
    return values
  }

  /// `2024-03-10 300` a line.
  mutating func days() throws -> [String] {
    try values().map { "\($0.day.text) \(try #require(DecimalText($0.value)).text)" }
  }
}

let watch = Source(name: "A watch", kind: .watch)
let phone = Source(name: "A phone", kind: .phone)
let app = Source(name: "An app", kind: .other)

@Suite("Day values across sources")
struct DaySumTests {
  @Test("a watch counts before a phone, which fills what the watch leaves open")
  func overlap() throws {
    var bench = try DayBench("UTC")
    try bench.add("steps", phone, "2024-03-10T08:00Z", "2024-03-10T09:00Z", 600)
    try bench.add("steps", watch, "2024-03-10T08:30Z", "2024-03-10T08:45Z", 100)
    try bench.add("steps", app, "2024-03-10T08:50Z", "2024-03-10T09:30Z", 400)
    // 30 + 15 minutes of the phone, the watch, then the app's last 30 of 40 minutes
    #expect(try bench.days() == ["2024-03-10 850"])
  }

  @Test("a sample over midnight is spread over its days, in its own zone or at home")
  func midnight() throws {
    var bench = try DayBench("Europe/Budapest")
    try bench.add("steps", phone, "2024-03-10T22:30Z", "2024-03-10T23:30Z", 100)
    try bench.add(
      "steps", phone, "2024-05-01T14:00Z", "2024-05-01T16:00Z", 100, zone: "Asia/Tokyo")
    #expect(
      try bench.days() == [
        "2024-03-10 50", "2024-03-11 50", "2024-05-01 50", "2024-05-02 50",
      ])
  }

  @Test("all that is eaten or injected counts, also at one instant and beside what lasts")
  func intake() throws {
    var bench = try DayBench("UTC")
    for value in [10.0, 5, 5] {
      try bench.add("dietary_protein", app, "2024-03-10T08:00Z", nil, value)
    }
    try bench.add("dietary_protein", phone, "2024-03-10T08:00Z", nil, 1)
    try bench.add("insulin_delivery", app, "2024-03-10T22:00Z", "2024-03-11T02:00Z", 4, modified: 9)
    try bench.add("insulin_delivery", app, "2024-03-10T23:00Z", nil, 6, modified: 1)
    // The two that are the same are one reading, of which the export tells twice.
    #expect(try bench.days() == ["2024-03-10 8", "2024-03-11 2", "2024-03-10 16"])
  }

  @Test("an instant counts once, unless a better source is open then")
  func instants() throws {
    var bench = try DayBench("UTC")
    try bench.add("steps", app, "2024-03-10T08:00Z", nil, 5)
    try bench.add("steps", app, "2024-03-10T08:00Z", nil, 5)
    try bench.add("steps", app, "2024-03-10T08:00Z", nil, 7)
    try bench.add("steps", app, "2024-03-10T10:00Z", nil, 11)
    try bench.add("steps", watch, "2024-03-10T09:00Z", "2024-03-10T10:00Z", 100)
    #expect(try bench.days() == ["2024-03-10 107"])
    #expect(bench.engine.counts.repeated == 1)
  }
}

@Suite("Sources of day values")
struct DaySourceTests {
  private func sum(first: [String]) throws -> [String] {
    var bench = try DayBench("UTC", priority: .byKind(first: first))
    try bench.add("steps", phone, "2024-03-10T08:00Z", "2024-03-10T09:00Z", 1)
    try bench.add("steps", watch, "2024-03-10T08:00Z", "2024-03-10T09:00Z", 10)
    try bench.add("steps", app, "2024-03-10T08:00Z", "2024-03-10T09:00Z", 100)
    return try bench.days()
  }

  @Test("come first as they are named, or as all of their kind, however they are written")
  func named() throws {
    #expect(try sum(first: []) == ["2024-03-10 10"])
    #expect(try sum(first: ["AN  APP"]) == ["2024-03-10 100"])
    #expect(try sum(first: ["iPhone", "Watch"]) == ["2024-03-10 1"])
    #expect(try sum(first: ["A watch", "iPhone"]) == ["2024-03-10 10"])
    #expect(try sum(first: ["nothing of the kind"]) == ["2024-03-10 10"])
  }

  @Test("may have any number of samples open at a time, of which only so many are held")
  func crowd() throws {
    var bench = try DayBench("UTC")
    let metric = UInt16(try #require(MetricTable.shared["steps"]).position)
    let known = bench.engine.sources.position(of: app)
    let source = try #require(known)
    let start = try instant("2024-03-10T00:00Z")
    // Each begins later, was changed earlier and ends later than the one before.
    let count: Int64 = 66_000
    for number in 0..<count {
      try bench.engine.add(
        Sample(
          metric: metric, source: source, start: start + number, end: start + count + number,
          modified: start - number, value: 1))
    }
    let values = try bench.values()
    #expect(bench.engine.counts.crowded == 66_000 - 65_536)
    // The first counts as a whole, of each other its last millisecond.
    let expected = 1 + 65_535 / Double(count)
    #expect(values.count == 1)
    #expect(abs(values[0].value - expected) < 1e-8)
  }

  @Test("give no value that is no number")
  func overflow() throws {
    var bench = try DayBench("UTC")
    let metric = try #require(
      MetricTable.shared.metrics.first {
        $0.aggregation == .sum && $0.range.upperBound == .infinity
      })
    for hour in 1...3 {
      try bench.add(
        metric.name, watch, "2024-03-10T0\(hour):00Z", "2024-03-10T0\(hour):30Z",
        .greatestFiniteMagnitude)
    }
    let value = try #require(try bench.values().first)
    #expect(!value.value.isFinite)
    let writer = DayWriter(
      for: try #require(ResourceID("Patient/a")), origin: .appleHealth, source: .appleHealth,
      engine: bench.engine, now: Instant(second: 1_794_736_800))
    #expect(throws: DailyValues.Refusal.self) { try writer.interaction(for: value) }
  }
}

@Suite("Nights")
struct NightTests {
  @Test("belong to the day of waking, each stage as the time that is covered")
  func waking() throws {
    var bench = try DayBench("Europe/Budapest")
    try bench.add("sleep_duration", watch, "2024-03-09T21:00Z", "2024-03-09T22:30Z")
    try bench.add("sleep_duration", phone, "2024-03-09T22:00Z", "2024-03-09T22:45Z")
    try bench.add("sleep_duration", watch, "2024-03-10T00:00Z", "2024-03-10T05:00Z")
    #expect(try bench.days() == ["2024-03-10 6.75"])
  }

  /// The nights of stretches, each stretch compared with each.
  private func nights(of stretches: [Range<Int64>]) -> [Range<Int64>] {
    stretches.reduce(into: []) { nights, stretch in
      let near = nights.filter {
        $0.lowerBound < stretch.upperBound + Nights.gap
          && stretch.lowerBound < $0.upperBound + Nights.gap
      }
      nights.removeAll { near.contains($0) }
      let all = near + [stretch]
      let start = all.reduce(stretch.lowerBound) { min($0, $1.lowerBound) }
      nights.append(start..<all.reduce(stretch.upperBound) { max($0, $1.upperBound) })
    }
  }

  @Test("are the same in whatever order their stretches come")
  func order() {
    let minute: Int64 = 60_000
    for count in [1, 2, 40, 300] {
      let stretches = (0..<count).map { _ in
        let start = Int64.random(in: 0...(Int64(count) * 240)) * minute
        return start..<(start + Int64.random(in: 0...90) * minute)
      }
      var made = Nights()
      for stretch in stretches {
        made.add(start: stretch.lowerBound, end: stretch.upperBound, zone: 0)
      }
      made.settle()
      for night in nights(of: stretches) {
        let waking = made.waking(after: night.lowerBound)?.end
        let isNight = night.upperBound - night.lowerBound <= Nights.longest
        #expect(waking == (isNight ? night.upperBound : nil), "\(stretches)")
      }
    }
  }

  @Test("may be as many as fit into the calendar, backwards or in any order", arguments: [0, 1])
  func many(order: Int) {
    // If each moved all that are there, it would be days until this ends.
    let count: Int64 = 800_000
    let step = Nights.gap + 60_000
    var made = Nights()
    for number in 0..<count {
      // A prime number steps through all of them.
      let place = order == 0 ? count - number : number * 479_909 % count
      made.add(start: place * step, end: place * step + 60_000, zone: 0)
    }
    made.settle()
    for place in stride(from: Int64(1), to: count, by: 9_973) {
      #expect(made.waking(after: place * step)?.end == place * step + 60_000)
    }
  }
}
