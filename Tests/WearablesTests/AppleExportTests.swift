import Archive
import FHIRModel
import Foundation
import Synchronization
import Testing

@testable import Wearables

@Suite("An export of Apple Health as a whole")
struct AppleExportTests {
  private func run(
    _ path: String, _ options: AppleHealthOptions,
    _ take: @escaping @Sendable (ImportBatch) -> Void = { _ in }
  ) throws -> AppleHealthReport {
    let person = StoredVersion(
      id: options.patient, version: .first, lastUpdated: options.now, isDeleted: false,
      bytes: Array(#"{"resourceType":"Patient","id":"synthetic-1"}"#.utf8))
    var importer = AppleHealthImport(
      try AppleExport(path: path.hasPrefix("/") ? path : Fixture.path(path)), options,
      sorter: SpillSampleSorter(),
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
    var options = try AppleReading.options()
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

  @Test("a document that ends too early leaves alone what stands", arguments: [false, true])
  func cutOff(isCut: Bool) throws {
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("kiln-\(UUID().uuidString).xml")
    defer { try? FileManager.default.removeItem(at: place) }
    let bytes = try Fixture.bytes(AppleReading.document)
    try Data(isCut ? bytes.dropLast(40) : bytes[...]).write(to: place)
    let days = Mutex<[Interaction]>([])
    _ = try run(place.path, try AppleReading.options()) { batch in
      let made = batch.interactions.filter {
        $0.resourceText?.contains("urn:kiln:daily-value") == true
      }
      days.withLock { $0 += made }
    }
    let other = try Resource(parsing: Array(#"{"resourceType":"Patient"}"#.utf8))
    let made = days.withLock { $0 }
    #expect(made.count > 10)
    for interaction in made {
      switch interaction {
      case .conditionalUpdate: #expect(!isCut)
      case .conditionalRevision(let revision, _):
        #expect(isCut)
        #expect(try revision.revised(other)?.document.bytes == other.document.bytes)
      default: Issue.record("\(interaction)")
      }
    }
  }

  @Test("of the day on which it was made an export doesn't replace what others know")
  func exportDay() throws {
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("kiln-\(UUID().uuidString).xml")
    defer { try? FileManager.default.removeItem(at: place) }
    func record(_ time: String) -> String {
      """
      <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" value="5" \
      startDate="\(time)" endDate="\(time)"/>
      """
    }
    // In Budapest the export's day is the 25th, with 25 hours, and its last one is that of the offset.
    let times = [
      "2026-10-24 21:59:59 +0000", "2026-10-24 22:00:00 +0000", "2026-10-25 23:00:00 +0000",
    ]
    let text = """
      <HealthData><ExportDate value="2026-10-25 22:30:00 +0000"/>\
      \(times.map(record).joined())</HealthData>
      """
    try Data(text.utf8).write(to: place)
    let days = Mutex<[Interaction]>([])
    _ = try run(place.path, try AppleReading.options()) { batch in
      days.withLock { $0 += batch.interactions.filter { $0.resourceText != nil } }
    }
    let made = days.withLock { $0 }
    let statuses = try made.map { try #require(try $0.written()).document.root["status"]?.string }
    #expect(statuses == ["final", "preliminary", "final"])
    guard made.count == 3, case .conditionalUpdate = made[0],
      case .conditionalRevision(let day, _) = made[1], case .conditionalUpdate = made[2]
    else {
      Issue.record("\(made)")
      return
    }
    func standing(_ status: String, _ source: String) throws -> Resource {
      try Resource(
        parsing: Array(
          """
          {"resourceType":"Observation","meta":{"source":"urn:kiln:source:\(source)"},\
          "status":"\(status)","code":{"text":"Steps"}}
          """.utf8))
    }
    func replaces(_ status: String, _ source: String) throws -> Bool {
      let before = try standing(status, source)
      return try day.revised(before)?.document.bytes != before.document.bytes
    }
    #expect(try replaces("preliminary", "apple-health-export"))
    #expect(try !replaces("final", "apple-health-export"))
    #expect(try !replaces("preliminary", "com.apple.health"))
    #expect(try !replaces("final", "com.apple.health"))
  }

  @Test("of an archive's document that fails its checksum nothing is stored")
  func damaged() throws {
    let count = Mutex(0)
    let error = #expect(throws: AppleExport.Failure.self) {
      try run("fixtures/archive/damaged.zip", try AppleReading.options()) { batch in
        count.withLock { $0 += batch.interactions.count }
      }
    }
    let words = try #require(error).description
    #expect(words.hasPrefix("damaged.xml is damaged: "))
    #expect(words.contains("any of its values may be wrong, so nothing of it is stored"))
    // The person was read.
    #expect(count.withLock(\.self) == 1)
  }

  @Test("a file that can't be unpacked keeps neither the document nor others from being read")
  func damagedNeighbour() throws {
    let report = try run("fixtures/archive/broken.zip", try AppleReading.options())
    #expect(report.document == "apple_health_export/export.xml")
    #expect(report.recordsRead == 200)
    #expect(report.endedBecause == nil)
    #expect(report.routes == .init(read: 1, taken: 0))
    let left = try #require(report.leftOut[.unreadable])
    #expect(left.count == 1)
    #expect(left.first?.text.hasPrefix("apple_health_export/workout-routes/route.gpx: ") == true)
  }

  @Test("what is no export says so")
  func refuses() throws {
    let options = try AppleReading.options()
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
