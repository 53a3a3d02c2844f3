import CLMDB
import KeyValue

/// The pages that other processes have written lie outside this process's map.
struct MapWasResized: Error {}

extension Environment {
  /// The file's bytes up to its last page in use or free, and the size of the map.
  struct Sizes {
    var used: Int
    var map: Int
  }

  func sizes() throws -> Sizes { try unsafe pass { try unsafe Self.sizes(of: $0) } }

  /// The last commit, by whichever process.
  func latestCommit() throws -> Commit {
    try unsafe pass { environment in
      var info = unsafe MDB_envinfo()
      try unsafe StorageError.check(mdb_env_info(environment, &info), "mdb_env_info")
      return unsafe Commit(UInt64(info.me_last_txnid))
    }
  }

  /// Enlarges the map to hold what another process has written.
  func followMap() throws {
    try unsafe alone { environment in
      let sizes = try unsafe Self.sizes(of: environment)
      // LMDB takes what is used in the file where that is more (lmdb.h, mdb_env_set_mapsize).
      let wanted = min(max(sizes.map, sizes.used * 2), options.mapByteCountMaximum)
      try unsafe Self.resize(environment, to: wanted)
    }
  }

  /// Enlarges the map, at most to `ceiling`; `false` if it has that size.
  func growMap(to ceiling: Int) throws -> Bool {
    try unsafe alone { environment in
      let before = try unsafe Self.sizes(of: environment).map
      guard before < ceiling else { return false }
      let wanted = min(max(before * 2, options.mapByteCount), ceiling)
      try unsafe Self.resize(environment, to: wanted)
      return try unsafe Self.sizes(of: environment).map > before
    }
  }

  /// Makes the map smaller, so that a transaction may use the file's free pages but not enlarge it
  /// past `ceiling`.
  func shrinkMap(to ceiling: Int) throws {
    try unsafe alone { environment in try unsafe Self.resize(environment, to: ceiling) }
  }

  private static func resize(_ environment: OpaquePointer, to byteCount: Int) throws {
    try unsafe StorageError.check(
      mdb_env_set_mapsize(environment, byteCount), "mdb_env_set_mapsize")
  }

  private static func sizes(of environment: OpaquePointer) throws -> Sizes {
    var info = unsafe MDB_envinfo()
    var stat = MDB_stat()
    try unsafe StorageError.check(mdb_env_info(environment, &info), "mdb_env_info")
    try unsafe StorageError.check(mdb_env_stat(environment, &stat), "mdb_env_stat")
    return unsafe Sizes(used: (info.me_last_pgno + 1) * Int(stat.ms_psize), map: info.me_mapsize)
  }
}
