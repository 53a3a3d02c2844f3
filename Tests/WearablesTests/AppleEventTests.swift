import Archive
import FHIRModel
import Testing

@testable import Wearables

/// What an export of Apple Health holds beside samples becomes Observations of its own.
@Suite("Events of Apple Health")
struct AppleEventTests {
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
    let (reading, _) = try AppleReading.read(try Fixture.bytes(AppleReading.document))
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
    let (reading, _) = try AppleReading.read(try Fixture.bytes(AppleReading.document))
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
    let (reading, _) = try AppleReading.read(Array(document.utf8))
    let starts = resources(reading).map { $0["effectivePeriod"]?["start"]?.string }
    #expect(starts == ["2026-10-21T23:00:00+09:00", "2026-10-21T09:00:00-05:00"])
  }

  @Test(
    "what is known and not stored is counted by its own reason, and the record around it counts")
  func notStored() throws {
    let (reading, samples) = try AppleReading.read(
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
    #expect(
      reading.report.lines.contains {
        $0.hasPrefix("  left out 1 ") && $0.contains("'heartbeats' asks for")
      })
    #expect(reading.report.unknown == [:])
    #expect(reading.pending.isEmpty)
  }

  @Test(
    "a series of beats is kept where it is asked for, with the seconds between them",
    arguments: [
      ("12:59:59,30|13:00:00,25|13:00:01,005", "0 61; 0.95 62; 1.705 63"),
      ("11:59:59.9 AM|12:00:00.8 PM|12:00:01.5 PM", "0 61; 0.9 62; 1.6 63"),
      ("٢٣:٥٩:٥٩٫٥٠|٠٠:٠٠:٠٠٫٢٥|٠:٠٠:٠١", "0 61; 0.75 62; 1.5 63"),
      ("12:00:01.30|12:00:00.30|12:00:02", ""), ("12:00:01|12:00:61|1:0:2", ""),
      ("12:00|12:01|12:02", ""),
    ])
  func heartbeats(times: String, series: String) throws {
    let beats = times.split(separator: "|").enumerated().map {
      "<InstantaneousBeatsPerMinute bpm=\"\(61 + $0.offset)\" time=\"\($0.element)\"/>"
    }.joined()
    var options = try AppleReading.options()
    options.keepsHeartbeats = true
    let text = """
      <HealthData><Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" sourceName="W" \
      unit="ms" startDate="2026-10-21 12:00:00 +0000" endDate="2026-10-21 12:01:00 +0000" value="41.5">\
      <HeartRateVariabilityMetadataList>\(beats)</HeartRateVariabilityMetadataList></Record>\
      </HealthData>
      """
    let (reading, samples) = try AppleReading.read(Array(text.utf8), options)
    #expect(samples.map(\.value) == [41.5])
    #expect(reading.report.recordsUsed == 1)
    let made = resources(reading)
    #expect(made.map { $0["valueString"]?.string } == (series.isEmpty ? [] : [series]))
    #expect(reading.report.leftOut[.unreadable]?.count == (series.isEmpty ? 1 : nil))
    guard let one = made.first else { return }
    #expect(codes(made) == ["HKDataTypeIdentifierHeartbeatSeries"])
    #expect(one["effectivePeriod"]?["start"]?.string == "2026-10-21T14:00:00+02:00")
    #expect(one["effectivePeriod"]?["end"]?.string == "2026-10-21T14:01:00+02:00")
  }

  private func codes(_ made: [JSONValue]) -> [String?] {
    made.map { $0["code"]?["coding"]?.elements.first { _ in true }?["code"]?.string }
  }

  @Test("a state of mind has its valence, from -1 to 1")
  func stateOfMind() throws {
    func record(_ value: String) -> String {
      """
      <Record type="HKDataTypeStateOfMind" sourceName="P" startDate="2026-10-21 12:00:00 +0000" \
      endDate="2026-10-21 12:00:00 +0000" \(value)/>
      """
    }
    let values = ["value=\"-0.35\"", "", "value=\"1.5\"", "value=\"glad\""]
    let (reading, _) = try AppleReading.read(
      Array("<HealthData>\(values.map(record).joined())</HealthData>".utf8))
    let made = resources(reading)
    #expect(codes(made) == ["HKDataTypeStateOfMind", "HKDataTypeStateOfMind"])
    #expect(made.first?["valueQuantity"]?["value"]?.numberText == "-0.35")
    #expect(made.first?["effectiveDateTime"]?.string == "2026-10-21T14:00:00+02:00")
    #expect(made.last?["valueQuantity"] == nil)
    #expect(reading.report.skipped.mapValues(\.count) == [.outsideRange: 1, .badNumber: 1])
    #expect(reading.report.unknown == [:])
  }

  @Test("what ends before it begins is told so, whatever it is")
  func reversed() throws {
    let span =
      #"sourceName="P" startDate="2026-10-21 12:00:00 +0000" endDate="2026-10-21 11:00:00 +0000""#
    let text = """
      <HealthData><Workout workoutActivityType="HKWorkoutActivityTypeRunning" \(span)/>\
      <Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="P"/>\
      <Workout \(span)/><Audiogram type="HKDataTypeIdentifierAudiogram" \(span)/>\
      <Correlation type="HKCorrelationTypeIdentifierFood" \(span)/></HealthData>
      """
    let (reading, _) = try AppleReading.read(Array(text.utf8))
    #expect(
      reading.report.leftOut.mapValues(\.count) == [.reversed: 3, .badDate: 1, .noType: 1])
    #expect(reading.pending.isEmpty)
  }

  @Test(
    "an ECG's rate is found whatever its unit is called",
    arguments: [
      ("512 hertz", 512), ("511,562 Hertz", 511.562), ("512 Гц", 512), ("512 赫茲", 512),
      ("512 χερτζ", 512), ("512 הרץ", 512), ("512 เฮิรตซ์", 512), ("512 हर्ट्ज़", 512),
    ])
  func rates(text: String, hertz: Double) throws {
    let file = """
      Name,Synthetic person
      Recorded,2026-10-22 10:15:00 +0200
      Classification,Sinus Rhythm
      Symptoms,
      Software,2.0
      Device,"Watch6,2"
      Rate,\(text)

      Lead,Lead I
      Unit,µV

      12
      """
    #expect(try Electrocardiogram(parsing: Array(file.utf8)).hertz == hertz)
  }

  @Test(
    "an ECG's lead is the first in whatever language says so",
    arguments: [
      ("Lead I", true), ("Dérivation I", true), ("I. elvezetés", true), ("I誘導", true),
      ("导联 I", true), ("Lead II", false), ("Iota", false), ("III", false),
    ])
  func leads(text: String, isFirst: Bool) throws {
    let file = """
      Recorded,2026-10-22 10:15:00 +0200
      Rate,512 hertz
      Lead,\(text)
      Unit,µV

      12
      """
    var source = ByteSource(Array(file.utf8))
    var reading = AppleHealthReading(try AppleReading.options(), sorter: MemorySampleSorter())
    let made = try #require(try reading.readFile("electrocardiograms/1.csv", &source))
    let words = try #require(made.interaction.resourceText)
    #expect(words.contains("MDC_ECG_ELEC_POTL_I") == isFirst)
    #expect(words.contains(text))
  }

  @Test("an ECG is read in every language, in microvolts")
  func electrocardiograms() throws {
    func sampled(_ name: String) throws -> JSONValue {
      let bytes = try Fixture.bytes("fixtures/apple-health/export/electrocardiograms/\(name)")
      let event = try Electrocardiogram(parsing: bytes)
      var source = ByteSource(bytes)
      var reading = AppleHealthReading(try AppleReading.options(), sorter: MemorySampleSorter())
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
}
