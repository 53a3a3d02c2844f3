import Foundation

/// Lets one client at a time change the files of a folder, whether it is of this process or of another:
/// an app and its extension may share one.
///
/// It is held only while a file is read and written anew, because iOS ends an app that it suspends with a
/// lock on a shared folder.
struct FolderLock {
  private let url: URL

  init(in folder: URL) { url = folder.appendingPathComponent("lock") }

  /// Waits until nobody else holds it. Not to be asked for again within `work`.
  func whileHeld<Result>(_ work: () throws -> Result) throws -> Result {
    // Fails where it is there already, which is as well.
    try? Data().write(to: url, options: .withoutOverwriting)
    let handle = try FileHandle(forUpdating: url)
    // Closing gives it back, and so does the end of the process.
    defer { try? handle.close() }
    while flock(handle.fileDescriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
    return try work()
  }

  /// Removes what writers left that were killed before they put it in a file's place. Not to be asked
  /// for within `whileHeld`.
  func removeRemains() throws {
    let folder = url.deletingLastPathComponent()
    try whileHeld {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
      where name.hasPrefix(".dat.nosync") {
        try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
      }
    }
  }
}
