import FHIRModel
import Foundation
import KeyValue
import Testing

@testable import Kiln

@Suite("A store whose index other search parameters made")
struct OutdatedIndexTests {
  private let folder = NSTemporaryDirectory() + "kiln-index-\(UUID().uuidString)"
  private let search = "Observation?code=8867-4"

  /// As a version with other parameters left it: none of today's entries, and its own mark.
  private func makeOutdated() throws {
    let store = try FHIRStore(folder: folder)
    try store.create(
      Array(
        #"{"resourceType":"Observation","status":"final","code":{"coding":[{"code":"8867-4"}]}}"#
          .utf8), as: .operator(name: "setup"))
    #expect(try store.search(search, as: .operator(name: "test")).matches.count == 1)
    let secrets = try #require(Assembly.tables.first { $0.name == "secrets" })
    let postings = try #require(Assembly.tables.first { $0.name == "search-postings" })
    try store.assembly.engine.write { transaction in
      try transaction.put(Array(repeating: 7, count: 8), at: Key(Array("index".utf8)), in: secrets)
      var entries: [(Key, UInt64)] = []
      try transaction.reader.walkPostings(postings, .everything, .forward) { key, number in
        entries.append((Key(key), number))
        return .next
      }
      for (key, number) in entries { try transaction.remove(number, at: key, in: postings) }
    }
  }

  @Test("is not opened until it has a new one")
  func refused() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try makeOutdated()
    #expect(throws: OutdatedIndex.self) { try Assembly.open(folder) }
    var options = Assembly.Options()
    options.takesOutdatedIndex = true
    let assembly = try Assembly.open(folder, options)
    #expect(assembly.hasOutdatedIndex)
    try assembly.reindex()
    assembly.close()
    try Assembly.open(folder).close()
  }

  @Test("gets a new one when an app opens it")
  func rebuilt() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try makeOutdated()
    let store = try FHIRStore(folder: folder)
    #expect(try store.search(search, as: .operator(name: "test")).matches.count == 1)
  }
}
