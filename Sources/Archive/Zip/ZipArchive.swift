import CArchive

/// What an archive may cost: nothing that it says of itself is believed.
package struct ArchiveLimits: Sendable {
  /// Bytes that all its entries together may unpack to.
  package var byteCountMaximum = 1 << 40
  /// How many times the archive's own size they may unpack to. Deflate reaches 1,032; honest
  /// exports of much alike records stay below 30.
  package var ratioMaximum = 200
  /// What any archive may unpack to, however small it is.
  package var byteCountAllowance = 16 << 20
  package var entryCountMaximum = 4_000_000

  package init() {}
}

/// One file of an archive or of a folder.
package struct ArchiveEntry: Hashable, Sendable {
  /// As the archive has it, its bytes repaired to UTF-8. It is a name and never used as a path.
  package let name: String
  /// Its size in bytes, where it is known before it was read.
  package let byteCount: Int?
}

/// Whether a walk goes on.
package enum Walk: Sendable {
  case on
  case stop
}

/// A zip archive in a file, read from its front to its end: zip64, entries whose sizes stand behind
/// them, and an archive that was cut off, whose entries are read as far as they go.
package final class ZipArchive {
  package let path: String
  /// The size of the archive itself.
  package let byteCount: Int
  private let limits: ArchiveLimits

  /// - Throws: `ArchiveError.system` if the file can't be opened, `.empty` if nothing is in it.
  package init(path: String, limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveError) {
    let status = try InputFile(path: path).status()
    guard status.kind == .file else {
      throw .notAnArchive(path: path, reason: "it is no file")
    }
    guard status.byteCount > 0 else { throw .empty(path: path) }
    self.path = path
    self.byteCount = status.byteCount
    self.limits = limits
  }

  /// Hands every file of the archive to `visit`, in the archive's order; what `visit` does not read
  /// is skipped. The source is `visit`'s only while it runs. Behind a damaged entry the walk goes on if
  /// `visit` doesn't throw.
  ///
  /// - Throws: what `visit` throws, and `ArchiveError`: `.notAnArchive`, `.truncated` behind the last
  ///   entry that could be found, `.tooManyEntries`; reading a source throws the others.
  package func forEachEntry(
    _ visit: (ArchiveEntry, inout ByteSource) throws -> Walk
  ) throws {
    var reading = try ZipReading(path: path, byteCount: byteCount, limits: limits)
    while let entry = try reading.nextEntry() {
      let current = reading
      var source = ByteSource(byteCount: entry.byteCount) { () throws(ArchiveError) in
        try current.nextBytes(of: entry)
      }
      if try visit(entry, &source) == .stop { return }
      if reading.isBroken { reading = try ZipReading(behind: reading) }
    }
  }
}
