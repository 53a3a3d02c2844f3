import Foundation
import Testing

@testable import Archive

@Suite("A durable folder")
final class DurableFolderTests {
  private let place = FileManager.default.temporaryDirectory
    .appendingPathComponent("kiln-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: place) }

  private var all: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []).sorted()
  }

  @Test("gives back what was written last, and nothing once it is removed")
  func writing() throws {
    let folder = try DurableFolder(place.path)
    try folder.write([1, 2], as: "a")
    try folder.write([3], as: "a")
    try folder.write([], as: "b")
    #expect(try folder.bytes(of: "a") == [3])
    #expect(try folder.bytes(of: "b") == [])
    #expect(try folder.names() == ["a", "b"])
    try folder.remove("a")
    try folder.remove("a")
    #expect(try folder.bytes(of: "a") == nil)
    #expect(all == [".lock", "b"])
  }

  @Test("takes a file over, whatever becomes of its own name")
  func taking() throws {
    let folder = try DurableFolder(place.path)
    let source = place.path + "-source"
    try Data([7, 8, 9]).write(to: URL(fileURLWithPath: source))
    try folder.take(fileAt: source, as: "c")
    try FileManager.default.removeItem(atPath: source)
    #expect(try folder.bytes(of: "c") == [7, 8, 9])
    #expect(all == [".lock", "c"])
    #expect(throws: ArchiveError.self) { try folder.take(fileAt: source, as: "d") }
    #expect(all == [".lock", "c"])
  }

  @Test("has nothing of what was being written when a process ended")
  func unfinished() throws {
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    for name in [".unfinished-x", "y"] {
      try Data([1]).write(to: place.appendingPathComponent(name))
    }
    let folder = try DurableFolder(place.path)
    #expect(try folder.names() == ["y"])
    #expect(all == [".lock", "y"])
  }

  @Test("says where it can't be made")
  func missing() {
    let path = place.path + "/deeper/still"
    #expect(
      throws: ArchiveError.system(
        call: "mkdir", path: path, reason: "No such file or directory")
    ) {
      try DurableFolder(path)
    }
  }
}
