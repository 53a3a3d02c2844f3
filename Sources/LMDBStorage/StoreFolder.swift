import CLMDB
import KeyValue

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The folder of a store, for its owner alone: `data.mdb` holds everything, `lock.mdb` who reads.
struct StoreFolder: Sendable {
  let path: String
  var dataFile: String { path + "/data.mdb" }

  /// Makes the folder and an empty store where they are missing. A store is there whole or not at
  /// all, whatever moment the process or the machine stops at.
  func prepare(format: UInt32) throws {
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw StorageError.system("mkdir \(path)")
    }
    var status = stat()
    if unsafe stat(dataFile, &status) == 0 {
      guard status.st_size > 0 else { throw StorageError.unknownFormat("\(dataFile) is empty") }
      return
    }
    guard errno == ENOENT else { throw StorageError.system("stat \(dataFile)") }
    let unfinished = "\(dataFile).unfinished-\(getpid())"
    unsafe unlink(unfinished)
    defer { unsafe unlink(unfinished) }
    try writeEmptyStore(at: unfinished, format: format)
    do {
      try Files.publish(unfinished, as: dataFile)
    } catch StorageError.system(_, EEXIST, _) {
      // Another process was faster, and its store is as good.
    }
  }

  /// By how many bytes the data file may grow before the disk or the process's limit ends it; `nil`
  /// if the system doesn't say.
  var growableByteCount: Int? {
    var disk = statvfs()
    var file = stat()
    var limit = rlimit()
    guard unsafe statvfs(path, &disk) == 0, unsafe stat(dataFile, &file) == 0,
      unsafe getrlimit(fileSizeLimit, &limit) == 0
    else { return nil }
    let free = Int(clamping: UInt64(disk.f_bavail) * UInt64(disk.f_frsize))
    return min(free, Int(clamping: limit.rlim_cur) - Int(file.st_size))
  }

  private func writeEmptyStore(at file: String, format: UInt32) throws {
    let environment = try unsafe Environment.create()
    defer { unsafe mdb_env_close(environment) }
    try unsafe StorageError.check(mdb_env_set_maxdbs(environment, 1), "mdb_env_set_maxdbs")
    try unsafe StorageError.check(
      mdb_env_open(environment, file, UInt32(MDB_NOSUBDIR | MDB_NOLOCK), 0o600),
      "mdb_env_open \(dataFile)")
    try unsafe withTransaction(environment, 0) { try unsafe FormatRecord.write(format, in: $0) }
  }
}

#if canImport(Glibc)
  private let fileSizeLimit = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#else
  private let fileSizeLimit = RLIMIT_FSIZE
#endif

/// Files that appear under their names only when they are whole and on the disk.
enum Files {
  /// Gives a finished, flushed file its name.
  ///
  /// - Throws: `StorageError.system` with `EEXIST` if the name is taken.
  static func publish(_ unfinished: String, as path: String) throws {
    // link(2) refuses to replace a file that exists, which rename(2) would do.
    guard unsafe link(unfinished, path) == 0 else { throw StorageError.system("link \(path)") }
    try flushFolder(of: path)
  }

  /// A new name is on the disk when its folder is flushed (fsync(2)).
  private static func flushFolder(of path: String) throws {
    let names = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let folder = names.isEmpty ? "." : names.joined(separator: "/") + "/"
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StorageError.system("open \(folder)") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw StorageError.system("fsync \(folder)") }
  }
}
