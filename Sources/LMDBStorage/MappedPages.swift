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
    /// - Parameter byteCount: nothing is done while the process holds less of the files that it maps,
    ///   its program and libraries among them: looking for the map and fetching pages anew costs more
    ///   than they take.
    /// - SeeAlso: madvise(2), MADV_DONTNEED; proc_pid_maps(5), proc_pid_statm(5)
    func releasePages(over byteCount: Int) {
      guard Self.residentByteCountOfFiles() >= byteCount else { return }
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

    /// What the process holds of mapped files; everything where the system doesn't say.
    private static func residentByteCountOfFiles() -> Int {
      guard let statm = unsafe fopen("/proc/self/statm", "re") else { return .max }
      defer { unsafe fclose(statm) }
      var line: UnsafeMutablePointer<CChar>?
      var capacity = 0
      defer { unsafe free(line) }
      guard unsafe getline(&line, &capacity, statm) > 0, let text = unsafe line else { return .max }
      // All pages, those that are resident, and of these those of files.
      let fields = unsafe String(cString: text).split(separator: " ")
      guard fields.count > 2, let pages = Int(fields[2]) else { return .max }
      return pages * sysconf(Int32(_SC_PAGESIZE))
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
    func releasePages(over byteCount: Int) {}
  }
#endif
