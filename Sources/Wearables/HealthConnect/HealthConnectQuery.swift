import Archive

/// A query whose rows are readings: the times, what all records have, then up to three values.
///
/// A record lies in alias `r`, a row of its child in alias `c`.
struct HealthConnectQuery {
  let text: String

  /// The places of the columns that every such query has.
  private enum Column: Int {
    case start, end, recordStart, offset, app, device, method, modified, name, detail, value
    case second, third, key
  }

  private init(
    _ type: HealthConnectType, times: [String], record: RowSource, values: [String], rows: String
  ) {
    let facts =
      [record.optional("start_zone_offset", "zone_offset")]
      + ["app_info_id", "device_info_id", "recording_method", "last_modified_time"]
      .map { record.optional($0) }
    // Only what is stored one by one needs a name by which it is found again.
    let name = type.isEvent ? "hex(substr(\(record.optional("uuid")), 1, 64))" : "NULL"
    let kind = type.detail ?? (type.isSession ? nil : type.filter?.column)
    let detail = kind.map { record.optional($0) } ?? "NULL"
    text =
      "SELECT " + (times + facts + [name, detail] + values).joined(separator: ", ") + " FROM "
      + rows
  }

  /// The readings of one type that is no session.
  ///
  /// - Parameter schema: what this export has: versions differ.
  /// - Throws: the table or column without which there are no such readings.
  init(_ type: HealthConnectType, in schema: HealthConnectSchema) throws(HealthConnectSchema.Lack) {
    let record = try RowSource("r", type.record, schema)
    let start = try record.required("start_time", "time")
    guard let table = type.child else {
      let end = type.shape == .interval ? try record.required("end_time") : start
      var values: [String] = []
      for column in type.columns { values.append(try record.required(column)) }
      self.init(
        type, times: [start, end, start], record: record, values: values, rows: record.name)
      return
    }
    let child = try RowSource("c", table, schema)
    let time = try child.required("epoch_millis")
    let key = try record.required("row_id") + " = " + child.required("parent_key")
    // CROSS keeps this order: records are found by their key while the children go by once.
    self.init(
      type, times: [time, time, start], record: record,
      values: [try child.required(type.columns.first ?? "")],
      rows: "\(child.name) CROSS JOIN \(record.name) ON \(key)")
  }

  /// The records of sessions by rising start, one row for each of their parts: its start, end and
  /// type. A record without parts, or whose parts this export doesn't have, comes with nulls; one
  /// that has a type of its own comes as its own part.
  init(
    sessions types: [HealthConnectType], in schema: HealthConnectSchema
  ) throws(HealthConnectSchema.Lack) {
    guard let type = types.first else { throw .init(table: "", column: nil) }
    let record = try RowSource("r", type.record, schema)
    let times = [try record.required("start_time"), try record.required("end_time")]
    let key = try record.required("row_id")
    let order = " ORDER BY \(times[0]), \(key)"
    if let table = type.child, let parts = try? Self.parts(of: type, in: table, schema) {
      self.init(
        type, times: times + [times[0]], record: record, values: parts.columns + [key],
        rows: "\(record.name) LEFT JOIN \(parts.name) ON \(parts.key) = \(key)" + order)
    } else {
      let own = types.compactMap(\.filter).first { _ in type.child == nil }
      let typeColumn = try own.map { filter throws(HealthConnectSchema.Lack) in
        try record.required(filter.column)
      }
      let part = typeColumn.map { times + [$0] } ?? ["NULL", "NULL", "NULL"]
      self.init(
        type, times: times + [times[0]], record: record, values: part + [key],
        rows: record.name + order)
    }
  }

  /// What is missing for the parts of a type's sessions; `nil` if nothing is, or it has none.
  static func lackOfParts(
    of type: HealthConnectType, in schema: HealthConnectSchema
  ) -> HealthConnectSchema.Lack? {
    guard type.isSession, let table = type.child else { return nil }
    do throws(HealthConnectSchema.Lack) {
      _ = try parts(of: type, in: table, schema)
      return nil
    } catch {
      return error
    }
  }

  private static func parts(
    of type: HealthConnectType, in table: String, _ schema: HealthConnectSchema
  ) throws(HealthConnectSchema.Lack) -> (name: String, key: String, columns: [String]) {
    let child = try RowSource("c", table, schema)
    let prefix = type.columns.first ?? ""
    let columns = [
      try child.required(prefix + "_start_time"), try child.required(prefix + "_end_time"),
      try child.required(prefix + "_type"),
    ]
    return (child.name, try child.required("parent_key"), columns)
  }
}

extension HealthConnectQuery {
  /// The reading of a row, or why it is none.
  static func reading(
    _ row: borrowing SQLiteRow
  ) -> Result<HealthConnectReading, HealthConnectReport.Reason> {
    guard let start = time(row, .start), let end = time(row, .end) else {
      return .failure(.badDate)
    }
    guard start <= end else { return .failure(.reversed) }
    return .success(
      HealthConnectReading(
        start: start, end: end, recordStart: time(row, .recordStart) ?? start,
        offset: row.integer(Column.offset.rawValue).flatMap(HealthConnectReading.offset),
        app: row.integer(Column.app.rawValue), device: row.integer(Column.device.rawValue),
        isManual: row.integer(Column.method.rawValue) == HealthConnectReading.manualMethod,
        modified: row.integer(Column.modified.rawValue) ?? 0,
        name: row.text(Column.name.rawValue).flatMap { $0.isEmpty ? nil : $0 },
        detail: row.integer(Column.detail.rawValue).flatMap { Int(exactly: $0) }))
  }

  private static func time(_ row: borrowing SQLiteRow, _ column: Column) -> Int64? {
    row.integer(column.rawValue).flatMap { HealthConnectReading.times.contains($0) ? $0 : nil }
  }

  /// A value of a row, 0 the first; `nil` if it is missing.
  static func value(_ row: borrowing SQLiteRow, _ position: Int) -> Double? {
    guard let value = row.number(Column.value.rawValue + position), value.isFinite,
      value != HealthConnectReading.missing
    else { return nil }
    return value
  }

  /// The part of a session in a row of `init(sessions:)`; `nil` if there is none.
  static func part(_ row: borrowing SQLiteRow) -> HealthConnectSession.Part? {
    guard let start = time(row, .value), let end = time(row, .second), start < end,
      let type = row.integer(Column.third.rawValue).flatMap({ Int(exactly: $0) })
    else { return nil }
    return HealthConnectSession.Part(start: start, end: end, type: type)
  }

  /// The key of the record in a row of `init(sessions:)`.
  static func key(_ row: borrowing SQLiteRow) -> Int64? { row.integer(Column.key.rawValue) }
}

/// A table under an alias, with the columns that it has in this export.
private struct RowSource {
  let alias: String
  let table: String
  let columns: Set<String>

  init(
    _ alias: String, _ table: String, _ schema: HealthConnectSchema
  ) throws(HealthConnectSchema.Lack) {
    try schema.require(table)
    self.alias = alias
    self.table = table
    columns = schema.columns(of: table)
  }

  var name: String { SQLiteFile.quoted(table) + " AS " + alias }

  private func found(_ names: [String]) -> String? {
    names.first { columns.contains($0) }.map { "\(alias).\(SQLiteFile.quoted($0))" }
  }

  func optional(_ names: String...) -> String { found(names) ?? "NULL" }

  func required(_ names: String...) throws(HealthConnectSchema.Lack) -> String {
    guard let name = found(names) else {
      throw .init(table: table, column: names.joined(separator: " or "))
    }
    return name
  }
}
