import Archive
import Foundation
import SeededNumbers
import Testing

@testable import Wearables

@Suite("Faults of Health Connect exports")
struct HealthConnectFaultsTests {
  @Test("cells of another kind or beyond all measure are told and stop nothing")
  func cells() throws {
    let file = try ExportFile(
      statements: """
        CREATE TABLE steps_record_table (row_id INTEGER PRIMARY KEY, uuid, last_modified_time,
          device_info_id, app_info_id, recording_method, start_time, start_zone_offset, end_time,
          end_zone_offset, count);
        INSERT INTO steps_record_table VALUES
          (1, x'00', 'later', 'none', 9223372036854775807, 3.5, 1773133200000, -9223372036854775808,
            1773136800000, 0, '12'),
          (2, NULL, NULL, NULL, NULL, NULL, 9223372036854775807, 0, 9223372036854775807, 0, 5),
          (3, NULL, NULL, NULL, NULL, NULL, -9223372036854775808, 0, 1773136800000, 0, 5),
          (4, NULL, NULL, NULL, NULL, NULL, 'noon', 0, 1773136800000, 0, 5),
          (5, NULL, NULL, NULL, NULL, NULL, 1773133200000, 1, 1773136800000, 0, 1e308),
          (6, NULL, NULL, NULL, NULL, NULL, 1773133200000, 7200, 1773136800000, 0, -4),
          (7, NULL, NULL, NULL, NULL, NULL, 1773133200000.5, 7200, 1773136800000, 0, 4),
          (8, NULL, NULL, NULL, NULL, NULL, 1773136800000, 99999999, 1773140400000, 0, x'0c');
        """)
    var reader = try file.read()
    #expect(reader.report.readCount == 8)
    #expect(
      reader.report.skipped == [
        .badDate: ["StepsRecord": 4], .outsideRange: ["StepsRecord": 2],
        .noValue: ["StepsRecord": 1],
      ])
    var values: [Double] = []
    try reader.engine.finish { values.append($0.value) }
    #expect(values == [12])
  }

  @Test("every value of an export is used, merged or skipped, and each counts once")
  func accounts() throws {
    let file = try ExportFile(
      statements: """
        CREATE TABLE steps_record_table (row_id INTEGER PRIMARY KEY, app_info_id, start_time,
          start_zone_offset, end_time, count);
        INSERT INTO steps_record_table VALUES (1, 1, 1773133200000, 3600, 1773136800000, 100),
          (2, 1, 1773133200000, 3600, 1773136800000, 100),
          (3, 1, 1773133200000, 3600, 1773136800000, -100);
        CREATE TABLE blood_pressure_record_table (row_id INTEGER PRIMARY KEY, app_info_id, time,
          zone_offset, systolic, diastolic);
        INSERT INTO blood_pressure_record_table VALUES (1, 1, 1773133200000, 3600, 120, 80),
          (2, 1, 1773133200000, 3600, 120, 80), (3, 1, 1773136800000, 3600, 120, 80000),
          (4, 1, 1773140400000, 3600, 120, 80), (5, 1, 1773140400000, 3600, 120, 81);
        CREATE TABLE sleep_session_record_table (row_id INTEGER PRIMARY KEY, uuid, app_info_id,
          start_time, start_zone_offset, end_time);
        INSERT INTO sleep_session_record_table VALUES
          (1, x'01', 1, 1773133200000, 3600, 1773136800000),
          (2, x'02', 1, 1773133200000, 3600, 1773136800000),
          (3, x'03', 1, 1773133200000, 3600, 1773140400000),
          (4, x'04', 1, 1773133200000, 3600, 1773133100000);
        CREATE TABLE ovulation_test_record_table (row_id INTEGER PRIMARY KEY, uuid, app_info_id,
          time, zone_offset, result);
        INSERT INTO ovulation_test_record_table VALUES (1, x'01', 1, 1773133200000, 3600, 1),
          (2, x'02', 1, 1773133200000, 3600, 99);
        """)
    let report = try file.takeIn().report
    #expect(report.readCount == 14)
    #expect(report.merged == 3)
    #expect(
      report.skipped == [
        .outsideRange: ["StepsRecord": 1], .unknownValue: ["OvulationTestRecord": 1],
        .reversed: ["SleepSessionRecord": 1],
      ])
    #expect(report.used == 8)
    #expect(report.lines[1] == "records: 14 read, 8 used, 3 merged, 3 skipped")
  }

  @Test("a list of apps that names none leaves all of them out, and no list leaves out none")
  func lists() throws {
    func steps(_ list: String?) throws -> [Double] {
      let row = list.map {
        "INSERT INTO health_data_category_priority_table VALUES (1, 1, '\($0)');"
      }
      let file = try ExportFile(
        statements: """
          CREATE TABLE health_data_category_priority_table (row_id, health_data_category,
            app_id_priority_order);
          CREATE TABLE steps_record_table (row_id INTEGER PRIMARY KEY, app_info_id, start_time,
            start_zone_offset, end_time, count);
          INSERT INTO steps_record_table VALUES (1, 4, 1773133200000, 3600, 1773136800000, 100);
          \(row ?? "")
          """)
      return try file.days().values.map(\.value)
    }
    #expect(try steps(nil) == [100])
    #expect(try steps("4") == [100])
    #expect(try steps("7, 4,") == [100])
    #expect(try steps("7") == [])
    #expect(try steps("") == [])
  }

  @Test("what is no export is refused with the file and what was looked for")
  func noExport() {
    func refusal(_ path: String) -> String? {
      let error = #expect(throws: HealthConnectExport.Failure.self) {
        try HealthConnectExport(path: Fixture.path(path))
      }
      return error?.description.replacing(Fixture.path(path), with: path)
    }
    #expect(
      refusal("fixtures/archive/plain.zip")
        == "fixtures/archive/plain.zip is no export of Health Connect: none of the files in it is "
        + "an SQLite database")
    #expect(
      refusal("fixtures/archive/plain.xml")
        == "fixtures/archive/plain.xml is no export of Health Connect: it is neither a zip archive "
        + "nor an SQLite database, or is encrypted")
  }

  @Test("of the day of its last change an export doesn't replace what others know")
  func lastChange() throws {
    // 08:00 in Budapest from 2026-10-24 on, each changed an hour later; one is changed in the far future.
    let first: Int64 = 1_792_821_600_000
    let rows = (0..<3).map { number in
      let start = first + Int64(number) * 86_400_000 + (number > 0 ? 3_600_000 : 0)
      let change = number == 2 ? 4_000_000_000_000 : start + 3_600_000
      return "(\(number), x'0\(number)', \(change), 1, \(start), 7200, \(start + 600_000), 7200, 5)"
    }
    let file = try ExportFile(
      statements: """
        CREATE TABLE steps_record_table (row_id INTEGER PRIMARY KEY, uuid, last_modified_time,
          app_info_id, start_time, start_zone_offset, end_time, end_zone_offset, count);
        INSERT INTO steps_record_table VALUES \(rows.joined(separator: ","));
        """)
    let made = try file.takeIn().performed
    let days = try made.map { interaction in
      let root = try #require(try interaction.written()).document.root
      var isRevision = false
      if case .conditionalRevision(let revision, _) = interaction {
        isRevision = revision is UnfinishedDay
      }
      let start = root["effectivePeriod"]?["start"]?.string?.prefix(10) ?? ""
      return "\(start) \(root["status"]?.string ?? "") \(isRevision)"
    }
    #expect(
      days == ["2026-10-24 final false", "2026-10-25 preliminary true", "2026-10-26 final false"])
  }

  @Test("of what can be read only in part, days that have a value keep it", arguments: [11])
  func parts(seed: UInt64) throws {
    let file = try ExportFile("person")
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: file.path)))
    var dice = SplitMix64(seed: seed)
    for _ in 0..<500 {
      var bytes = whole
      for _ in 0..<8 { bytes[Int(dice.next() % UInt64(bytes.count))] = 0xff }
      try Data(bytes).write(to: URL(fileURLWithPath: file.path))
      guard let (report, performed) = try? file.takeIn(), !report.damages.isEmpty else { continue }
      let days = performed.filter { $0.resourceText?.contains("urn:kiln:daily-value") == true }
      guard days.count > 5 else { continue }
      for day in days {
        guard case .conditionalRevision(let revision, _) = day, revision is Filling else {
          Issue.record("\(day)")
          return
        }
      }
      #expect(report.lines.contains("days that have a value already keep it"))
      return
    }
    Issue.record("no damage, seed \(seed)")
  }

  @Test("views and tables of code stand for no table")
  func views() throws {
    #expect(throws: HealthConnectExport.NoRecords.self) {
      let file = try ExportFile(
        statements: """
          CREATE TABLE t (a);
          CREATE VIEW steps_record_table AS WITH RECURSIVE n(i) AS
            (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS start_time FROM n;
          """)
      _ = try HealthConnectExport(path: file.path)
    }
  }

  @Test(
    "bytes that changed anywhere in the file end in values, a report or a refusal", arguments: [7])
  func bytes(seed: UInt64) throws {
    let file = try ExportFile("person")
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: file.path)))
    var dice = SplitMix64(seed: seed)
    var outcomes: Set<String> = []
    for _ in 0..<120 {
      var bytes = whole
      for _ in 0..<(1 + Int(dice.next() % 40)) {
        bytes[Int(dice.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: dice.next())
      }
      if dice.next() % 8 == 0 { bytes.removeLast(Int(dice.next() % UInt64(bytes.count))) }
      try Data(bytes).write(to: URL(fileURLWithPath: file.path))
      do {
        var reader = try file.read()
        try reader.engine.finish { _ in }
        outcomes.insert(reader.report.damages.isEmpty ? "values" : "damage")
      } catch is HealthConnectExport.Failure {
        outcomes.insert("refused")
      } catch is SQLiteFileError {
        outcomes.insert("refused")
      } catch is HealthConnectExport.NoRecords {
        outcomes.insert("no records")
      }
    }
    #expect(outcomes.isSuperset(of: ["values", "damage", "refused"]), "seed \(seed)")
  }
}

