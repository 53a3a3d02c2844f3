import FHIRModel
import SeededNumbers
import Testing

@testable import Wearables

@Suite("Kept samples")
struct SampleChunkTests {
  private let sources = [
    watch, phone, app, Source(name: "An app", identifier: "a.b", kind: .other),
  ]
  private let zones = ["", "Asia/Tokyo", "+05:45"]
  private let day: Int32 = 19_792

  private func row(_ draw: inout SplitMix64, wholeSeconds: Bool) -> SampleChunk.Row {
    let tick: Int64 = wholeSeconds ? 1_000 : 1
    let begin = Int64(day) * 86_400_000 / tick
    let start = begin + .random(in: 0..<86_400_000 / tick, using: &draw)
    let end = start + .random(in: 0...4, using: &draw) * .random(in: 0...900, using: &draw)
    let told = end + .random(in: -50...5_000, using: &draw)
    let values: [Double] = [
      0, -0.0, 72, 97.5, 0.1 + 0.2, 1 / 3, -36.6, Double.leastNonzeroMagnitude, 1e300, 123_456.789,
      1e15, 1e14 + 0.5,
    ]
    return SampleChunk.Row(
      start: start * tick, end: end * tick,
      modified: Bool.random(using: &draw) ? 0 : told * tick,
      value: values.randomElement(using: &draw) ?? 0, source: .random(in: 0..<4, using: &draw),
      zone: .random(in: 0..<3, using: &draw), isManual: .random(using: &draw))
  }

  private func chunk(_ rows: [SampleChunk.Row]) -> SampleChunk {
    SampleChunk(metric: "steps", day: day, sources: sources, zones: zones, rows: rows)
  }

  @Test("are read as they were written, to the last bit", arguments: [true, false])
  func exact(wholeSeconds: Bool) throws {
    var draw = SplitMix64(seed: 11)
    let rows = (0..<1_000).map { _ in row(&draw, wholeSeconds: wholeSeconds) }
    let chunk = chunk(rows)
    let read = try SampleChunk(metric: "steps", day: day, bytes: chunk.bytes.span)
    #expect(read == chunk)
    #expect(read.rows.map(\.value.bitPattern) == chunk.rows.map(\.value.bitPattern))
    #expect(Set(read.sources) == Set(sources))
  }

  @Test("take few bytes each")
  func compact() {
    var rows: [SampleChunk.Row] = []
    for minute in 0..<1_440 {
      let start = Int64(day) * 86_400_000 + Int64(minute) * 60_000
      rows.append(
        SampleChunk.Row(
          start: start, end: start, modified: start + 5_000, value: 60 + Double(minute % 40),
          source: 0, zone: 0, isManual: false))
    }
    #expect(chunk(rows).bytes.count < 1_440 * 8)
  }

  @Test("are the same bytes in whatever order and by however many imports they came")
  func merging() throws {
    var draw = SplitMix64(seed: 5)
    for _ in 0..<20 {
      var rows = (0..<200).map { _ in row(&draw, wholeSeconds: true) }
      rows += rows.prefix(20)
      let whole = chunk(rows)
      #expect(chunk(rows.shuffled(using: &draw)) == whole)
      #expect(whole.merged(with: whole) == whole)
      let first = chunk(Array(whole.rows.prefix(120)))
      let second = chunk(Array(rows.suffix(150)))
      let merged = first.merged(with: second)
      #expect(merged == second.merged(with: first))
      #expect(merged.merged(with: second) == merged)
      #expect(merged.bytes == second.merged(with: first).bytes)
    }
  }

  @Test("hold a reading once with what was changed last, and twice what one import has twice")
  func repeated() {
    let start = Int64(day) * 86_400_000
    func row(modified: Int64, zone: Int = 0) -> SampleChunk.Row {
      SampleChunk.Row(
        start: start, end: start, modified: modified, value: 1, source: 0, zone: zone,
        isManual: false)
    }
    let old = chunk([row(modified: 1_000)])
    let new = chunk([row(modified: 2_000, zone: 1)])
    #expect(old.merged(with: new) == new)
    let two = chunk([row(modified: 1_000), row(modified: 1_000)])
    #expect(old.merged(with: two) == two)
    #expect(two.merged(with: two).count == 2)
  }

  @Test("that are damaged are refused")
  func damage() throws {
    var draw = SplitMix64(seed: 3)
    let bytes = chunk((0..<40).map { _ in row(&draw, wholeSeconds: true) }).bytes
    for count in bytes.indices {
      #expect(throws: SampleChunk.Unreadable.self) {
        try SampleChunk(metric: "steps", day: day, bytes: bytes.span.extracting(0..<count))
      }
    }
    for _ in 0..<1_000 {
      var damaged = bytes
      damaged[.random(in: damaged.indices, using: &draw)] = .random(in: 0...255, using: &draw)
      _ = try? SampleChunk(metric: "steps", day: day, bytes: damaged.span)
    }
  }
}

@Suite("Kept samples, counted again")
struct RecountTests {
  /// Keeps what an engine gives it.
  private final class Box {
    var chunks: [SampleChunk] = []
    var rule = ""
    var shelf: SampleShelf {
      SampleShelf(keep: { self.chunks += $0 }, keepRule: { self.rule = $0 })
    }
  }

