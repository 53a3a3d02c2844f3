import FHIRModel
import Foundation
import Search
import Testing

/// A file of `fixtures/search`.
struct SearchFixture: CustomTestStringConvertible {
  struct Case {
    var query: String
    var expected: [String]
    var isOrdered: Bool
  }

  var name: String
  var type: ResourceType
  var resources: [(id: ResourceID, json: String)]
  var cases: [Case]
  var refused: [String]

  var testDescription: String { name }

  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../fixtures/search")

  static func all() throws -> [SearchFixture] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
      .map { try SearchFixture($0) }
  }

  init(_ file: URL) throws {
    let root = try JSONDocument(parsing: Array(Data(contentsOf: file))).root
    name = file.deletingPathExtension().lastPathComponent
    let type = try #require(ResourceType(root["type"]?.string ?? ""))
    self.type = type
    resources = try #require(root["resources"]).elements.map { resource in
      let id = try #require(LogicalID(resource["id"]?.string ?? ""))
      return (ResourceID(type, id), String(decoding: resource.rawBytes, as: UTF8.self))
    }
    cases = try #require(root["cases"]).elements.map { item in
      Case(
        query: try #require(item["query"]?.string),
        expected: item["expected"]?.elements.compactMap(\.string) ?? [],
        isOrdered: item["ordered"]?.bool ?? false)
    }
    refused = root["refused"]?.elements.compactMap(\.string) ?? []
  }
}

@Suite("A search finds what R4's rules say")
struct FixtureTests {
  @Test("the fixtures of a kind", arguments: try SearchFixture.all())
  func fixture(_ fixture: SearchFixture) throws {
    let store = SearchTestStore()
    for (id, json) in fixture.resources { try store.put(id, json) }
    for item in fixture.cases {
      for pageCount in [1000, 2] {
        let found = try store.ids(item.query, of: fixture.type, pageCount: pageCount)
        let isRight =
          item.isOrdered ? found == item.expected : found.sorted() == item.expected.sorted()
        #expect(isRight, "\(item.query) by \(pageCount): \(found), not \(item.expected)")
      }
    }
    let (stored, expected) = try store.entries()
    #expect(stored == expected)
  }

  @Test("what can't be read is refused", arguments: try SearchFixture.all())
  func refusals(_ fixture: SearchFixture) throws {
    let store = SearchTestStore()
    for query in fixture.refused {
      #expect(throws: InteractionError.self, "\(query)") {
        try store.matches(query, of: fixture.type)
      }
    }
  }
}
