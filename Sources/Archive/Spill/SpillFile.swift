#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file without a name: it is gone when it is closed, however the process ends.
final class SpillFile {
  private let descriptor: Int32
  private let folder: String
  private(set) var byteCount = 0

  /// - Throws: `ArchiveError.system` if no file can be made in `folder`.
  init(folder: String) throws(ArchiveError) {
    var template = Array((folder + "/kiln-spill-XXXXXX").utf8CString)
    let descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { throw .lastFailure(of: "mkstemp", folder) }
    _ = unsafe unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    self.descriptor = descriptor
    self.folder = folder
  }

  deinit { close(descriptor) }

  /// Appends the first `count` bytes.
  func append(_ bytes: [UInt8], count: Int) throws(ArchiveError) {
    var written = 0
    while written < count {
      let result = unsafe bytes.withUnsafeBytes {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: $0[written..<count])
        return unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(byteCount))
      }
      if result < 0, errno == EINTR { continue }
      guard result > 0 else { throw .lastFailure(of: "write", folder) }
      written += result
      byteCount += result
    }
  }

  /// Reads `count` bytes from `offset` on into the beginning of `bytes`.
  func read(_ count: Int, at offset: Int, into bytes: inout [UInt8]) throws(ArchiveError) {
    var done = 0
    while done < count {
      let result = unsafe bytes.withUnsafeMutableBytes {
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: $0[done..<count])
        return unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      }
      if result < 0, errno == EINTR { continue }
      guard result > 0 else { throw .lastFailure(of: "read", folder) }
      done += result
    }
  }

  /// Where temporary files go unless someone knows better.
  static var defaultFolder: String {
    guard let text = unsafe getenv("TMPDIR") else { return "/tmp" }
    return unsafe String(cString: text)
  }
}
