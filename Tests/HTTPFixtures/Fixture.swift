import FHIRModel
import FoundationEssentials
import REST

/// A conversation with the server: requests, each with what its response must be.
///
/// A file of `fixtures/http` holds one, as `fixtures/http/README.md` describes. Expected values come
/// from the specifications that `source` names, never from what the server said.
package struct Fixture: Sendable, CustomStringConvertible {
  package let file: String
  package let title: String
  package let steps: [Step]

  package struct Step: Sendable {
    package let request: JSONValue
    package let response: JSONValue
  }

  package var description: String { "\(file): \(title)" }

  /// All of `fixtures/http`, in the order of their names.
  package static let all: [Fixture] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "fixtures/http")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted().map { name in
      do {
        return try Fixture(file: name, bytes: Array(Data(contentsOf: folder.appending(path: name))))
      } catch {
        // A file that can't be read is a fixture that can't pass.
        return Fixture(file: name, title: "unreadable: \(error)", steps: [])
      }
    }
  }()

  private init(file: String, title: String, steps: [Step]) {
    self.file = file
    self.title = title
    self.steps = steps
  }

  init(file: String, bytes: [UInt8]) throws {
    let root = try JSONDocument(parsing: bytes).root
    guard let title = root["title"]?.string, root["source"]?.string != nil,
      let steps = root["steps"]
    else { throw FixtureError.form("title, source and steps are needed") }
    self.init(
      file: file, title: title,
      steps: try steps.elements.map { step in
        guard let request = step["request"], let response = step["response"] else {
          throw FixtureError.form("a step has a request and a response")
        }
        return Step(request: request, response: response)
      })
  }
}

package enum FixtureError: Error {
  /// The file is not of the form that `fixtures/http/README.md` describes.
  case form(String)
}
