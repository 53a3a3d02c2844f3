import Archive
import Testing

@Suite("Zip archive")
struct ZipArchiveTests {
  /// Every entry's name, length and checksum, and what the walk failed with.
  func read(
    _ path: String, limits: ArchiveLimits = ArchiveLimits()
  ) -> (rows: [[String]], byteCount: Int, failure: ArchiveError?) {
    var rows: [[String]] = []
    var byteCount = 0
    do {
      try FileCollection(path: path, limits: limits).forEachFile { entry, source in
        var bytes: [UInt8] = []
        while let chunk = try source.next() {
          bytes += chunk
          byteCount += chunk.count
        }
        rows.append([entry.name, "\(bytes.count)", "\(Fixture.crc32(bytes))"])
        return .on
      }
    } catch { return (rows, byteCount, error as? ArchiveError) }
    return (rows, byteCount, nil)
  }

  @Test("entries are what another program reads")
  func entries() throws {
    let expected = try Dictionary(grouping: Fixture.rows("entries.tsv")) { $0[0] }
    #expect(expected.count == 6)
    for (archive, rows) in expected {
      let result = read(Fixture.path(archive))
      #expect(result.rows == rows.map { Array($0.dropFirst()) }, "\(archive)")
      #expect(result.failure == nil, "\(archive)")
    }
  }

  @Test("a name never becomes a path, whatever it is")
  func names() throws {
    let names = read(Fixture.path("outside.zip")).rows.map { $0[0] }
    #expect(names == ["../../outside.xml", "/etc/outside.xml", "apple_health_export/export.xml"])
  }

  @Test("what can't be read is said by name")
  func refusals() throws {
    #expect(read(Fixture.path("encrypted.zip")).failure == .encrypted(entry: "secret.xml"))
    guard case .notAnArchive = read(Fixture.path("only-a-name.zip")).failure else {
      Issue.record("an archive was found where there is none")
      return
    }
  }

  @Test("a name in a code page has its bytes replaced, not guessed at")
  func oldNames() throws {
    let names = read(Fixture.path("old-names.zip")).rows.map { $0[0] }
    #expect(names == ["apple_health_export/export.xml", "notes-\u{fffd}\u{fffd}\u{fffd}.txt"])
  }

  @Test("an empty archive has no entry, an empty file is none")
  func nothing() throws {
    #expect(read(Fixture.path("nothing-inside.zip")).failure == nil)
    let path = Fixture.path("empty.zip")
    #expect(throws: ArchiveError.empty(path: path)) { try FileCollection(path: path) }
    #expect(throws: ArchiveError.empty(path: path)) { try ZipArchive(path: path) }
    #expect(throws: ArchiveError.self) { try FileCollection(path: path + "/nowhere") }
    #expect(throws: ArchiveError.notAnArchive(path: "/", reason: "it is no file")) {
      try ZipArchive(path: "/")
    }
  }

  @Test("an entry that isn't what the archive says is said to be damaged")
  func damaged() throws {
    for name in ["damaged", "shorter"] {
      let result = read(Fixture.path(name + ".zip"))
      guard case .corrupt(entry: name + ".xml", let reason) = result.failure else {
        Issue.record("\(String(describing: result.failure))")
        continue
      }
      #expect(!reason.isEmpty && !reason.contains { $0.isNewline }, "a reason is part of a line")
    }
  }

  @Test("what stands behind an entry that can't be unpacked is read all the same")
  func broken() throws {
    var byteCounts: [String: Int] = [:]
    var limits = ArchiveLimits()
    func walk() throws {
      let archive = try ZipArchive(path: Fixture.path("broken.zip"), limits: limits)
      try archive.forEachEntry { entry, source in
        while let bytes = try? source.next() { byteCounts[entry.name, default: 0] += bytes.count }
        return .on
      }
    }
    try walk()
    #expect(byteCounts == ["apple_health_export/export.xml": 36_240])
    // The entry that is passed over again counts once more.
    limits.entryCountMaximum = 2
    #expect(throws: ArchiveError.tooManyEntries(maximum: 2)) { try walk() }
  }

  @Test("an archive that was cut off gives what there is, then says so")
  func truncated() throws {
    let result = read(Fixture.path("truncated.zip"))
    #expect(result.failure == .truncated(entry: "apple_health_export/export.xml"))
    #expect(result.byteCount > 100_000)
    var elements = 0
    var isTruncated = false
    let archive = try ZipArchive(path: Fixture.path("truncated.zip"))
    #expect(throws: ArchiveError.truncated(entry: nil)) {
      try archive.forEachEntry { _, source in
        var reader = XMLReader(source, skippingText: true)
        while let event = try reader.next() { if event == .start { elements += 1 } }
        isTruncated = reader.isTruncated
        return .on
      }
    }
    #expect(isTruncated)
    #expect(elements > 500)
  }

  @Test("what an archive may unpack to is limited, together and against its size")
  func limits() throws {
    var limits = ArchiveLimits()
    #expect(read(Fixture.path("dense.zip"), limits: limits).failure == nil)
    limits.byteCountAllowance = 100_000
    #expect(
      read(Fixture.path("dense.zip"), limits: limits).failure
        == .tooDense(entry: "zeros.xml", ratioMaximum: 200))
    #expect(read(Fixture.path("plain.zip"), limits: limits).failure == nil)
    limits.byteCountMaximum = 40_000
    #expect(read(Fixture.path("plain.zip"), limits: limits).failure == nil)
    limits.byteCountMaximum = 36_240
    #expect(
      read(Fixture.path("plain.zip"), limits: limits).failure
        == .tooLarge(byteCountMaximum: 36_240))
    limits = ArchiveLimits()
    limits.entryCountMaximum = 2
    #expect(
      read(Fixture.path("plain.zip"), limits: limits).failure == .tooManyEntries(maximum: 2))
  }

  @Test("a walk stops where it is told to, and what isn't read is skipped")
  func stopping() throws {
    var names: [String] = []
    let archive = try ZipArchive(path: Fixture.path("plain.zip"))
    try archive.forEachEntry { entry, source in
      names.append(entry.name)
      let head = try source.peek(2)
      #expect(head.count == 2)
      return names.count < 2 ? .on : .stop
    }
    #expect(
      names == ["apple_health_export/export.xml", "apple_health_export/export_cda.xml"])
  }

  @Test("a folder and a bare file are walked as an archive is")
  func folder() throws {
    let rows = try Fixture.rows("entries.tsv")
    let names = read(Fixture.path("")).rows.map { $0[0] }
    #expect(names == names.sorted())
    #expect(Set(rows.map { $0[0] }).isSubset(of: names))
    let bare = read(Fixture.path("plain.xml"))
    #expect(bare.rows.map { $0[0] } == ["plain.xml"])
    #expect(try FileCollection(path: Fixture.path("plain.xml")).kind == .file)
  }
}
