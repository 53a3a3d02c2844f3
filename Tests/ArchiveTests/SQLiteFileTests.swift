import Archive
import CSQLite
import Foundation
import Testing

@Suite("SQLite files")
struct SQLiteFileTests {
  @Test("rows come with their numbers, texts and nulls")
  func rows() throws {
    let file = try Scratch.database(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, number REAL, name TEXT, data BLOB);
      INSERT INTO t VALUES (1, 2.5, 'é', x'00'), (2, NULL, NULL, NULL), (3, 7, '41', x'');
      PRAGMA user_version = 23;
      """)
    let database = try SQLiteFile(path: file.path)
    var rows: [[String]] = []
    try database.forEachRow("SELECT id, number, name, data FROM t ORDER BY id") { row in
      rows.append([
        "\(row.integer(0) ?? -1)", "\(row.number(1) ?? -1)", row.text(2) ?? "-",
        row.text(3) ?? "no text",
      ])
    }
    #expect(
      rows == [
        ["1", "2.5", "é", "no text"], ["2", "-1.0", "-", "no text"], ["3", "7.0", "41", "no text"],
      ])
    #expect(try database.userVersion() == 23)
    #expect(try database.tableNames() == ["t"])
    #expect(try database.columnNames(of: "t") == ["id", "number", "name", "data"])
    #expect(try database.columnNames(of: "none").isEmpty)
  }

  @Test("a number that is no whole one is no integer, and a text that is no number is none")
  func conversions() throws {
    let file = try Scratch.database(
      "CREATE TABLE t (a, b, c); INSERT INTO t VALUES (1.5, 'x', 9e99), ('12', '1.25', x'01');")
    let database = try SQLiteFile(path: file.path)
    var integers: [Int64?] = []
    var numbers: [Double?] = []
    try database.forEachRow("SELECT a, b, c FROM t ORDER BY rowid") { row in
      integers += (0..<3).map { row.integer($0) }
      numbers += (0..<3).map { row.number($0) }
    }
    #expect(integers == [nil, nil, nil, 12, nil, nil])
    #expect(numbers == [1.5, nil, 9e99, 12, 1.25, nil])
  }

  @Test("views and virtual tables are no tables, and a file's own code is not trusted")
  func untrusted() throws {
    let file = try Scratch.database(
      """
      CREATE TABLE t (a);
      CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT i FROM n;
      CREATE VIRTUAL TABLE f USING fts5(a);
      """)
    let names = try SQLiteFile(path: file.path).tableNames()
    #expect(names.contains("t"))
    #expect(!names.contains("v"))
    #expect(!names.contains("f"))
  }

  @Test("a database is never changed, and nothing appears beside it")
  func readOnly() throws {
    let file = try Scratch.database("CREATE TABLE t (a); INSERT INTO t VALUES (1);")
    let before = try Data(contentsOf: URL(fileURLWithPath: file.path))
    let database = try SQLiteFile(path: file.path)
    #expect(throws: SQLiteFileError.self) { try database.forEachRow("DELETE FROM t") { _ in } }
    #expect(throws: SQLiteFileError.self) {
      try database.forEachRow("ATTACH '\(file.path).other' AS o") { _ in }
      try database.forEachRow("CREATE TABLE o.u (a)") { _ in }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: file.folder) == ["a ?#%.db"])
  }

  @Test("what is no database is refused, with the reason")
  func refusals() throws {
    let file = try Scratch.file(Array(repeating: UInt8(ascii: "x"), count: 5_000))
    #expect(throws: SQLiteFileError.notADatabase) { try SQLiteFile(path: file.path) }
    #expect(throws: SQLiteFileError.self) { try SQLiteFile(path: file.folder + "/none.db") }
    #expect(throws: SQLiteFileError.self) { try SQLiteFile(path: file.folder) }
  }

  @Test("a database that was cut off is refused; a broken page gives the rows before it")
  func damage() throws {
    let whole = try Scratch.database(
      """
      CREATE TABLE t (a);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        INSERT INTO t SELECT i FROM n;
      """)
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: whole.path)))
    let half = try Scratch.file(Array(bytes.prefix(bytes.count / 2)))
    #expect(throws: SQLiteFileError.damaged(reason: "database disk image is malformed")) {
      try SQLiteFile(path: half.path)
    }

    let middle = bytes.count / 8_192 * 4_096
    bytes.replaceSubrange(middle..<middle + 4_096, with: repeatElement(0xee, count: 4_096))
    let file = try Scratch.file(bytes)
    let broken = try SQLiteFile(path: file.path)
    var count = 0
    #expect(throws: SQLiteFileError.self) {
      try broken.forEachRow("SELECT a FROM t") { _ in count += 1 }
    }
    #expect((1..<20_000).contains(count))
  }

  @Test("a name is quoted whatever stands in it")
  func quoting() throws {
    let file = try Scratch.database(
      "CREATE TABLE \"a\"\"; b\" (c); INSERT INTO \"a\"\"; b\" VALUES (5);")
    let database = try SQLiteFile(path: file.path)
    var value: Int64?
    try database.forEachRow("SELECT c FROM \(SQLiteFile.quoted("a\"; b"))") {
      value = $0.integer(0)
    }
    #expect(value == 5)
  }
}

/// A file in a folder of its own, with characters in its name that have a meaning in addresses.
final class Scratch {
  let folder: String
  var path: String { folder + "/a ?#%.db" }

  private init() throws {
    folder = NSTemporaryDirectory() + "kiln-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  static func file(_ bytes: [UInt8]) throws -> Scratch {
    let scratch = try Scratch()
    try Data(bytes).write(to: URL(fileURLWithPath: scratch.path))
    return scratch
  }

  static func database(_ statements: String) throws -> Scratch {
    let scratch = try Scratch()
    var database: OpaquePointer?
    try #require(unsafe sqlite3_open(scratch.path, &database) == SQLITE_OK)
    defer { unsafe sqlite3_close(database) }
    try #require(unsafe sqlite3_exec(database, statements, nil, nil, nil) == SQLITE_OK)
    return scratch
  }
}
