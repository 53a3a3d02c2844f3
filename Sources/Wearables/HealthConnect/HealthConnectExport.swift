import Archive

/// An export of Health Connect: the database of a phone's records, as Android backs it up.
package final class HealthConnectExport {
  /// The last part of its path.
  let name: String
  package let schema: HealthConnectSchema
  let apps: HealthConnectApps
  private let file: SQLiteFile

  /// The file is a database, but holds none of Health Connect's tables.
  package struct NoRecords: Error, Hashable, Sendable, CustomStringConvertible {
    let path: String
    package var description: String {
      "\(path) holds a database, but none of Health Connect's tables of records"
    }
  }

  /// Why a file is no export, in words.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// Opens the archive that a phone hands out, or the database in it.
  ///
  /// - Throws: `ArchiveError`, `SQLiteFileError`, `Failure`, `NoRecords`.
  package init(path: String) throws {
    name = path.split(separator: "/").last.map(String.init) ?? path
    file = try Self.database(at: path)
    let schema = try HealthConnectSchema(of: file)
    guard HealthConnectType.all.contains(where: { schema.tables.contains($0.record) }) else {
      throw NoRecords(path: path)
    }
    self.schema = schema
    apps = try HealthConnectApps(of: file, schema)
  }

  private static func database(at path: String) throws -> SQLiteFile {
    do {
      return try SQLiteFile(fileOrArchive: path)
    } catch let error as SQLiteFileError {
      let reason =
        switch error {
        case .notADatabase: "it is neither a zip archive nor an SQLite database, or is encrypted"
        case .noDatabase: "none of the files in it is an SQLite database"
        default: "\(error)"
        }
      throw Failure(description: "\(path) is no export of Health Connect: \(reason)")
    }
  }

  /// The zone without changing clocks that most records have; UTC where they have none.
  func usualHome() throws -> HomeZone {
    var counts: [Int: Int] = [:]
    for table in Set(HealthConnectType.all.map(\.record)) {
      let columns = schema.columns(of: table)
      guard let column = ["start_zone_offset", "zone_offset"].first(where: columns.contains) else {
        continue
      }
      try? file.forEachRow(
        "SELECT \(column), count(*) FROM \(SQLiteFile.quoted(table)) GROUP BY \(column)"
      ) { row in
        guard let offset = row.integer(0).flatMap(HealthConnectReading.offset) else { return }
        counts[offset, default: 0] += row.integer(1).flatMap { Int(exactly: $0) } ?? 0
      }
    }
    let usual = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
    return try HomeZone(parsing: [Self.zoneName(offset: usual)])
  }

  /// `GMT+0530`, which names a zone that is always so far from UTC.
  private static func zoneName(offset: Int) -> String {
    let minutes = abs(offset) / 60
    let digits = String(10_000 + minutes / 60 * 100 + minutes % 60).dropFirst()
    return "GMT\(offset < 0 ? "-" : "+")\(digits)"
  }

  /// Lends the readings of a type that is no session, with its one or two values, in no order.
  func forEachReading(
    of type: HealthConnectType,
    _ each: (Result<HealthConnectReading, HealthConnectReport.Reason>, [Double?]) throws -> Void
  ) throws {
    let query = try HealthConnectQuery(type, in: schema)
    let valueCount = type.columns.count
    try file.forEachRow(query.text) { row in
      let values = (0..<valueCount).map { HealthConnectQuery.value(row, $0) }
      try each(HealthConnectQuery.reading(row), values)
    }
  }

  /// What is missing for the parts of a type's sessions, which are then read without parts.
  func lackOfParts(of type: HealthConnectType) -> HealthConnectSchema.Lack? {
    HealthConnectQuery.lackOfParts(of: type, in: schema)
  }

  /// Lends the sessions of types that stand in one table, by rising start.
  func forEachSession(
    of types: [HealthConnectType],
    _ each: (Result<HealthConnectSession, HealthConnectReport.Reason>) throws -> Void
  ) throws {
    let query = try HealthConnectQuery(sessions: types, in: schema)
    var gathering = Gathering()
    try file.forEachRow(query.text) { row in
      if let done = gathering.take(row) { try each(done) }
    }
    if let done = gathering.finish() { try each(done) }
  }

  /// The rows of one session after another.
  private struct Gathering {
    private var key: Int64?
    private var current: Result<HealthConnectSession, HealthConnectReport.Reason>?

    mutating func take(
      _ row: borrowing SQLiteRow
    ) -> Result<HealthConnectSession, HealthConnectReport.Reason>? {
      let rowKey = HealthConnectQuery.key(row)
      var done: Result<HealthConnectSession, HealthConnectReport.Reason>?
      if current == nil || rowKey != key {
        done = finish()
        key = rowKey
        current = HealthConnectQuery.reading(row).map {
          HealthConnectSession(reading: $0, rank: 0)
        }
      }
      if let part = HealthConnectQuery.part(row) { add(part) }
      return done
    }

    private mutating func add(_ part: HealthConnectSession.Part) {
      guard case .success(var session) = current else { return }
      current = nil
      guard session.parts.count < HealthConnectSession.partCountMaximum else {
        current = .failure(.tooManyParts)
        return
      }
      session.parts.append(part)
      current = .success(session)
    }

    mutating func finish() -> Result<HealthConnectSession, HealthConnectReport.Reason>? {
      defer { current = nil }
      guard case .success(var session) = current else { return current }
      session.parts.sort { ($0.start, $0.end, $0.type) < ($1.start, $1.end, $1.type) }
      return .success(session)
    }
  }
}
