import FHIRModel
import SeededNumbers
import Testing

@testable import Wearables

/// An export of Apple Health is read, whatever is wrong with it. `fixtures/apple-health` holds one with
/// every fault, and what a second program reads in it.
struct AppleHealthTests {
  private func row(_ sample: Sample, _ engine: DayEngine) -> String {
    let metric = MetricTable.shared.metrics[Int(sample.metric)]
    let source = engine.sources[sample.source]
    let isDuration = metric.aggregation == .duration
    let cells = [
      metric.name, source.name, "\(source.kind)", engine.zones.names[Int(sample.zone)],
      sample.isManual ? "1" : "0", "\(sample.start)", "\(sample.end)",
      isDuration ? "" : Self.nineDigits(sample.value),
    ]
    return cells.joined(separator: "\t")
  }

  /// As `%.9g` writes it.
  private static func nineDigits(_ value: Double) -> String {
    var scale = 1.0
    while abs(value) * scale < 1e8 { scale *= 10 }
    let rounded = (value * scale).rounded() / scale
    return rounded == rounded.rounded() ? "\(Int64(rounded))" : "\(rounded)"
  }

  @Test("the samples are those that a second program reads", arguments: [1, 7, 64, 1_000_000])
  func samples(chunkByteCount: Int) throws {
    let (reading, samples) = try AppleReading.read(
      try Fixture.bytes(AppleReading.document), chunkByteCount: chunkByteCount)
    let expected = try Fixture.lines("fixtures/apple-health/samples.tsv").dropFirst()
    // A Latin capital comes before a small letter for both programs.
    let rows = samples.map { row($0, reading.engine) }.sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    #expect(rows == Array(expected))
  }

