#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder whose files are whole and on the disk as soon as they have their names, and gone from it
/// once they are removed. For its owner alone.
package final class DurableFolder: Sendable {
  package let path: String
  /// Held open, so that its names can be flushed.
  private let descriptor: Int32
  private let lockDescriptor: Int32

  /// Names that begin so are of files that are being written.
  private static let unfinished = ".unfinished-"
  private static let lock = ".lock"

  /// Opens the folder, making it where it is missing, and keeps other processes from doing so; what
  /// was being written when a process ended is removed.
  ///
  /// - Throws: `ArchiveError.system`; its reason says so if another process holds it.
  package init(_ path: String) throws(ArchiveError) {
    self.path = path
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw .lastFailure(of: "mkdir", path)
    }
    descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .lastFailure(of: "open", path) }
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    lockDescriptor = unsafe openat(descriptor, Self.lock, flags, 0o600)
    // It ends with the process, however that ends (lockf(3)).
    guard lockDescriptor >= 0, lockf(lockDescriptor, F_TLOCK, 0) == 0 else {
      let failure = ArchiveError.lastFailure(of: "lockf", path)
      if lockDescriptor >= 0 { close(lockDescriptor) }
      close(descriptor)
      throw failure
    }
    // What can't be removed, such as a folder of that name, is in nobody's way.
    for name in try allNames() where name.hasPrefix(Self.unfinished) { try? remove(name) }
  }

  deinit {
    close(lockDescriptor)
    close(descriptor)
  }

  /// Where the file of that name stands.
  package func path(of name: String) -> String { path + "/" + name }

  /// The names of all files in it, sorted.
  package func names() throws(ArchiveError) -> [String] {
    try ownNames().filter(isFile)
  }

  /// The names of what is in it and no file: a folder, a link, a pipe. Nothing of it is read.
  package func strangers() throws(ArchiveError) -> [String] {
    try ownNames().filter { !isFile($0) }
  }

  /// Whether a name is a file's, and not that of a link to one.
  package func isFile(_ name: String) -> Bool {
    var status = stat()
    guard unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFREG
  }

  /// Gives a name to a file that nobody changes any more, such as one without a name that is open in
  /// this process; where that can't be, to a copy. What was under the name is replaced.
  ///
  /// - Throws: `ArchiveError.full`, `.system`; then nothing is left of it.
  package func take(fileAt source: String, as name: String) throws(ArchiveError) {
    let file = try InputFile(path: source)
    guard fsync(file.descriptor) == 0 else { throw .lastFailure(of: "fsync", source) }
    let unfinished = Self.unfinished + name
    // A nameless file is reached through its descriptor's place: linkat(2).
    if unsafe linkat(AT_FDCWD, source, descriptor, unfinished, AT_SYMLINK_FOLLOW) == 0 {
      try publish(unfinished, as: name)
    } else {
      try write(as: name) { () throws(ArchiveError) in try file.read() }
    }
  }

  /// Writes a file in place of one of that name.
  ///
  /// - Throws: `ArchiveError.full`, `.system`; then the one that was there is still there.
  package func write(_ bytes: [UInt8], as name: String) throws(ArchiveError) {
    var rest: [UInt8]? = bytes
    try write(as: name) { () throws(ArchiveError) in
      defer { rest = nil }
      return rest
    }
  }

  /// The bytes of a file that has no more than so many; `nil` if there is none of that name.
  ///
  /// - Throws: `ArchiveError.system`; also for a longer one.
  package func bytes(of name: String, atMost maximum: Int) throws(ArchiveError) -> [UInt8]? {
    guard let file = try InputFile.entry(named: name, of: try InputFile(path: path)),
      try file.status().kind == .file
    else { return nil }
    var bytes: [UInt8] = []
    while let chunk = try file.read() {
      bytes += chunk
      guard bytes.count <= maximum else {
        let reason = "it has more than \(maximum) bytes"
        throw .system(call: "read", path: file.path, reason: reason)
      }
    }
    return bytes
  }

  /// Removes a file; one that isn't there is no failure.
  package func remove(_ name: String) throws(ArchiveError) {
    guard unsafe unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
      throw .lastFailure(of: "unlink", path(of: name))
    }
    try flushNames()
  }

  private func write(
    as name: String, _ next: () throws(ArchiveError) -> [UInt8]?
  ) throws(ArchiveError) {
    let unfinished = Self.unfinished + name
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
    let file = unsafe openat(descriptor, unfinished, flags, 0o600)
    guard file >= 0 else { throw .lastFailure(of: "open", path(of: name)) }
    do throws(ArchiveError) {
      defer { close(file) }
      while let chunk = try next() { try Self.append(chunk, to: file, path(of: name)) }
      guard fsync(file) == 0 else { throw .lastFailure(of: "fsync", path(of: name)) }
    } catch {
      unsafe unlinkat(descriptor, unfinished, 0)
      throw error
    }
    try publish(unfinished, as: name)
  }

  private static func append(
    _ bytes: [UInt8], to file: Int32, _ path: String
  ) throws(ArchiveError) {
    var done = 0
    while done < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { all in
        unsafe Self.systemWrite(
          file, all.baseAddress.map { unsafe $0 + done }, all.count - done)
      }
      if written > 0 {
        done += written
      } else if errno != EINTR {
        throw .lastFailure(of: "write", path)
      }
    }
  }

  private func publish(_ unfinished: String, as name: String) throws(ArchiveError) {
    guard unsafe renameat(descriptor, unfinished, descriptor, name) == 0 else {
      let failure = ArchiveError.lastFailure(of: "rename", path(of: name))
      unsafe unlinkat(descriptor, unfinished, 0)
      throw failure
    }
    try flushNames()
  }

  /// A new name is on the disk when its folder is flushed (fsync(2)).
  private func flushNames() throws(ArchiveError) {
    guard fsync(descriptor) == 0 else { throw .lastFailure(of: "fsync", path) }
  }

  private func ownNames() throws(ArchiveError) -> [String] {
    try allNames().filter { !$0.hasPrefix(".") }
  }

  private func allNames() throws(ArchiveError) -> [String] {
    try FolderWalk.names(in: try InputFile(path: path))
  }

  private static func systemWrite(
    _ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int
  ) -> Int {
    #if canImport(Glibc)
      return unsafe Glibc.write(file, bytes, count)
    #else
      return unsafe Darwin.write(file, bytes, count)
    #endif
  }
}
