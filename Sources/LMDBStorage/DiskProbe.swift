import KeyValue

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The disk's own speed, to set durable commits beside.
package enum DiskProbe {
  /// How many times a second the disk under `folder` takes 4 KiB and says that they are safe, one
  /// after another in one file.
  ///
  /// - Throws: `StorageError.system`.
  package static func flushesPerSecond(in folder: String, count: Int) throws -> Double {
    let path = folder + "/disk-probe"
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StorageError.system("open \(path)") }
    defer {
      close(descriptor)
      _ = unsafe unlink(path)
    }
    let page = [UInt8](repeating: 0x4b, count: 4096)
    let clock = ContinuousClock()
    let start = clock.now
    for position in 0..<count {
      let written = unsafe page.withUnsafeBytes {
        unsafe pwrite(descriptor, $0.baseAddress, $0.count, position * page.count)
      }
      guard written == page.count else { throw StorageError.system("pwrite \(path)") }
      guard flush(descriptor) == 0 else { throw StorageError.system("fdatasync \(path)") }
    }
    let (seconds, attoseconds) = (clock.now - start).components
    return Double(count) / (Double(seconds) + Double(attoseconds) * 1e-18)
  }

  private static func flush(_ descriptor: Int32) -> Int32 {
    #if os(Linux)
      fdatasync(descriptor)
    #else
      fcntl(descriptor, F_FULLFSYNC)
    #endif
  }
}