  @Test("everything that is left out is counted by its reason")
  func report() throws {
    let (reading, _) = try AppleReading.read(try Fixture.bytes(AppleReading.document))
    let report = reading.report
    #expect(
      report.skipped.mapValues(\.count) == [
        .badDate: 3, .reversed: 1, .noValue: 1, .badNumber: 1, .outsideRange: 1,
        .outsideCalendar: 1, .unknownUnit: 1, .unknownType: 1, .unknownValue: 1, .notAValue: 1,
        .notCounted: 1,
      ])
    #expect(report.leftOut.mapValues(\.count) == [.noMapping: 1])
    #expect(report.recordsRead == 39)
    #expect(report.events == .init(read: 3, taken: 3))
    #expect(report.workouts == .init(read: 2, taken: 2))
    #expect(report.correlations == 2)
    #expect(report.exportDate == "2026-11-02 10:00:00 +0100")
    #expect(report.locale == "hu_HU")
    #expect(report.replacedByteCount == 2)
    #expect(report.endedAt == nil)
    #expect(report.unknown["unit “stone?” of HKQuantityTypeIdentifierBodyMass"] == 1)
  }

  @Test("every record of an export is used, merged or skipped, and each counts once")
  func accounts() throws {
    func record(_ type: String, _ hour: Int, _ rest: String) -> String {
      """
      <Record type="HK\(type)" sourceName="P" startDate="2026-10-21 0\(hour):00:00 +0000" \
      endDate="2026-10-21 0\(hour):30:00 +0000" \(rest)/>
      """
    }
    func sleep(_ stage: String) -> String {
      record(
        "CategoryTypeIdentifierSleepAnalysis", 1, "value=\"HKCategoryValueSleepAnalysis\(stage)\"")
    }
    let steps = record("QuantityTypeIdentifierStepCount", 5, "unit=\"count\" value=\"10\"")
    let alert = record(
      "CategoryTypeIdentifierHighHeartRateEvent", 6, "value=\"HKCategoryValueNotApplicable\"")
    let records = [
      steps, steps, steps, alert, alert, sleep("AsleepCore"), sleep("AsleepCore"),
      sleep("AsleepREM"), sleep("Asleep"), sleep("Dreaming"),
      record("QuantityTypeIdentifierStepCount", 7, "unit=\"count\" value=\"many\""),
    ]
    let text = "<HealthData>\(records.joined())<Unheard/>" + records[0].dropLast(2)
    var (reading, _) = try AppleReading.read(Array(text.utf8))
    try reading.engine.finish { _ in }
    let report = reading.finishedReport()
    #expect(report.recordsRead == 11)
    #expect(report.recordsUsed == 5)
    #expect(report.recordsMerged == 4)
    #expect(report.recordsSkipped == 2)
    #expect(report.lines.contains("records: 11 read, 5 used, 4 merged, 2 skipped"))
    var json = JSONWriter(reservingByteCount: 1_000)
    json.object { report.write(to: &$0) }
    let root = try JSONDocument(parsing: json.bytes).root
    #expect(
      ["read", "used", "merged", "skipped"].map { root["records"]?[$0]?.numberText }
        == ["11", "5", "4", "2"])
    let reasons = root["skipped"]?.elements.map { $0["count"]?.numberText } ?? []
    #expect(reasons == ["1", "1"])
  }

  @Test("a name in the order of sources that no record has is told, with those that are there")
  func strangers() throws {
    let text = """
      <HealthData><Record type="HKQuantityTypeIdentifierStepCount" sourceName="Ann’s Apple\u{A0}Watch" \
      unit="count" value="1" startDate="2026-10-21 10:00:00 +0000" endDate="2026-10-21 10:30:00 +0000"/>\
      </HealthData>
      """
    func notices(_ names: String...) throws -> [String] {
      var options = try AppleReading.options()
      options.sourcePriority = names
      var (reading, _) = try AppleReading.read(Array(text.utf8), options)
      return reading.finishedReport().notices
    }
    #expect(try notices() == [])
    #expect(try notices("ann's apple watch", "Watch") == [])
    let told = try notices("Ann's Wach", "Watch", "iPhone")
    #expect(told.count == 2)
    #expect(told.first?.contains("“Ann's Wach”") == true)
    #expect(told.last?.contains("“iPhone”") == true)
    #expect(told.allSatisfy { $0.hasSuffix("Ann's Apple Watch") })
  }

  @Test("a lost end takes nothing with it of what comes after")
  func lostEnds() throws {
    func record(_ hour: Int, _ end: String = "/>") -> String {
      """
      <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" value="\(hour)" \
      startDate="2026-10-21 \(10 + hour):00:00 +0000" endDate="2026-10-21 \(10 + hour):30:00 +0000"\(end)
      """
    }
    let dates =
      #"sourceName="P" startDate="2026-10-21 08:00:00 +0000" endDate="2026-10-21 08:30:00 +0000""#
    let workout = #"<Workout workoutActivityType="HKWorkoutActivityTypeRunning" \#(dates)"#
    let meal = #"<Correlation type="HKCorrelationTypeIdentifierFood" \#(dates)"#
    let zone = #"<MetadataEntry key="HKTimeZone" value="Asia/Tokyo""#
    let cases: [([String], records: Int, events: Int)] = [
      ([record(1, ">"), record(2), record(3)], 3, 0),
      ([record(1, ">"), zone, ">", record(2), workout, "/>", record(3)], 3, 1),
      ([workout, ">", record(1), meal, "/>", workout, "/>", record(2)], 2, 3),
      ([workout, ">", record(1, ">"), meal, "/>", record(2)], 2, 2),
      ([meal, ">", record(1, ">"), record(2), "</Correlation>", workout, "/>", record(3)], 3, 2),
      ([record(1, "></Record></Record>"), record(2), "</HealthData>", record(3)], 3, 0),
    ]
    for (parts, records, events) in cases {
      let text = "<HealthData>\(parts.joined())</HealthData>"
      let (reading, samples) = try AppleReading.read(Array(text.utf8))
      #expect(samples.map(\.value) == (1...records).map(Double.init), "\(text)")
      #expect(reading.report.recordsRead == records && reading.report.recordsUsed == records)
      #expect(reading.pending.count == events, "\(text)")
    }
  }

  @Test("what can't be read on gives what was whole before, and where that is")
  func nesting() throws {
    let record = """
      <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" value="1" \
      startDate="2026-10-21 10:00:00 +0000" endDate="2026-10-21 10:30:00 +0000"/>
      """
    let before = "<HealthData>" + record
    let deep = String(repeating: "<a>", count: 2_000)
    for middle in [deep, record.dropLast(2) + ">" + deep, "<Workout>" + deep] {
      let (reading, samples) = try AppleReading.read(Array((before + middle + record).utf8))
      #expect(samples.count == 1 && reading.report.recordsRead == 1)
      #expect(reading.report.endedBecause == "elements are nested more than 1000 deep")
      let end = try #require(reading.report.endedAt)
      #expect(before.utf8.count < end && end < before.utf8.count + 5_000)
    }
  }

  @Test("a document that was cut anywhere gives what was whole, and where it ended")
  func truncation() throws {
    let bytes = try Fixture.bytes(AppleReading.document)
    let whole = try AppleReading.read(bytes).samples
    let root = try #require(bytes.firstRange(of: Array("<HealthData".utf8)))
    for cut in stride(from: root.upperBound + 20, to: bytes.count - 20, by: 61) {
      let (reading, samples) = try AppleReading.read(Array(bytes[..<cut]))
      #expect(samples == Array(whole.prefix(samples.count)), "cut at \(cut)")
      #expect(reading.report.endedAt == cut)
    }
  }

  @Test("the night is of another zone's day where the dates' offset is trusted")
  func trustedOffsets() throws {
    var options = try AppleReading.options()
    options.trustsOffsets = true
    let text = """
      <HealthData><Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" \
      startDate="2024-01-15 23:00:00 -0800" endDate="2024-01-15 23:10:00 -0800" value="111"/>\
      <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" \
      startDate="2024-01-16 01:30:00 +0900" endDate="2024-01-16 01:40:00 +0900" value="222"/>\
      </HealthData>
      """
    var (reading, _) = try AppleReading.read(Array(text.utf8), options)
    var days: [String] = []
    try reading.engine.finish { days.append("\($0.day.text) \(decimalText($0.value))") }
    #expect(days == ["2024-01-15 111", "2024-01-16 222"])
  }

  @Test("nothing that a document holds stops the reading")
  func noise() throws {
    let good = try Fixture.bytes(AppleReading.document)
    let root = try #require(good.firstRange(of: Array("<HealthData".utf8)))
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix64(seed: seed)
    for _ in 0..<150 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        // Before the root stands the encoding, and another than UTF-8 is refused by its name.
        let place = Int.random(in: root.lowerBound..<bytes.count, using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 9))
        case 2: bytes.insert(contentsOf: bytes[place...].prefix(200), at: place)
        default:
          bytes[place] = Array("0123456789-:<>\"'&;= /".utf8).randomElement(using: &random) ?? 0
        }
      }
      var (reading, samples) = try AppleReading.read(bytes)
      try reading.engine.finish { _ in }
      let report = reading.finishedReport()
      let sum = report.recordsUsed + report.recordsMerged + report.recordsSkipped
      #expect(report.recordsRead == sum && report.recordsUsed >= 0, "seed \(seed)")
      #expect(samples.allSatisfy { $0.value.isFinite }, "seed \(seed)")
    }
  }
}
