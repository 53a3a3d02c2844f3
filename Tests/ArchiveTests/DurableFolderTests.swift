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
    #expect(try folder.bytes(of: "a", atMost: 1) == [3])
    #expect(try folder.bytes(of: "b", atMost: 0) == [])
    #expect(throws: ArchiveError.self) { try folder.bytes(of: "a", atMost: 0) }
    #expect(try folder.names() == ["a", "b"])
    try folder.remove("a")
    try folder.remove("a")
    #expect(try folder.bytes(of: "a", atMost: 1) == nil)
    #expect(all == [".lock", "b"])
  }

  @Test("takes a file over, whatever becomes of its own name")
  func taking() throws {
    let folder = try DurableFolder(place.path)
    let source = place.path + "-source"
    try Data([7, 8, 9]).write(to: URL(fileURLWithPath: source))
    try folder.take(fileAt: source, as: "c")
    try FileManager.default.removeItem(atPath: source)
    #expect(try folder.bytes(of: "c", atMost: 3) == [7, 8, 9])
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

  @Test("reads no pipe, link or folder, and says which there are", .timeLimit(.minutes(1)))
  func strangers() throws {
    try FileManager.default.createDirectory(
      at: place.appendingPathComponent("folder"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      at: place.appendingPathComponent(".unfinished-folder"), withIntermediateDirectories: true)
    try Data([1]).write(to: place.appendingPathComponent("file"))
    try FileManager.default.createSymbolicLink(
      at: place.appendingPathComponent("link"),
      withDestinationURL: place.appendingPathComponent("file"))
    let pipe = unsafe mkfifo(place.path + "/pipe", 0o600)
    #expect(pipe == 0)
    let folder = try DurableFolder(place.path)
    #expect(try folder.names() == ["file"])
    #expect(try folder.strangers() == ["folder", "link", "pipe"])
    for name in ["folder", "link", "pipe"] {
      #expect(!folder.isFile(name))
      #expect(try folder.bytes(of: name, atMost: 1) == nil)
    }
  }

  @Test("follows no link to its lock", .timeLimit(.minutes(1)))
  func strangeLock() throws {
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let lock = place.appendingPathComponent(".lock")
    try FileManager.default.createSymbolicLink(
      at: lock, withDestinationURL: place.appendingPathComponent("elsewhere"))
    #expect(throws: ArchiveError.self) { try DurableFolder(place.path) }
    #expect(all == [".lock"])
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
