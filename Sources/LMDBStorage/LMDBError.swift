import CLMDB
import KeyValue

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension StorageError {
  /// The error that a return code of LMDB, or an `errno` that it passed on, stands for.
  init(code: Int32, call: String) {
    switch code {
    case MDB_MAP_FULL, MDB_TXN_FULL, ENOSPC, EDQUOT, EFBIG: self = .full
    case MDB_READERS_FULL: self = .tooManyReaders
    default:
      self = .system(call: call, code: code, reason: unsafe String(cString: mdb_strerror(code)))
    }
  }

  /// - Throws: unless `code` says success.
  static func check(_ code: Int32, _ call: @autoclosure () -> String) throws(StorageError) {
    guard code == MDB_SUCCESS else { throw StorageError(code: code, call: call()) }
  }

  /// As `check`, for a call of the system that sets `errno`.
  static func system(_ call: String) -> StorageError { StorageError(code: errno, call: call) }
}
