import Archive

/// The tables and columns that an export has. Versions of Health Connect differ in them.
package struct HealthConnectSchema: Sendable {
  /// As the export says, about 23 at present.
  package let version: Int
  private let columnsByTable: [String: Set<String>]

  /// What an export doesn't have: a table, or a column of one.
  package struct Lack: Error, Hashable, Sendable {
    package let table: String
    package let column: String?
  }

  init(of file: SQLiteFile) throws {
    version = Int(try file.userVersion())
    var columnsByTable: [String: Set<String>] = [:]
    for table in try file.tableNames() {
      columnsByTable[table] = Set(try file.columnNames(of: table))
    }
    self.columnsByTable = columnsByTable
  }

  var tables: Set<String> { Set(columnsByTable.keys) }

  func columns(of table: String) -> Set<String> { columnsByTable[table] ?? [] }

  func require(_ table: String) throws(Lack) {
    guard columnsByTable[table] != nil else { throw Lack(table: table, column: nil) }
  }
}

extension HealthConnectSchema.Lack: CustomStringConvertible {
  package var description: String {
    column.map { "the table \(table) has no column \($0)" } ?? "there is no table \(table)"
  }
}
