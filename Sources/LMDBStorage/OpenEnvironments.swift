import KeyValue
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Which file something is, whatever path leads to it.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  init(of path: String) throws {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw StorageError.system("stat \(path)") }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

/// The environments that this process has open.
///
/// LMDB must not open one twice in a process: closing one of them would drop the other's file locks
/// (lmdb.h, Caveats).
enum OpenEnvironments {
  private static let identities = Mutex<Set<FileIdentity>>([])

  static func register(_ identity: FileIdentity, _ folder: String) throws {
    guard identities.withLock({ $0.insert(identity).inserted }) else {
      throw StorageError.system(
        call: "open \(folder)", code: EBUSY, reason: "this process has the store open already")
    }
  }

  static func unregister(_ identity: FileIdentity) {
    _ = identities.withLock { $0.remove(identity) }
  }
}