@Suite("The table of Health Connect's tables")
struct HealthConnectTypeTests {
  @Test("holds every type that is a value, each in a unit that its metric knows")
  func types() throws {
    let known = MetricTable.shared.metrics
      .filter { $0.sourceTypes[.healthConnect] != nil }.map(\.name)
    let held = HealthConnectType.all.compactMap {
      MetricTable.shared[.healthConnect, $0.identifier]
    }
    #expect(Set(held.map(\.name)) == Set(known))
    #expect(held.count == HealthConnectType.all.count)
    for (type, metric) in zip(HealthConnectType.all, held) where !type.unit.isEmpty {
      let targets = type.shape == .panel ? MetricTable.shared.parts(of: metric) : [metric]
      for target in targets {
        #expect(target.converted(1, from: type.unit) != nil, "\(type.identifier) in \(type.unit)")
      }
    }
  }

  @Test("names tables and columns of the fixture's schema, which was written apart from it")
  func columns() throws {
    let file = try ExportFile("person")
    let schema = try HealthConnectSchema(of: SQLiteFile(path: file.path))
    for type in HealthConnectType.all {
      #expect(throws: Never.self, "\(type.identifier)") {
        if type.isSession {
          _ = try HealthConnectQuery(sessions: [type], in: schema)
        } else {
          _ = try HealthConnectQuery(type, in: schema)
        }
      }
    }
  }
}
