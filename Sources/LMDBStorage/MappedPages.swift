#if canImport(Glibc)
  import Glibc

  extension Environment {
    /// Takes the map's pages out of this process, for which they count as resident. They stay in the
    /// system's cache and come back when they are looked at.
    ///
    /// The map can't lose anything by it: LMDB writes to the file and not to the map, which is read
    /// only and shared (lmdb.h, MDB_WRITEMAP, which isn't used here). Where it lies only the system
    /// says (mdb_env_info tells it of fixed maps alone); where the system doesn't, nothing is done.
    ///
    /// - SeeAlso: madvise(2), MADV_DONTNEED; proc_pid_maps(5)
    func releasePages() {
      try? unsafe pass { _ in
        guard let path = unsafe realpath(folder.dataFile, nil) else { return }
        defer { unsafe free(path) }
        guard let maps = unsafe fopen("/proc/self/maps", "re") else { return }
        defer { unsafe fclose(maps) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { unsafe free(line) }
        while unsafe getline(&line, &capacity, maps) > 0 {
          guard let text = unsafe line, unsafe strstr(text, path) != nil else { continue }
          let fields = unsafe String(cString: text)
          guard let map = Self.map(in: fields, of: unsafe String(cString: path)) else { continue }
          unsafe madvise(
            UnsafeMutableRawPointer(bitPattern: map.lowerBound), map.count, MADV_DONTNEED)
        }
      }
    }

    /// Where a line of `maps` says that the file is mapped to be read and shared.
    private static func map(in line: String, of path: String) -> Range<UInt>? {
      // Address, permissions, offset, device, inode and path.
      let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      guard fields.count == 6, fields[1] == "r--s",
        fields[5].drop(while: { $0 == " " }).dropLast() == path[...]
      else { return nil }
      let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
    }
  }
#else
  extension Environment {
    /// Nothing: this system doesn't say where the map lies.
    func releasePages() {}
  }
#endif
