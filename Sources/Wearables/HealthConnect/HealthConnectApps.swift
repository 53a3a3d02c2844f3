import Archive

/// The apps and devices of an export, and the lists that say which app counts.
struct HealthConnectApps {
  /// By their rows in `application_info_table`: the package and its name for a reader.
  private var apps: [Int64: (package: String, name: String?)] = [:]
  private var devices: [Int64: HealthConnectDevice] = [:]
  /// By category of data: the rows of the apps, the best first.
  private var lists: [Int: [Int64]] = [:]
  /// The tables that this export doesn't have.
  private(set) var lacks: [HealthConnectSchema.Lack] = []

  init(of file: SQLiteFile, _ schema: HealthConnectSchema) throws {
    try readApps(file, schema)
    try readDevices(file, schema)
    try readLists(file, schema)
  }

  private mutating func readApps(_ file: SQLiteFile, _ schema: HealthConnectSchema) throws {
    let columns = ["row_id", "package_name", "app_name"]
    guard let query = query(columns, of: "application_info_table", schema) else { return }
    try file.forEachRow(query) {
      guard let row = $0.integer(0), let package = $0.text(1) else { return }
      apps[row] = (Self.short(package), $0.text(2).map(Self.short))
    }
  }

  private mutating func readDevices(_ file: SQLiteFile, _ schema: HealthConnectSchema) throws {
    let columns = ["row_id", "manufacturer", "model", "device_type"]
    guard let query = query(columns, of: "device_info_table", schema) else { return }
    try file.forEachRow(query) {
      guard let row = $0.integer(0) else { return }
      devices[row] = HealthConnectDevice(
        manufacturer: $0.text(1).map(Self.short), model: $0.text(2).map(Self.short),
        type: $0.integer(3))
    }
  }

  private mutating func readLists(_ file: SQLiteFile, _ schema: HealthConnectSchema) throws {
    let columns = ["health_data_category", "app_id_priority_order"]
    guard let query = query(columns, of: "health_data_category_priority_table", schema) else {
      return
    }
    try file.forEachRow(query) {
      guard let category = $0.integer(0).flatMap({ Int(exactly: $0) }) else { return }
      let text = $0.text(1) ?? $0.integer(1).map { "\($0)" } ?? ""
      lists[category] = text.split { !"-0123456789".contains($0) }.compactMap { Int64($0) }
    }
  }

  /// The query for some columns, of which the first two must be there; `nil` if they aren't.
  private mutating func query(
    _ columns: [String], of table: String, _ schema: HealthConnectSchema
  ) -> String? {
    let present = schema.columns(of: table)
    if let missing = columns.prefix(2).first(where: { !present.contains($0) }) {
      lacks.append(.init(table: table, column: present.isEmpty ? nil : missing))
      return nil
    }
    let selected = columns.map { present.contains($0) ? SQLiteFile.quoted($0) : "NULL" }
    return "SELECT " + selected.joined(separator: ", ") + " FROM " + SQLiteFile.quoted(table)
  }

  /// Names are longer than this only by mistake.
  private static func short(_ name: String) -> String { String(name.prefix(200)) }

  /// The identifier of an app; one that the export doesn't name is called by its row.
  func identifier(of app: Int64?) -> String {
    guard let app else { return "unknown" }
    return apps[app]?.package ?? "app \(app)"
  }

  /// What measured: the device if it is named, else the app.
  func source(app: Int64?, device: Int64?) -> Source {
    let measuring = device.flatMap { devices[$0] }
    let name = measuring?.name ?? app.flatMap { apps[$0]?.name } ?? identifier(of: app)
    return Source(name: name, identifier: identifier(of: app), kind: measuring?.kind ?? .other)
  }

  /// The place of an app among those that count for a category, 0 the best; `nil` for one that doesn't
  /// count. Where the export holds no list, the kind of the device decides.
  func place(of app: Int64?, device: Int64?, in category: Int?) -> Int? {
    guard let list = category.flatMap({ lists[$0] }) else {
      return Int((device.flatMap { devices[$0] }?.kind ?? .other).rawValue)
    }
    return app.flatMap { list.firstIndex(of: $0) }
  }

  /// The identifiers of the apps that count for a category, the best first; `nil` if the export
  /// holds no list.
  func list(of category: Int) -> [String]? { lists[category]?.map { identifier(of: $0) } }
}

/// A row of `device_info_table`.
struct HealthConnectDevice {
  let manufacturer: String?
  let model: String?
  /// `Device.DEVICE_TYPE_…`
  let type: Int64?

  /// `nil` if neither maker nor model is named.
  var name: String? {
    let words = [manufacturer, model].compactMap(\.self).filter { !$0.isEmpty }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  var kind: Source.Kind {
    switch type {
    case 1, 4, 6, 7: .watch
    case 2: .phone
    default: .other
    }
  }
}
