import Archive
import FHIRModel
import Foundation
import Synchronization
import Testing

@testable import Wearables

/// With a first day, nothing of an earlier one goes in, whatever it is; days are the person's own.
@Suite("Of an export since a day")
struct SinceTests {
  private static let since = "2026-10-21"

  private struct Made {
    var texts: [String] = []
    var report: AppleHealthReport
  }

  /// Takes in an export of these files beside a document of these elements.
  private func takeIn(
    _ elements: [String], files: [String: String] = [:], since: String? = since
  ) throws -> Made {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("kiln-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let document = "<HealthData>\(elements.joined())</HealthData>"
    for (name, text) in files.merging(["export.xml": document], uniquingKeysWith: { $1 }) {
      let place = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: place)
    }
    var options = AppleHealthOptions(
      patient: try #require(ResourceID("Patient/synthetic-1")),
      home: try HomeZone(parsing: ["Europe/Budapest"]), now: try Instant("2026-11-30T12:00:00Z"))
    options.since = since.flatMap { LocalDay($0) }
    let person = StoredVersion(
      id: options.patient, version: .first, lastUpdated: options.now, isDeleted: false, bytes: [])
    let texts = Mutex<[String]>([])
    var importer = AppleHealthImport(
      try AppleExport(path: folder.path), options, sorter: MemorySampleSorter(),
      perform: { batch in
        batch.interactions.map {
          guard let text = $0.resourceText else { return .success(.found(person)) }
          texts.withLock { $0.append(text) }
          return .success(.created(person))
        }
      })
    let report = try importer.run()
    return Made(texts: texts.withLock { $0 }, report: report)
  }

  private func element(
    _ name: String, _ type: String, _ day: String, _ time: String, _ rest: String,
    inside: String = ""
  ) -> String {
    let (start, end) = ("\(day) \(time):00 +0000", "\(day) \(time):30 +0000")
    return """
      <\(name) \(type) sourceName="P" startDate="\(start)" endDate="\(end)" \(rest)>\(inside)</\(name)>
      """
  }

  /// 23:59 and 00:01 at home, in summer time.
  private static let moments = [("2026-10-20", "21:59"), ("2026-10-20", "22:01")]

  @Test("records count on their own day")
  func records() throws {
    let records = Self.moments.enumerated().map { place, moment in
      element(
        "Record", "type=\"HKQuantityTypeIdentifierStepCount\"", moment.0, moment.1,
        "unit=\"count\" value=\"\(place + 1)\"")
    }
    let old = element(
      "Record", "type=\"HKQuantityTypeIdentifierStepCount\"", "2026-10-15", "12:00",
      "unit=\"count\" value=\"9\"")
    let made = try takeIn(records + [old])
    #expect(made.texts.count == 1)
    #expect(made.texts.first?.contains("2026-10-21T00:00:00+02:00") == true)
    #expect(made.texts.first?.contains("\"value\":2,") == true)
    #expect(made.report.skipped[.before]?.count == 2)
    #expect(made.report.recordsRead == 3 && made.report.recordsUsed == 1)
  }

  @Test("a record that makes no value of those days isn't counted as used")
  func unused() throws {
    let heartRate = "type=\"HKQuantityTypeIdentifierHeartRate\""
    let steps = "type=\"HKQuantityTypeIdentifierStepCount\""
    func spanning(_ start: String, _ end: String) -> String {
      "<Record \(steps) sourceName=\"P\" startDate=\"\(start) +0200\" endDate=\"\(end) +0200\" "
        + "unit=\"count\" value=\"60\"/>"
    }
    func asleep(_ start: String, _ end: String) -> String {
      "<Record type=\"HKCategoryTypeIdentifierSleepAnalysis\" sourceName=\"P\" "
        + "startDate=\"\(start) +0200\" endDate=\"\(end) +0200\" "
        + "value=\"HKCategoryValueSleepAnalysisAsleepCore\"/>"
    }
    let records = [
      // Of the 20th: noon, twice the same, and up to midnight.
      element("Record", heartRate, "2026-10-20", "10:00", "unit=\"count/min\" value=\"60\""),
      element("Record", heartRate, "2026-10-20", "10:00", "unit=\"count/min\" value=\"60\""),
      spanning("2026-10-20 23:00:00", "2026-10-21 00:00:00"),
      asleep("2026-10-19 23:00:00", "2026-10-20 06:00:00"),
      // Of the 21st at least in part.
      spanning("2026-10-20 23:30:00", "2026-10-21 00:30:00"),
      asleep("2026-10-20 20:00:00", "2026-10-20 22:00:00"),
      asleep("2026-10-20 23:30:00", "2026-10-21 06:00:00"),
      element("Record", heartRate, "2026-10-21", "10:00", "unit=\"count/min\" value=\"61\""),
    ]
    let report = try takeIn(records).report
    #expect(report.recordsRead == 8)
    #expect(report.recordsUsed == 4)
    #expect(report.recordsMerged == 1)
    #expect(report.skipped.mapValues(\.count) == [.before: 3])
    let all = try takeIn(records, since: nil).report
    #expect(all.recordsUsed == 7 && all.recordsMerged == 1 && all.recordsSkipped == 0)
  }

