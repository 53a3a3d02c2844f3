import FHIRModel
import Foundation
import Search
import Testing

/// What another FHIRPath engine selects from HL7's examples, where that list is at hand.
@Suite("The parameters' expressions select what fhirpathpy selects")
struct OracleTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/fhir-r4")
  static var isAtHand: Bool {
    FileManager.default.fileExists(
      atPath: folder.appending(path: "search-index-expected.ndjson.gz").path)
  }

  /// A value as text; the other engine's decimals are floats.
  private static func text(_ value: JSONValue) -> String {
    switch value.kind {
    case .number: return (Double(value.numberText ?? "") ?? 0).description
    case .string: return value.string ?? ""
    case .object:
      return value.members.sorted { $0.name < $1.name }.map { "\($0.name)=\(text($0.value))" }
        .joined(separator: ";")
    case .array: return value.elements.map(text).joined(separator: ",")
    default: return String(decoding: value.rawBytes, as: UTF8.self)
    }
  }

  @Test("in HL7's examples", .enabled(if: isAtHand))
  func examples() throws {
    let work = FileManager.default.temporaryDirectory.appending(path: "kiln-\(UUID())")
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: work) }
    let unpack = Process()
    unpack.executableURL = URL(filePath: "/bin/sh")
    unpack.arguments = [
      "-c",
      "tar xzf '\(Self.folder.path)/examples.tar.gz' -C '\(work.path)' && "
        + "gunzip -c '\(Self.folder.path)/search-index-expected.ndjson.gz' > '\(work.path)/expected'",
    ]
    try unpack.run()
    unpack.waitUntilExit()
    var files: [String: URL] = [:]
    for case let file as URL in FileManager.default.enumerator(
      at: work, includingPropertiesForKeys: nil) ?? .init()
    {
      files[file.lastPathComponent] = file
    }
    var agreed = 0
    var different: [String] = []
    let lines = try String(contentsOf: work.appending(path: "expected"), encoding: .utf8)
    for line in lines.split(separator: "\n") where !line.contains("\"values\":{}") {
      let expected = try JSONDocument(parsing: Array(line.utf8)).root
      let name = try #require(expected["file"]?.string)
      let type = try #require(ResourceType(expected["resourceType"]?.string ?? ""))
      guard let file = files[name] else { continue }
      let root = try JSONDocument(parsing: Array(Data(contentsOf: file))).root
      let found = SearchIndex.values(of: root, type)
      let listed = Set(try #require(expected["values"]).members.map(\.name))
      // The list leaves out what every type has.
      for (code, values) in found
      where !values.isEmpty && !code.hasPrefix("_") && !listed.contains(code) {
        different.append("\(name) \(code) is not expected")
      }
      for member in try #require(expected["values"]).members {
        let (code, values) = (member.name, member.value)
        let wanted = Set(values.elements.map(Self.text))
        guard let mine = found[code] else { continue }
        if Set(mine.map(Self.text)) == wanted {
          agreed += 1
        } else {
          different.append("\(name) \(code)")
        }
      }
    }
    #expect(agreed > 3000)
    #expect(different == [], "\(agreed) agree")
  }
}
