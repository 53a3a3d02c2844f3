import Foundation
import Testing

/// The mapping from which the tables are derived, where it lies beside the project.
private enum Mapping {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static let path = root.deletingLastPathComponent()
    .appending(path: "shared/reference/wearable-mapping.json").path

  static var isAtHand: Bool { FileManager.default.fileExists(atPath: path) }

  /// Runs a script of the project on the mapping; its exit code and what it prints.
  static func run(_ script: String, _ words: String...) throws -> (status: Int32, output: Data) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-B", root.appending(path: script).path, path] + words
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }
}

@Suite("The mapping of the platforms' types", .enabled(if: Mapping.isAtHand))
struct MappingTests {
  @Test("gives the tables that stand in spec, and has no unit that they lack")
  func tables() throws {
    #expect(try Mapping.run("spec/derive_metrics.py", "--check").status == 0)
  }

  @Test("gives what is expected of every type")
  func expectations() throws {
    let expected = try Mapping.run("fixtures/wearables/every_type.py")
    #expect(expected.status == 0)
    #expect(try Fixture.bytes("fixtures/wearables/every-type.tsv") == [UInt8](expected.output))
  }
}
