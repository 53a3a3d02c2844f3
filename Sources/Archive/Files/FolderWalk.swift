#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Walks a folder and the folders inside of it, without following a link out of it.
struct FolderWalk {
  /// How deep folders may lie in each other.
  static let depthMaximum = 32

  let limits: ArchiveLimits

  func run(in path: String, _ visit: (ArchiveEntry, inout ByteSource) throws -> Walk) throws {
    var count = 0
    _ = try walk(try InputFile(path: path), prefix: "", depth: 0, count: &count, visit)
  }

  private func walk(
    _ folder: InputFile, prefix: String, depth: Int, count: inout Int,
    _ visit: (ArchiveEntry, inout ByteSource) throws -> Walk
  ) throws -> Walk {
    guard depth < Self.depthMaximum else { return .on }
    for name in try Self.names(in: folder) {
      guard let file = try InputFile.entry(named: name, of: folder) else { continue }
      let status = try file.status()
      count += 1
      guard count <= limits.entryCountMaximum else {
        throw ArchiveError.tooManyEntries(maximum: limits.entryCountMaximum)
      }
      var walk = Walk.on
      switch status.kind {
      case .folder:
        walk = try self.walk(
          file, prefix: prefix + name + "/", depth: depth + 1, count: &count, visit)
      case .file:
        var source = ByteSource(file, byteCount: status.byteCount)
        walk = try visit(ArchiveEntry(name: prefix + name, byteCount: status.byteCount), &source)
      case .other: break
      }
      if walk == .stop { return .stop }
    }
    return .on
  }

  /// The names in a folder, sorted; those that aren't UTF-8 are passed over.
  static func names(in folder: InputFile) throws(ArchiveError) -> [String] {
    // The listing closes its own descriptor.
    let copy = dup(folder.descriptor)
    guard copy >= 0, let listing = unsafe fdopendir(copy) else {
      throw .lastFailure(of: "opendir", folder.path)
    }
    defer { unsafe closedir(listing) }
    var names: [String] = []
    while let entry = unsafe readdir(listing) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let name, name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