  private func filled(_ box: Box, withoutManual: Bool = false) throws -> DayBench {
    var bench = try DayBench(
      "Europe/Budapest", "2024-06-01=Asia/Tokyo", priority: .byKind(first: ["An app"]),
      withoutManual: withoutManual)
    bench.engine.shelf = box.shelf
    try bench.add("steps", phone, "2024-03-10T22:30Z", "2024-03-10T23:30Z", 100.25)
    try bench.add("steps", phone, "2024-03-10T22:30Z", "2024-03-10T23:30Z", 100.25)
    try bench.add("steps", app, "2024-03-10T22:00Z", "2024-03-10T22:45Z", 30)
    try bench.add("steps", watch, "2024-07-01T08:00Z", nil, 5, isManual: true)
    try bench.add("heart_rate", watch, "2024-07-01T15:00Z", nil, 1 / 3 + 60, zone: "Asia/Kathmandu")
    try bench.add("heart_rate", watch, "2024-07-01T15:00Z", nil, 100_000)
    try bench.add("sleep_duration", watch, "2024-07-01T15:00Z", "2024-07-01T20:00Z")
    return bench
  }

  private func recount(_ box: Box, _ change: (inout SampleRule) -> Void = { _ in }) throws -> (
    [DayValue], DayEngine.Counts
  ) {
    var rule = try SampleRule(parsing: box.rule, .shared)
    change(&rule)
    var engine = DayEngine(rule)
    for chunk in box.chunks.shuffled() {
      let read = try SampleChunk(
        metric: chunk.metric, day: chunk.day, bytes: chunk.bytes.span)
      #expect(try engine.add(read, metrics: .shared) == 0)
    }
    var values: [DayValue] = []
    try engine.finish { values.append($0) }
    return (values, engine.counts)
  }

  private func texts(_ values: [DayValue]) -> [String] {
    values.map { "\($0.metric) \($0.day.text) \($0.value) \($0.sampleCount) \($0.manualCount)" }
  }

  @Test("give the same values")
  func same() throws {
    let box = Box()
    var bench = try filled(box)
    let values = try bench.values()
    let (again, counts) = try recount(box)
    #expect(texts(again) == texts(values))
    #expect(values.count == 5)
    #expect(counts == bench.engine.counts)
    #expect(counts.outsideRange == 1)
    #expect(counts.repeated == 1)
  }

  @Test("give other values by another rule, also of what the first one left out")
  func otherRule() throws {
    let box = Box()
    var bench = try filled(box, withoutManual: true)
    #expect(try bench.values().count == 4)
    let (again, _) = try recount(box) {
      $0.withoutManual = false
      $0.priority = .byKind()
    }
    #expect(
      texts(again).filter { $0.hasPrefix("\(MetricTable.shared["steps"]?.position ?? -1) ") }.count
        == 3)
  }

  @Test("that begin on a day give no value of an earlier one, and withdraw none")
  func since() throws {
    let box = Box()
    var bench = try filled(box)
    _ = try bench.values()
    var rule = try SampleRule(parsing: box.rule, .shared)
    rule.since = LocalDay("2024-07-01")
    rule = try SampleRule(parsing: rule.text(.shared), .shared)
    #expect(rule.since == LocalDay("2024-07-01"))
    var performed: [Interaction] = []
    var recount = SampleRecount(
      for: try #require(ResourceID("Patient/synthetic-1")), .appleHealth, by: rule,
      now: try Instant("2026-11-30T12:00:00Z"),
      perform: { batch in
        performed += batch.interactions
        return batch.interactions.map { _ in .success(.deleted(nil)) }
      })
    for chunk in box.chunks { try recount.add(chunk) }
    let report = try recount.finish { _ in true }
    #expect(report.days == 3)
    let queries = performed.map {
      switch $0 {
      case .conditionalUpdate(_, let query, _), .conditionalDelete(let query): "\(query)"
      default: ""
      }
    }
    #expect(queries.count > 3)
    #expect(!queries.contains { $0.contains("2024-03-") })
  }

  @Test("added to others, are all there from the earlier of both days on")
  func sinceOfSeveral() throws {
    func text(_ since: String?, addedTo kept: String?) throws -> LocalDay? {
      func rule(_ since: String?) throws -> String {
        SampleRule(
          home: try HomeZone(parsing: ["UTC"]), since: since.flatMap { LocalDay($0) }
        ).text(.shared)
      }
      let text = try SampleRule.text(
        of: try rule(since), addedTo: kept == "none" ? nil : try rule(kept), .shared)
      return try SampleRule(parsing: text, .shared).since
    }
    #expect(try text("2024-02-01", addedTo: "none") == LocalDay("2024-02-01"))
    #expect(try text("2024-02-01", addedTo: "2024-03-01") == LocalDay("2024-02-01"))
    #expect(try text("2024-03-01", addedTo: "2024-02-01") == LocalDay("2024-02-01"))
    #expect(try text("2024-03-01", addedTo: nil) == nil)
    #expect(try text(nil, addedTo: "2024-02-01") == nil)
  }

  @Test("keep lists of sources by metric")
  func lists() throws {
    let steps = UInt16(try #require(MetricTable.shared["steps"]).position)
    let energy = UInt16(try #require(MetricTable.shared["active_energy"]).position)
    let rule = SampleRule(
      home: try HomeZone(parsing: ["UTC"]),
      priority: .listed([steps: ["b", "a"], energy: []], addingUp: [energy]), withoutManual: true,
      madeAt: 1_792_911_600)
    let read = try SampleRule(parsing: rule.text(.shared), .shared)
    #expect(read.priority == rule.priority)
    #expect(read.withoutManual)
    #expect(read.madeAt == 1_792_911_600)
    var later = rule
    later.madeAt = 1_792_911_601
    for (text, kept) in [(rule, later), (later, rule)] {
      let both = try SampleRule.text(of: text.text(.shared), addedTo: kept.text(.shared), .shared)
      #expect(try SampleRule(parsing: both, .shared).madeAt == 1_792_911_601)
    }
    #expect(throws: SampleRule.Unreadable.self) { try SampleRule(parsing: "mood\tbad\n", .shared) }
  }
}
