/// Files that belong together, however they arrive: in a zip archive, in a folder, or as one file.
package struct FileCollection {
  package enum Kind: Sendable {
    case zip
    case folder
    case file
  }

  package let kind: Kind
  package let path: String
  private let limits: ArchiveLimits

  /// - Throws: `ArchiveError.system` if nothing can be opened at `path`, `.empty` for a file without
  ///   a byte.
  package init(path: String, limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveError) {
    let file = try InputFile(path: path)
    kind = try Self.kind(of: file)
    self.path = path
    self.limits = limits
  }

  private static func kind(of file: InputFile) throws(ArchiveError) -> Kind {
    let status = try file.status()
    if status.kind == .folder { return .folder }
    var source = ByteSource(file, byteCount: nil)
    let head = try source.peek(2)
    guard !head.isEmpty else { throw .empty(path: file.path) }
    return head == Array("PK".utf8) ? .zip : .file
  }

  /// Hands every file to `visit`; a folder's in the order of their names, with the names of the
  /// folders inside of it before theirs. Links are passed over. The source is `visit`'s only while
  /// it runs.
  ///
  /// - Throws: what `visit` throws, and `ArchiveError`: a truncated archive says so behind its last
  ///   entry.
  package func forEachFile(
    _ visit: (ArchiveEntry, inout ByteSource) throws -> Walk
  ) throws {
    switch kind {
    case .zip: try ZipArchive(path: path, limits: limits).forEachEntry(visit)
    case .folder: try FolderWalk(limits: limits).run(in: path, visit)
    case .file:
      let file = try InputFile(path: path)
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let status = try file.status()
      let byteCount = status.kind == .file ? status.byteCount : nil
      var source = ByteSource(file, byteCount: byteCount)
      _ = try visit(ArchiveEntry(name: name, byteCount: byteCount), &source)
    }
  }
}
