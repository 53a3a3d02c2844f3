import Archive
import Testing

@Suite("Zip archive")
struct ZipArchiveTests {
  @Test("what isn't there or isn't an archive is said by name")
  func refusals() throws {
    #expect(throws: ArchiveError.self) { try ZipArchive(path: "/dev/null/nothing") }
    #expect(throws: ArchiveError.notAnArchive(path: "/", reason: "it is no file")) {
      try ZipArchive(path: "/")
    }
  }
}