  @Test("a session of Health Connect counts with the night that it is part of")
  func sessions() throws {
    // 2026-10-19 23:00 to 2026-10-20 06:00 at home; 20 October 20:00 to 22:00 and 23:30 to 06:00.
    let nights: [(Int64, Int64)] = [
      (1_792_443_600, 1_792_468_800), (1_792_519_200, 1_792_526_400),
      (1_792_531_800, 1_792_555_200),
    ]
    let rows = nights.enumerated().map { place, night in
      "(\(place), x'0\(place)', 1, \(night.0 * 1_000), 7200, \(night.1 * 1_000))"
    }
    let file = try ExportFile(
      statements: """
        CREATE TABLE sleep_session_record_table (row_id INTEGER PRIMARY KEY, uuid, app_info_id,
          start_time, start_zone_offset, end_time);
        INSERT INTO sleep_session_record_table VALUES \(rows.joined(separator: ", "));
        CREATE TABLE blood_pressure_record_table (row_id INTEGER PRIMARY KEY, app_info_id, time,
          zone_offset, systolic, diastolic);
        INSERT INTO blood_pressure_record_table VALUES
          (1, 1, 1792468800000, 7200, 120, 80), (2, 1, 1792468800000, 7200, 120, 80),
          (3, 1, 1792555200000, 7200, 121, 81);
        """)
    let (report, performed) = try file.takeIn { $0.since = LocalDay(Self.since) }
    #expect(performed.count == 2)
    #expect(report.readCount == 6)
    #expect(report.used == 3 && report.merged == 1)
    #expect(
      report.skipped == [.before: ["SleepSessionRecord": 1, "BloodPressureRecord": 1]])
  }

  @Test("a night of which the first part lies before the day is whole")
  func night() throws {
    func sleep(_ start: String, _ end: String) -> String {
      """
      <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="P" startDate="\(start) +0200" \
      endDate="\(end) +0200" value="HKCategoryValueSleepAnalysisAsleepCore"/>
      """
    }
    let night = [
      sleep("2026-10-20 22:00:00", "2026-10-20 23:00:00"),
      sleep("2026-10-21 00:30:00", "2026-10-21 06:00:00"),
    ]
    let whole = try takeIn(night, since: nil).texts
    #expect(whole.count == 2 && whole[0].contains("6.5") && whole[1].contains("390"))
    #expect(try takeIn(night).texts == whole)
  }

  @Test("workouts, alerts, meals and hearing tests count on the day on which they begin")
  func events() throws {
    let kinds: [(String, String, String, String)] = [
      ("Workout", "workoutActivityType=\"HKWorkoutActivityTypeRunning\"", "", ""),
      (
        "Record", "type=\"HKCategoryTypeIdentifierHighHeartRateEvent\"",
        "value=\"HKCategoryValueNotApplicable\"", ""
      ),
      ("Correlation", "type=\"HKCorrelationTypeIdentifierFood\"", "", ""),
      (
        "Audiogram", "type=\"HKDataTypeIdentifierAudiogram\"", "",
        "<SensitivityPoint frequencyValue=\"500\" leftEarValue=\"10\"/>"
      ),
    ]
    for (name, type, rest, inside) in kinds {
      let both = Self.moments.map { element(name, type, $0.0, $0.1, rest, inside: inside) }
      let made = try takeIn(both)
      #expect(made.texts.count == 1, "\(name)")
      #expect(made.texts.first?.contains("2026-10-21T00:01:00+02:00") == true, "\(name)")
      let left = made.report.leftOut[.before] ?? made.report.skipped[.before]
      #expect(left?.count == 1, "\(name)")
      #expect(try takeIn(both, since: nil).texts.count == 2, "\(name)")
    }
  }

  @Test("an event's own zone says its day")
  func zones() throws {
    // 23:01 on the 20th in Lisbon.
    let workout = element(
      "Workout", "workoutActivityType=\"HKWorkoutActivityTypeRunning\"", "2026-10-20", "22:01", "",
      inside: "<MetadataEntry key=\"HKTimeZone\" value=\"Europe/Lisbon\"/>")
    #expect(try takeIn([workout]).texts == [])
  }

  @Test("ECGs count when they were recorded, routes when they begin")
  func files() throws {
    var files: [String: String] = [:]
    for (day, time) in Self.moments {
      files["electrocardiograms/\(time.prefix(2))\(time.suffix(2)).csv"] = """
        Name,Synthetic person
        Recorded Date,\(day) \(time):00 +0000
        Sample Rate,512 hertz

        Lead,Lead I
        Unit,µV

        12
        0.5

        """
      // The time of the metadata is that of the export.
      files["workout-routes/\(time.prefix(2))\(time.suffix(2)).gpx"] = """
        <gpx><metadata><time>2026-11-02T10:00:00Z</time></metadata><trk><trkseg><trkpt lon="0.1" \
        lat="0.2"><ele>4</ele><time>\(day)T\(time):00Z</time></trkpt></trkseg></trk></gpx>
        """
    }
    let made = try takeIn([], files: files)
    #expect(made.report.electrocardiograms.taken == 1)
    #expect(made.report.routes.taken == 1)
    #expect(made.report.leftOut[.before]?.count == 2)
    #expect(made.texts.count == 2)
    #expect(made.texts.contains { $0.contains("2026-10-21T00:01:00+02:00") })
    #expect(made.texts.contains { $0.contains("2201.gpx") })
    #expect(try takeIn([], files: files, since: nil).texts.count == 4)
  }

  @Test(
    "a clinical record counts by its own date, else by when the phone received it",
    arguments: [
      (#""effectiveDateTime":"2026-10-20T23:59:59+02:00""#, false),
      (#""effectiveDateTime":"2026-10-21T00:00:00+02:00""#, true),
      (#""effectiveDateTime":"2026-10-20""#, false), (#""effectiveDateTime":"2026-10-21""#, true),
      (#""effectiveDateTime":"2026-10""#, true), (#""effectiveDateTime":"2026-09""#, false),
      (#""effectiveDateTime":"2026""#, true), (#""effectiveDateTime":"2025""#, false),
      (#""effectivePeriod":{"start":"2020-01-01","end":"2026-10-22"}"#, true),
      (#""effectivePeriod":{"start":"2020-01-01","end":"2020-10-22"}"#, false),
      (#""effectivePeriod":{"start":"2020-01-01"}"#, true),
      (#""issued":"2026-10-20T10:00:00Z""#, false), (#""issued":"2026-10-21T10:00:00Z""#, true),
      (#""language":"en""#, nil),
    ])
  func clinicalRecords(date: String, isTaken: Bool?) throws {
    for received in ["2026-10-01", "2026-11-01"] {
      let index = """
        <ClinicalRecord type="Observation" fhirVersion="4.0.1" receivedDate="\(received) 10:00:00 +0100" \
        resourceFilePath="/clinical-records/o.json"/>
        """
      let record = """
        {"resourceType":"Observation","id":"o","status":"final","code":{"text":"x"},\(date)}
        """
      let made = try takeIn([index], files: ["clinical-records/o.json": record])
      let expected = isTaken ?? (received == "2026-11-01")
      #expect(made.report.clinicalRecords.taken == (expected ? 1 : 0), "\(received)")
      #expect(made.report.leftOut[.before]?.count == (expected ? nil : 1), "\(received)")
    }
  }

  @Test("records, sessions and events of Health Connect count on their own day")
  func healthConnect() throws {
    // 23:59 and 00:01 at home, and noon long before.
    let moments: [Int64] = [1_792_533_540_000, 1_792_533_660_000, 1_791_000_000_000]
    func rows(_ values: (Int64, Int) -> String) -> String {
      moments.enumerated().map { "(\(values($1, $0)))" }.joined(separator: ", ")
    }
    let file = try ExportFile(
      statements: """
        CREATE TABLE steps_record_table (row_id INTEGER PRIMARY KEY, app_info_id, start_time,
          start_zone_offset, end_time, count);
        INSERT INTO steps_record_table VALUES
          \(rows { "\($1), 1, \($0), 7200, \($0 + 30_000), \($1 + 1)" });
        CREATE TABLE exercise_session_record_table (row_id INTEGER PRIMARY KEY, uuid, app_info_id,
          start_time, start_zone_offset, end_time, exercise_type);
        INSERT INTO exercise_session_record_table VALUES
          \(rows { "\($1), x'0\($1)', 1, \($0), 7200, \($0 + 30_000), 33" });
        CREATE TABLE mindfulness_session_record_table (row_id INTEGER PRIMARY KEY, uuid,
          app_info_id, start_time, start_zone_offset, end_time);
        INSERT INTO mindfulness_session_record_table VALUES
          \(rows { "\($1), x'1\($1)', 1, \($0), 7200, \($0 + 60_000)" });
        CREATE TABLE ovulation_test_record_table (row_id INTEGER PRIMARY KEY, uuid, app_info_id,
          time, zone_offset, result);
        INSERT INTO ovulation_test_record_table VALUES
          \(rows { "\($1), x'2\($1)', 1, \($0), 7200, 1" });
        """)
    let (report, performed) = try file.takeIn { $0.since = LocalDay(Self.since) }
    let texts = performed.compactMap {
      if case .conditionalUpdate(let resource, _, _) = $0 {
        String(decoding: resource.document.bytes, as: UTF8.self)
      } else {
        nil
      }
    }
    #expect(texts.count == 4)
    #expect(texts.allSatisfy { $0.contains("\"2026-10-21T00:") })
    #expect(report.workouts.taken == 1 && report.events.taken == 1 && report.days == 2)
    #expect(
      report.skipped == [
        .before: [
          "StepsRecord": 2, "ExerciseSessionRecord": 2, "MindfulnessSessionRecord": 2,
          "OvulationTestRecord": 2,
        ]
      ])
    #expect(try file.takeIn().performed.count == 12)
  }
}
