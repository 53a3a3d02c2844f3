#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An open file or folder, closed with its last reference.
final class InputFile {
  let descriptor: Int32
  let path: String

  static let chunkByteCount = 256 * 1024

  /// Opens `path` for reading.
  ///
  /// - Throws: `ArchiveError.system` with the system's words.
  convenience init(path: String) throws(ArchiveError) {
    try self.init(path: path, opened: unsafe open(path, O_RDONLY | O_CLOEXEC))
  }

  /// Opens an entry of a folder; `nil` for what can't be read as a file or folder: a link, a socket,
  /// or what went away meanwhile.
  static func entry(named name: String, of folder: InputFile) throws(ArchiveError) -> InputFile? {
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = unsafe openat(folder.descriptor, name, flags)
    if descriptor < 0, [ELOOP, ENXIO, ENOENT].contains(errno) { return nil }
    return try InputFile(path: folder.path + "/" + name, opened: descriptor)
  }

  private init(path: String, opened descriptor: Int32) throws(ArchiveError) {
    guard descriptor >= 0 else { throw .lastFailure(of: "open", path) }
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  enum Kind { case file, folder, other }

  /// What it is, and its size in bytes.
  func status() throws(ArchiveError) -> (kind: Kind, byteCount: Int) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .lastFailure(of: "fstat", path) }
    let kind: Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      default: .other
      }
    return (kind, Int(status.st_size))
  }

  /// The next bytes; `nil` at the end.
  func read() throws(ArchiveError) -> [UInt8]? {
    var failure: ArchiveError?
    let chunk = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunkByteCount) { space, count in
      var result: Int
      repeat {
        result = unsafe Self.systemRead(descriptor, space.baseAddress, space.count)
      } while result < 0 && errno == EINTR
      if result < 0 { failure = .lastFailure(of: "read", path) }
      count = max(0, result)
    }
    if let failure { throw failure }
    return chunk.isEmpty ? nil : chunk
  }

  private static func systemRead(
    _ descriptor: Int32, _ space: UnsafeMutablePointer<UInt8>?, _ count: Int
  ) -> Int {
    guard let space = unsafe space else { return 0 }
    #if canImport(Glibc)
      return unsafe Glibc.read(descriptor, space, count)
    #else
      return unsafe Darwin.read(descriptor, space, count)
    #endif
  }
}

extension ByteSource {
  /// The bytes of an open file from where it stands.
  init(_ file: InputFile, byteCount: Int?) {
    self.init(byteCount: byteCount) { () throws(ArchiveError) in try file.read() }
  }

  /// The bytes of the file at `path`.
  ///
  /// - Throws: `ArchiveError.system` if it can't be opened.
  package init(path: String) throws(ArchiveError) {
    let file = try InputFile(path: path)
    self.init(file, byteCount: try file.status().byteCount)
  }
}

extension ArchiveError {
  /// What the system's last failure was.
  static func lastFailure(of call: String, _ path: String) -> ArchiveError {
    // Beyond a quota or the process's limit there is no room either.
    [ENOSPC, EDQUOT, EFBIG].contains(errno)
      ? .full(path: path)
      : .system(call: call, path: path, reason: unsafe String(cString: strerror(errno)))
  }
}
