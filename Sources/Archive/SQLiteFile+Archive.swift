extension SQLiteFile {
  /// Whether bytes begin a database.
  package static func isDatabase(_ head: [UInt8]) -> Bool { head.starts(with: header) }

  // "SQLite format 3" and a zero byte: sqlite.org/fileformat2.html, 1.3.1.
  private static let header = Array("SQLite format 3\u{0}".utf8)

  /// Opens a database, or the first one in a zip archive, whatever the files are called. That of an
  /// archive is unpacked into a private file, a chunk at a time, which is gone when this is.
  ///
  /// - Throws: `ArchiveError`, `SQLiteFileError`: `.noDatabase` for an archive without one.
  package convenience init(fileOrArchive path: String) throws {
    let head = try ByteSource.head(ofFile: path, Self.header.count)
    guard head.starts(with: Array("PK".utf8)) else {
      try self.init(path: path)
      return
    }
    guard let file = try Self.unpacked(from: path) else {
      throw SQLiteFileError.noDatabase(archive: path)
    }
    try self.init(path: file.path)
    // The file is removed here; the open database keeps it.
    withExtendedLifetime(file) {}
  }

  private static func unpacked(from path: String) throws -> PrivateFile? {
    var file: PrivateFile?
    try ZipArchive(path: path).forEachEntry { _, source in
      guard isDatabase(try source.peek(header.count)) else { return .on }
      let unpacked = try PrivateFile()
      while let chunk = try source.next() { try unpacked.append(chunk) }
      file = unpacked
      return .stop
    }
    return file
  }
}

extension ByteSource {
  /// The first bytes of a file, `count` of them or all there are.
  ///
  /// - Throws: `ArchiveError.system` if it can't be read.
  fileprivate static func head(ofFile path: String, _ count: Int) throws(ArchiveError) -> [UInt8] {
    let file = try InputFile(path: path)
    guard try file.status().kind == .file else {
      throw .notAnArchive(path: path, reason: "it is no file")
    }
    return Array((try file.read() ?? []).prefix(count))
  }
}
