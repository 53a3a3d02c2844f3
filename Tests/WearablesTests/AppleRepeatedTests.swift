import Archive
import SeededNumbers
import Testing

@testable import Wearables

/// Records that repeat others are read by comparing them.
@Suite("Records that others repeat")
struct AppleRepeatedTests {
  private static let types = [
    ("HKQuantityTypeIdentifierStepCount", "count"),
    ("HKQuantityTypeIdentifierHeartRate", "count/min"),
    ("HKQuantityTypeIdentifierBodyMass", "lb"), ("HKQuantityTypeIdentifierBodyMass", "furlong"),
    ("HKQuantityTypeIdentifierNothingKnown", "count"),
    ("HKCategoryTypeIdentifierSleepAnalysis", nil),
  ]
  private static let devices = [
    "", #" device="&lt;&lt;HKDevice: 0x%&gt;, name:A watch, model:W7,5&gt;""#,
    #" device="&lt;&lt;HKDevice: 0x%&gt;, name:A phone &amp; more&gt;""#, #" device="%""#,
    #" device="&unknown; &#7;%""#,
  ]
  private static let inner = [
    "/>", "/>", "/>", ">\n </Record>",
    ">\n  <MetadataEntry key=\"HKMetadataKeyHeartRateMotionContext\" value=\"1\"/>\n </Record>",
    ">\n  <MetadataEntry key=\"HKWasUserEntered\" value=\"1\"/>\n </Record>",
    ">\n  <MetadataEntry key=\"HKExternalUUID\" value=\"%\"/>\n </Record>",
    ">\n  <MetadataEntry value=\"%\" key=\"HKWasUserEntered\"/>\n </Record>",
    ">\n  <MetadataEntry key=\"a\" key=\"HKWasUserEntered\" value=\"%\"/>\n </Record>",
    ">\n  <MetadataEntry key=\"HKWasUserEntered\" key=\"a\" value=\"%\"/>\n </Record>",
    ">\n  <MetadataEntry key=\"HKTimeZone\" value=\"Asia/Tokyo\"/>\n </Record>",
    "><HeartRateVariabilityMetadataList/></Record>", ">", "><Other a='1'/></Record>",
    "><HeartRateVariabilityMetadataList><InstantaneousBeatsPerMinute bpm=\"%7\" time=\"8:00:01.5\"/>"
      + "</HeartRateVariabilityMetadataList></Record>",
  ]
  private static let values = ["7", "70.5", "1e3", "-1", "seven", "", "&lt;"]

  /// A document of records of some kinds, and now and then one of another; a few stand in something else.
  private func document(_ draw: inout SplitMix64) -> String {
    let kinds = (0..<(Bool.random(using: &draw) ? 3 : 12)).map { _ in kind(&draw) }
    var text = "<?xml version=\"1.0\"?>\n<HealthData>"
    for number in 0..<Int.random(in: 1...120, using: &draw) {
      let kind =
        Int.random(in: 0..<10, using: &draw) > 0
        ? kinds[Int.random(in: 0..<kinds.count, using: &draw)] : self.kind(&draw)
      let record = record(kind, number, &draw)
      let isInside = Int.random(in: 0..<15, using: &draw) == 0
      text += isInside ? "\n <Correlation type=\"a\">\(record)</Correlation>" : record
    }
    return text + (Bool.random(using: &draw) ? "\n</HealthData>" : "")
  }

  private struct Kind {
    var type: (String, String?)
    var source: Int
    var device: String
    var inner: String
  }

  private func kind(_ draw: inout SplitMix64) -> Kind {
    func one<Value>(_ values: [Value], _ draw: inout SplitMix64) -> Value {
      values[Int.random(in: 0..<values.count, using: &draw)]
    }
    return Kind(
      type: one(Self.types, &draw), source: Int.random(in: 0..<2, using: &draw),
      device: one(Self.devices, &draw), inner: one(Self.inner, &draw))
  }

  private func record(_ kind: Kind, _ number: Int, _ draw: inout SplitMix64) -> String {
    let offset = Int.random(in: 0..<4, using: &draw) > 0 ? "+0100" : "-0700"
    func date(_ minutes: Int) -> String {
      let minute = minutes % 60
      let hour = 8 + minutes / 60
      let time = "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute):00"
      return "2026-10-25 \(time) \(offset)"
    }
    let isOdd = Int.random(in: 0..<12, using: &draw) == 0
    let start = isOdd ? "2026-02-30 08:00:00 +0100" : date(number)
    let end = Int.random(in: 0..<12, using: &draw) == 0 ? date(0) : date(number + 1)
    let value =
      kind.type.1 == nil
      ? "HKCategoryValueSleepAnalysisAsleepCore"
      : Self.values[max(0, Int.random(in: -12..<Self.values.count, using: &draw))]
    let device = kind.device.replacing("%", with: String(number * 7_919, radix: 16))
    let unit = kind.type.1.map { " unit=\"\($0)\"" } ?? ""
    return "\n <Record type=\"\(kind.type.0)\" sourceName=\"S’s \(kind.source)\"\(device)\(unit)"
      + " creationDate=\"\(date(number))\" startDate=\"\(start)\" endDate=\"\(end)\""
      + " value=\"\(value)\"" + kind.inner.replacing("%", with: "\(number % 3)")
  }

