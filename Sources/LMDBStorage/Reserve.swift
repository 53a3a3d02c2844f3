import CSystem
import KeyValue

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Space on the disk that is allocated behind the pages in use, so that what may use the reserve
/// still fits when the disk is full for everything else.
struct Reserve {
  private let dataFile: String
  private let byteCount: Int
  /// Up to where the file's blocks are known to be allocated.
  private var allocated = 0

  init(dataFile: String, byteCount: Int) {
    self.dataFile = dataFile
    self.byteCount = byteCount
  }

  /// Whether the reserve stands behind the `used` bytes, allocating more where it doesn't.
  mutating func isKept(behind used: Int) -> Bool {
    guard used + byteCount > allocated else { return true }
    // Twice the reserve at once: a system call now and then instead of one a commit.
    for wanted in [used + 2 * byteCount, used + byteCount] where allocate(from: used, to: wanted) {
      allocated = wanted
      return true
    }
    return false
  }

  private func allocate(from start: Int, to end: Int) -> Bool {
    #if os(Linux)
      let descriptor = unsafe open(dataFile, O_RDWR | O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      defer { close(descriptor) }
      // The file keeps its size, which LMDB compares with its pages (fallocate(2)).
      guard kiln_allocate_ahead(descriptor, start, end - start) == 0 else {
        // A file system that can't allocate ahead has no reserve to keep.
        return errno == EOPNOTSUPP
      }
    #endif
    return true
  }
}
