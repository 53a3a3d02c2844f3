import Archive
import FHIRModel
import FoundationEssentials
import Synchronization
import Testing

@testable import Wearables

/// An export of Apple Health is read, whatever is wrong with it. `fixtures/apple-health` holds one with
/// every fault, and what a second program reads in it.
struct AppleHealthTests {
  private final class Collected {
    var samples: [Sample] = []
  }

  /// Keeps the samples as they come.
  private struct CollectingSorter: SampleSorter {
    let collected: Collected
    func append(_ sample: Sample) { collected.samples.append(sample) }
    func drain(_ body: (Sample) throws -> Void) throws {
      for sample in collected.samples.sorted() { try body(sample) }
    }
  }

  private func options() throws -> AppleHealthOptions {
    AppleHealthOptions(
      patient: try #require(ResourceID("Patient/synthetic-1")),
      home: try HomeZone(parsing: ["Europe/Budapest"]), now: try Instant("2026-11-30T12:00:00Z"))
  }

  private static let document = "fixtures/apple-health/export/exportálás.xml"

  /// Reads a document and gives what it made.
  private func read(
    _ bytes: [UInt8], chunkByteCount: Int = 4_096, _ options: AppleHealthOptions? = nil
  ) throws -> (reading: AppleHealthReading, samples: [Sample]) {
    let collected = Collected()
    var reading = AppleHealthReading(
      try options ?? self.options(), sorter: CollectingSorter(collected: collected))
    var xml = XMLReader(
      ByteSource(bytes, chunkByteCount: chunkByteCount), skippingText: true)
    try reading.read(&xml) { _, _ in }
    return (reading, collected.samples)
  }

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
    let (reading, samples) = try read(
      try Fixture.bytes(Self.document), chunkByteCount: chunkByteCount)
    let expected = try Fixture.lines("fixtures/apple-health/samples.tsv").dropFirst()
    // A Latin capital comes before a small letter for both programs.
    let rows = samples.map { row($0, reading.engine) }.sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    #expect(rows == Array(expected))
  }

  @Test("everything that is left out is counted by its reason")
  func report() throws {
    let (reading, _) = try read(try Fixture.bytes(Self.document))
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
    var (reading, _) = try read(Array(text.utf8))
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

  @Test("a document that was cut anywhere gives what was whole, and where it ended")
  func truncation() throws {
    let bytes = try Fixture.bytes(Self.document)
    let whole = try read(bytes).samples
    let root = try #require(bytes.firstRange(of: Array("<HealthData".utf8)))
    for cut in stride(from: root.upperBound + 20, to: bytes.count - 20, by: 61) {
      let (reading, samples) = try read(Array(bytes[..<cut]))
      #expect(samples == Array(whole.prefix(samples.count)), "cut at \(cut)")
      #expect(reading.report.endedAt == cut)
    }
  }

  @Test("the night is of another zone's day where the dates' offset is trusted")
  func trustedOffsets() throws {
    var options = try options()
    options.trustsOffsets = true
    let text = """
      <HealthData><Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" \
      startDate="2024-01-15 23:00:00 -0800" endDate="2024-01-15 23:10:00 -0800" value="111"/>\
      <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" \
      startDate="2024-01-16 01:30:00 +0900" endDate="2024-01-16 01:40:00 +0900" value="222"/>\
      </HealthData>
      """
    var (reading, _) = try read(Array(text.utf8), options)
    var days: [String] = []
    try reading.engine.finish { days.append("\($0.day.text) \(decimalText($0.value))") }
    #expect(days == ["2024-01-15 111", "2024-01-16 222"])
  }

  // MARK: events

  private func resources(_ reading: AppleHealthReading) -> [JSONValue] {
    reading.pending.compactMap {
      if case .conditionalUpdate(let resource, _, _) = $0 { resource.document.root } else { nil }
    }
  }

  private func components(_ resource: JSONValue) -> [String: String] {
    var values: [String: String] = [:]
    for component in resource["component"]?.elements.map({ $0 }) ?? [] {
      let coding = component["code"]?["coding"]?.elements.first { _ in true }
      let quantity = component["valueQuantity"]
      values[coding?["code"]?.string ?? component["code"]?["text"]?.string ?? "?"] =
        "\(quantity?["value"]?.numberText ?? "") \(quantity?["code"]?.string ?? "")"
    }
    return values
  }

  @Test("workouts of old and new exports have their totals, statistics and zones")
  func workouts() throws {
    let (reading, _) = try read(try Fixture.bytes(Self.document))
    let workouts = resources(reading).filter {
      $0["valueCodeableConcept"]?["text"]?.string?.hasPrefix("Soup") == false
    }
    try #require(workouts.count == 2)
    #expect(
      components(workouts[0]) == [
        "55411-3": "30 min", "103208-5": "5000 m", "41981-2": "300 kcal",
      ])
    #expect(workouts[0]["effectivePeriod"]?["start"]?.string == "2019-03-10T08:00:00+01:00")
    #expect(
      components(workouts[1]) == [
        "55411-3": "45 min", "41981-2": "100 kcal", "55425-3": "120.5 /min", "55426-1": "150 /min",
        "96935-2": "90 /min", "HKQuantityTypeIdentifierHeartRate:..132": "20 min",
        "HKQuantityTypeIdentifierHeartRate:132..": "25 min",
        "HKWorkoutZoneGroupTypeHeartRate:120..140": "12.5 min",
      ])
    // The zone in its metadata, not the export's offset.
    #expect(workouts[1]["effectivePeriod"]?["start"]?.string == "2026-10-24T00:00:00-07:00")
    #expect(
      workouts[1]["valueCodeableConcept"]?["text"]?.string == "Traditional strength training")
    let file = "route_2026-10-24_8.00am.gpx"
    let identifier = workouts[1]["identifier"]?.elements.first { _ in true }?["value"]?.string
    #expect(identifier != nil && reading.routeIndex[file] == identifier)
  }

  @Test("a meal and a hearing test are events with what they say")
  func rareEvents() throws {
    let (reading, _) = try read(try Fixture.bytes(Self.document))
    let texts = resources(reading).map { String(decoding: $0.document.bytes, as: UTF8.self) }
    let meal = try #require(texts.first { $0.contains("80453-4") })
    #expect(meal.contains(#""text":"Soup""#))
    let hearing = resources(reading).first { components($0).keys.contains("left.500") }
    #expect(
      hearing.map(components) == [
        "left.500": "12.5 dB", "right.500": "-5 dB", "left.8000": "30 dB",
      ])
  }

  @Test("an event may be the first that names its zone")
  func firstToNameAZone() throws {
    let document = """
      <HealthData locale="en_GB">
       <Audiogram type="HKDataTypeIdentifierAudiogram" sourceName="A phone"
        startDate="2026-10-21 15:00:00 +0100" endDate="2026-10-21 15:05:00 +0100">
        <MetadataEntry key="HKTimeZone" value="Asia/Tokyo"/>
        <SensitivityPoint frequencyValue="500" frequencyUnit="Hz" leftEarValue="10" leftEarUnit="dBHL"/>
       </Audiogram>
       <Record type="HKCategoryTypeIdentifierLowHeartRateEvent" sourceName="A watch"
        value="HKCategoryValueNotApplicable"
        startDate="2026-10-21 15:00:00 +0100" endDate="2026-10-21 15:05:00 +0100">
        <MetadataEntry key="HKTimeZone" value="America/Lima"/>
       </Record>
      </HealthData>
      """
    let (reading, _) = try read(Array(document.utf8))
    let starts = resources(reading).map { $0["effectivePeriod"]?["start"]?.string }
    #expect(starts == ["2026-10-21T23:00:00+09:00", "2026-10-21T09:00:00-05:00"])
  }

  @Test(
    "what is known and not stored is counted by its own reason, and the record around it counts")
  func notStored() throws {
    let (reading, samples) = try read(
      Array(
        """
        <HealthData><Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" sourceName="W" \
        unit="ms" startDate="2026-10-21 12:00:00 +0000" endDate="2026-10-21 12:01:00 +0000" value="41.5">\
        <HeartRateVariabilityMetadataList><InstantaneousBeatsPerMinute bpm="61" time="12:00:01,30"/>\
        </HeartRateVariabilityMetadataList></Record><VisionPrescription type="x" \
        dateIssued="2026-10-21 12:00:00 +0000"><RightEye sphere="-1.25" sphereUnit="D"/>\
        </VisionPrescription></HealthData>
        """.utf8))
    #expect(samples.map(\.value) == [41.5])
    #expect(reading.report.leftOut.mapValues(\.count) == [.heartbeats: 1, .prescription: 1])
    #expect(reading.report.unknown == [:])
    #expect(reading.pending.isEmpty)
  }

  @Test("nothing that a document holds stops the reading")
  func noise() throws {
    let good = try Fixture.bytes(Self.document)
    let root = try #require(good.firstRange(of: Array("<HealthData".utf8)))
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix(seed: seed)
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
      var (reading, samples) = try read(bytes)
      try reading.engine.finish { _ in }
      let report = reading.finishedReport()
      let sum = report.recordsUsed + report.recordsMerged + report.recordsSkipped
      #expect(report.recordsRead == sum && report.recordsUsed >= 0, "seed \(seed)")
      #expect(samples.allSatisfy { $0.value.isFinite }, "seed \(seed)")
    }
  }

  @Test("an ECG is read in every language, in microvolts")
  func electrocardiograms() throws {
    func sampled(_ name: String) throws -> JSONValue {
      let bytes = try Fixture.bytes("fixtures/apple-health/export/electrocardiograms/\(name)")
      let event = try Electrocardiogram(parsing: bytes)
      var source = ByteSource(bytes)
      var reading = AppleHealthReading(try options(), sorter: MemorySampleSorter())
      let made = try #require(try reading.readFile("electrocardiograms/\(name)", &source))
      guard case .conditionalUpdate(let resource, _, _) = made.interaction else {
        throw Electrocardiogram.Failure(reason: "no update")
      }
      #expect(!event.values.isEmpty)
      return resource.document.root
    }
    let english = try sampled("ecg_2026-10-22.csv")
    let text = String(decoding: english.document.bytes, as: UTF8.self)
    #expect(text.contains(#""period":1.953125,"dimensions":1,"data":"-265.868 12 0.5 -3.25""#))
    #expect(text.contains("Sinus Rhythm") && text.contains("11524-6"))
    #expect(text.contains("2026-10-22T10:15:00+02:00"))
    let german = String(decoding: try sampled("ecg_2026-10-23.csv").document.bytes, as: UTF8.self)
    #expect(german.contains(#""period":1.954797,"dimensions":1,"data":"-265.868 12 1000""#))
    #expect(german.contains("Sinusrhythmus"))
    #expect(throws: Electrocardiogram.Failure.self) {
      try Electrocardiogram(
        parsing: try Fixture.bytes("fixtures/apple-health/export/electrocardiograms/broken.csv"))
    }
  }

  // MARK: the whole

  private func run(
    _ path: String, _ options: AppleHealthOptions,
    _ take: @escaping @Sendable (ImportBatch) -> Void = { _ in }
  ) throws -> AppleHealthReport {
    let person = StoredVersion(
      id: options.patient, version: .first, lastUpdated: options.now, isDeleted: false,
      bytes: Array(#"{"resourceType":"Patient","id":"synthetic-1"}"#.utf8))
    var importer = AppleHealthImport(
      try AppleExport(path: Fixture.path(path)), options, sorter: SpillSampleSorter(),
      perform: { batch in
        take(batch)
        return batch.interactions.map {
          if case .read = $0 { .success(.found(person)) } else { .success(.created(person)) }
        }
      })
    return try importer.run()
  }

  @Test("a folder goes in with all that lies in it, each from where it comes")
  func folder() throws {
    let noted = Mutex<[String: Int]>([:])
    var options = try options()
    options.updatesPatient = true
    let report = try run("fixtures/apple-health/export", options) { batch in
      noted.withLock { $0[batch.sourceSystem, default: 0] += batch.interactions.count }
    }
    let systems = noted.withLock { $0 }
    #expect(report.document == "exportálás.xml")
    #expect(report.electrocardiograms == .init(read: 3, taken: 2))
    #expect(report.routes == .init(read: 1, taken: 1))
    #expect(report.clinicalRecords == .init(read: 3, taken: 2))
    #expect(report.clinicalRecordsConverted == 1)
    #expect(report.recordsRead == 39)
    #expect(report.recordsUsed == 23)
    #expect(report.recordsMerged == 3)
    #expect(report.recordsSkipped == 13)
    #expect(report.leftOut[.unreadable]?.count == 1)
    #expect(report.leftOut[.invalid]?.count == 1)
    #expect(report.summaries.compared == 1 && report.summaries.alike == 1)
    #expect(systems["https://fhir.example.org/dstu2"] == 1)
    #expect(systems["urn:kiln:clinical-source:unknown"] == 1)
    #expect(systems["urn:kiln:source:apple-health-export"] ?? 0 > 20)
  }

  @Test("what is no export says so")
  func refuses() throws {
    let options = try options()
    func refusal(_ path: String) throws -> String {
      let error = #expect(throws: AppleExport.Failure.self) { try run(path, options) }
      return try #require(error).description.replacing(Fixture.path(path), with: path)
    }
    let none =
      "is no unpacked export of Apple Health: no file directly in it is a document that "
      + "begins with <HealthData>"
    #expect(try refusal("fixtures/clinical") == "fixtures/clinical \(none)")
    #expect(
      try refusal("fixtures/apple-health")
        == "fixtures/apple-health \(none); the folder of export/exportálás.xml may be meant")
    #expect(
      try refusal("fixtures/archive").hasPrefix(
        "fixtures/archive holds more than one document of Apple Health, of which one may be meant: "
          + "control-character.xml, "))
    #expect(
      try refusal("fixtures/archive/nothing-inside.zip")
        == "fixtures/archive/nothing-inside.zip is no export of Apple Health: no file in the "
        + "archive is a document that begins with <HealthData>")
    #expect(
      try refusal("fixtures/archive/entries.tsv")
        == "fixtures/archive/entries.tsv is no export of Apple Health: it is no document that "
        + "begins with <HealthData>")
    #expect(throws: ArchiveError.self) { try run("fixtures/nothing", options) }
  }
}

extension ImportTaken {
  fileprivate init(read: Int, taken: Int) {
    self.init()
    self.read = read
    self.taken = taken
  }
}

/// A generator whose seed is told where it finds something.
private struct SplitMix: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
