import CSystem
import REST

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A body that is received into a file without a name. The file is written on the loop's thread, into
/// the system's cache: a disk that can't follow makes the loop wait with it.
final class Upload {
  private let file: File
  private let ledger: Ledger
  private var reservedByteCount = 0

  private static let stepByteCount = 16 << 20

  /// The descriptor, closed with the last reference.
  private final class File: Sendable {
    let descriptor: Int32
    init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
  }

  private(set) var byteCount = 0

  /// - Throws: `Refusal.noRoomForUpload` if no file can be made.
  init(in folder: String, ledger: Ledger) throws(Refusal) {
    let descriptor = Self.namelessFile(in: folder)
    guard descriptor >= 0 else { throw .noRoomForUpload }
    file = File(descriptor)
    self.ledger = ledger
  }

  /// A file that only this process can reach; where the system can, one that may be given a name.
  private static func namelessFile(in folder: String) -> Int32 {
    #if os(Linux)
      let nameless = unsafe kiln_nameless_file(folder)
      if nameless >= 0 { return nameless }
    #endif
    var template = Array((folder + "/kiln-upload-XXXXXX").utf8CString)
    let descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { return -1 }
    _ = unsafe unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  deinit { ledger.unreserveUpload(reservedByteCount) }

  /// - Throws: `Refusal.noRoomForUpload` if all uploads together are too large, or the disk is full.
  func append(_ bytes: Span<UInt8>) throws(Refusal) {
    while byteCount + bytes.count > reservedByteCount {
      guard ledger.reserveUpload(Self.stepByteCount) else { throw .noRoomForUpload }
      reservedByteCount += Self.stepByteCount
    }
    var written = 0
    while written < bytes.count {
      let result = unsafe bytes.extracting(written..<bytes.count).withUnsafeBytes {
        unsafe write(file.descriptor, $0.baseAddress, $0.count)
      }
      if result < 0, errno == EINTR { continue }
      guard result > 0 else { throw .noRoomForUpload }
      written += result
    }
    byteCount += bytes.count
  }

  /// The file with all of the body in it; its room is given back with its last reference.
  func finished() -> BodyFile {
    let reserved = reservedByteCount
    reservedByteCount = 0
    return BodyFile(path: "/dev/fd/\(file.descriptor)", byteCount: byteCount) { [file, ledger] in
      ledger.unreserveUpload(reserved)
      withExtendedLifetime(file) {}
    }
  }
}
