#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file in the system's folder for temporary ones that only this user may read; it is removed with
/// its last reference, and whoever has it open then keeps it until they close it.
final class PrivateFile {
  let path: String
  private let descriptor: Int32

  /// - Throws: `ArchiveError.system` if no file can be made there.
  init() throws(ArchiveError) {
    // The system fills in the last six letters.
    var template = Array("\(SpillFile.defaultFolder)/kiln-XXXXXX".utf8CString)
    // Only the user's own bits are set: mkstemp(3).
    descriptor = unsafe template.withUnsafeMutableBufferPointer { name in
      unsafe name.baseAddress.map { unsafe mkstemp($0) } ?? -1
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard descriptor >= 0 else { throw .lastFailure(of: "mkstemp", path) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit {
    unsafe unlink(path)
    close(descriptor)
  }

  /// Adds bytes at the end.
  ///
  /// - Throws: `ArchiveError.system`, for a full disk as well.
  func append(_ bytes: [UInt8]) throws(ArchiveError) {
    var done = 0
    while done < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { all in
        unsafe write(descriptor, all.baseAddress.map { unsafe $0 + done }, all.count - done)
      }
      if written > 0 {
        done += written
      } else if errno != EINTR {
        throw .lastFailure(of: "write", path)
      }
    }
  }
}