  @Test(
    "come to what they come to where each is read by itself", arguments: 0..<200 as Range<UInt64>)
  func same(seed: UInt64) throws {
    var draw = SplitMix64(seed: seed)
    let text = document(&draw)
    // What stands in single quotes is no record that others repeat; every byte keeps its place.
    let single = text.replacing(#/ value="([^"]*)"/#) { " value='\($0.output.1)'" }
    let size = Int.random(in: 1...3_000, using: &draw)
    let options = try options(&draw)
    let (repeated, each) = (
      try AppleReading.read(Array(text.utf8), chunkByteCount: size, options),
      try AppleReading.read(Array(single.utf8), chunkByteCount: size, options)
    )
    #expect(repeated.samples == each.samples)
    #expect(
      repeated.reading.pending.map { "\($0)" } == each.reading.pending.map { "\($0)" })
    #expect(repeated.reading.report.lines == each.reading.report.lines, "\(text) by \(size)")
    #expect(repeated.reading.engine.sources.sources == each.reading.engine.sources.sources)
  }

  private func options(_ draw: inout SplitMix64) throws -> AppleHealthOptions {
    var options = try AppleReading.options()
    options.trustsOffsets = Bool.random(using: &draw)
    options.withoutManual = Bool.random(using: &draw)
    options.keepsHeartbeats = Bool.random(using: &draw)
    options.since = Int.random(in: 0..<4, using: &draw) == 0 ? LocalDay("2026-10-28") : nil
    return options
  }

  /// Five records, alike but for a number, with something before each.
  private func reading(_ attributes: String, behind before: String = "") throws
    -> AppleHealthReading
  {
    let records = (10..<15).map {
      before + "<Record \(attributes.replacing("%", with: "\($0)")) unit=\"count\""
        + " startDate=\"2026-10-25 08:00:00 +0100\" endDate=\"2026-10-25 08:\($0):00 +0100\"/>"
    }
    let text = "<HealthData>" + records.joined(separator: "\n") + "</HealthData>"
    return try AppleReading.read(Array(text.utf8)).reading
  }

  @Test(
    "are met with what is wrong before them, which counts each time",
    arguments: ["</Other>", "<>", "text </Other>\n ", "< <>"])
  func faultsBefore(before: String) throws {
    let type = #"type="HKQuantityTypeIdentifierStepCount" sourceName="A" value="%""#
    let reading = try reading(type, behind: before)
    #expect(reading.report.recordsUsed == 5)
    #expect(reading.report.faultCount == (before == "< <>" ? 10 : 5))
  }

  @Test("are met only where they may be nested")
  func depth() throws {
    let record =
      #"<Record type="HKQuantityTypeIdentifierStepCount" sourceName="A" unit="count" value="1" "#
      + #"startDate="2026-10-25 08:00:00 +0100" endDate="2026-10-25 08:10:00 +0100"></Record>"#
    let deep = String(repeating: "<HealthData>", count: XMLReader.depthMaximum - 1)
    let text = "<HealthData>" + record + record + deep + "<ExportDate/>" + record
    let report = try AppleReading.read(Array(text.utf8)).reading.report
    #expect(report.recordsRead == 2)
    #expect(report.endedBecause?.contains("nested") == true)
  }

  @Test("of two types the first says what they are")
  func twoTypes() throws {
    let type =
      #"type="HKCategoryTypeIdentifierSleepAnalysis" type="HKQuantityTypeIdentifierStepCount" "#
    let reading = try reading(type + #"sourceName="A" value="HKCategoryValueSleepAnalysisAwake""#)
    #expect(reading.report.recordsUsed == 5)
  }

  @Test("what stands behind an address that is none tells one device from another")
  func addresses() throws {
    let text = ["1&gt;, name:A", "2>Watch&gt;, name:A", "3&gt;, name:A"].map {
      #"<Record type="HKQuantityTypeIdentifierStepCount" sourceName="A" unit="count" value="1" "#
        + "device=\"&lt;&lt;HKDevice: 0x\($0)&gt;\" startDate=\"2026-10-25 08:00:00 +0100\" "
        + "endDate=\"2026-10-25 08:10:00 +0100\"/>"
    }
    let reading = try AppleReading.read(Array("<HealthData>\(text.joined())</HealthData>".utf8))
      .reading
    #expect(reading.engine.sources.sources.map(\.kind) == [.other, .watch])
    #expect(reading.report.recordsUsed == 3)
  }

  @Test("are known by their look, and what varies in them is read")
  func passed() throws {
    let text = (10..<60).reduce("<HealthData>") { text, second in
      let date = "2026-10-25 08:00:\(second) +0100"
      return text + "\n <Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"A phone\""
        + " device=\"&lt;&lt;HKDevice: 0x\(second)&gt;, name:A phone&gt;\" unit=\"count\""
        + " creationDate=\"\(date)\" startDate=\"\(date)\" endDate=\"\(date)\" value=\"\(second)\"/>"
    }
    var xml = XMLReader(ByteSource(Array(text.utf8)), skippingText: true)
    var patterns = AppleRecordPatterns()
    _ = try xml.next()
    let mark = xml.mark
    _ = try xml.next()
    _ = try xml.next()
    if let learned = xml.text(since: mark) { #expect(patterns.learn(learned) == 0) }
    var numbers: [Double?] = []
    patterns.passAll(&xml) { record in
      let stamp = AppleStamp("2026-10-25 08:00:\(numbers.count + 11) +0100")
      #expect(record.start == stamp && record.end == stamp && record.created == stamp)
      numbers.append(record.number)
      return true
    }
    #expect(numbers == (11..<60).map(Double.init))
  }
}
