import CSQLite
import FHIRModel
import Foundation
import Synchronization
import Testing

@testable import Wearables

@Suite("Health Connect exports")
struct HealthConnectTests {
  @Test("for a person who isn't there nothing is performed, and no sample is kept")
  func missingPerson() throws {
    let file = try ExportFile("person")
    let options = HealthConnectOptions(
      patient: try #require(ResourceID("Patient/synthetic-2")),
      home: try HomeZone(parsing: ["Europe/Budapest"]), now: try Instant("2026-11-30T12:00:00Z"))
    let store = MissingPerson()
    var importer = HealthConnectImport(
      try HealthConnectExport(path: file.path), options, perform: store.perform)
    importer.shelf = store.shelf
    store.expectNothing(for: options.patient) { _ = try importer.run() }
  }

  @Test("every value of a day is what an independent program makes of the same export")
  func days() throws {
    let file = try ExportFile("person")
    let found = try file.days()
    let expected = try Fixture.lines("fixtures/health-connect/person.days.tsv")
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    #expect(Set(found.keys) == Set(expected.map { "\($0[0]) \($0[1])" }))
    for cells in expected {
      guard let value = found["\(cells[0]) \(cells[1])"] else { continue }
      let numbers = cells.dropFirst(2).map { Double($0) ?? rank(of: $0, in: cells[0]) }
      #expect(isClose(value.value, numbers.first ?? nil), "\(cells)")
      if numbers.count > 1 {
        #expect(isClose(value.minimum, numbers[1]), "\(cells)")
        #expect(isClose(value.maximum, numbers[2]), "\(cells)")
      }
    }
  }

  @Test("an older version without methods, offsets, lists and some tables gives what it has")
  func oldVersion() throws {
    let file = try ExportFile("old-version")
    let found = try file.days()
    let expected = try Fixture.lines("fixtures/health-connect/old-version.days.tsv")
      .map { $0.split(separator: "\t").map(String.init) }
    #expect(Set(found.keys) == Set(expected.map { "\($0[0]) \($0[1])" }))
    for cells in expected {
      #expect(isClose(found["\(cells[0]) \(cells[1])"]?.value, Double(cells[2])), "\(cells)")
    }
  }

  @Test("what is stored one by one comes with its kind, its value and its time without pauses")
  func events() throws {
    let file = try ExportFile("person")
    _ = try file.read()
    let told = file.events.map { event in
      "\(event.metric.name) \(event.key) \(event.kind ?? event.coded?.code ?? "-") "
        + "\(event.minutes ?? 0)"
    }
    // The keys are the fixture's own names of the records, in hexadecimal digits.
    func key(_ name: String) -> String {
      name.utf8.map { String($0, radix: 16) }.joined()
    }
    #expect(
      told == [
        "workout \(key("exercise_session_record_table/1")) EXERCISE_SESSION_TYPE_RUNNING 52.5",
        "menstruation_period \(key("menstruation_period_record_table/1")) - 5760.0",
        "ovulation_test_result \(key("ovulation_test_record_table/1")) RESULT_POSITIVE 0.0",
      ])
  }

  /// The place of a coded value among those of its type.
  private func rank(of code: String, in metric: String) -> Double? {
    MetricTable.shared[metric]?.sourceTypes[.healthConnect]?.value(code).map { Double($0.rank) }
  }

  private func isClose(_ one: Double?, _ other: Double?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs(one - other) <= 1e-8 * max(1, abs(other))
  }
}

/// An export made of the statements of a fixture.
final class ExportFile {
  private let folder: String
  private(set) var events: [HealthConnectEvent] = []
  var path: String { folder + "/health_connect_export.db" }

  convenience init(_ name: String) throws {
    let statements = try Fixture.bytes("fixtures/health-connect/\(name).sql")
    try self.init(statements: String(decoding: statements, as: UTF8.self))
  }

  init(statements: String) throws {
    folder = NSTemporaryDirectory() + "kiln-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var database: OpaquePointer?
    try #require(unsafe sqlite3_open(path, &database) == SQLITE_OK)
    defer { unsafe sqlite3_close(database) }
    let all = "BEGIN; \(statements) COMMIT;"
    try #require(unsafe sqlite3_exec(database, all, nil, nil, nil) == SQLITE_OK)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func read(withoutManual: Bool = false) throws -> HealthConnectReader {
    var reader = HealthConnectReader(
      try HealthConnectExport(path: path), home: try HomeZone(parsing: ["Europe/Budapest"]),
      withoutManual: withoutManual)
    try reader.read { _, event in events.append(event) }
    return reader
  }

  /// Takes all of it in as a command does, and gives what would be performed.
  func takeIn(
    _ change: (inout HealthConnectOptions) -> Void = { _ in }
  ) throws -> (report: HealthConnectReport, performed: [Interaction]) {
    var options = HealthConnectOptions(
      patient: try #require(ResourceID("Patient/synthetic-1")),
      home: try HomeZone(parsing: ["Europe/Budapest"]), now: try Instant("2026-11-30T12:00:00Z"))
    change(&options)
    let person = StoredVersion(
      id: options.patient, version: .first, lastUpdated: options.now, isDeleted: false, bytes: [])
    let performed = Mutex<[Interaction]>([])
    var importer = HealthConnectImport(
      try HealthConnectExport(path: path), options,
      perform: { batch in
        batch.interactions.map {
          if case .read = $0 { return .success(.found(person)) }
          let interaction = $0
          performed.withLock { $0.append(interaction) }
          return .success(.created(person))
        }
      })
    let report = try importer.run()
    return (report, performed.withLock { $0 })
  }

  /// By metric and day.
  func days(withoutManual: Bool = false) throws -> [String: DayValue] {
    var engine = try read(withoutManual: withoutManual).engine
    var days: [String: DayValue] = [:]
    try engine.finish { value in
      let metric = MetricTable.shared.metrics[Int(value.metric)]
      days["\(metric.name) \(value.day.text)"] = value
    }
    return days
  }
}
