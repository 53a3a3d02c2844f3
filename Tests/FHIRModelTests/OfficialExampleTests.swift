import FHIRModel
import Foundation
import Testing

/// HL7's own definitions and examples, where they lie beside the project; the project's own cases
/// stand in `ResourceTests`.
enum Official {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "shared/fhir-r4").path

  static var isAtHand: Bool { FileManager.default.fileExists(atPath: folder) }

  /// Unpacks an archive into a temporary folder and lends its files.
  static func withFiles(
    of archive: String, _ body: ([(name: String, bytes: [UInt8])]) throws -> Void
  ) throws {
    let target = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: target) }
    try run("tar", "-xzf", folder + "/" + archive, "-C", target.path)
    let names = try FileManager.default.subpathsOfDirectory(atPath: target.path).sorted()
    try body(
      names.filter { $0.hasSuffix(".json") }.map { name in
        (name, [UInt8](try Data(contentsOf: target.appending(path: name))))
      })
  }

  @discardableResult
  static func run(_ words: String...) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// The lines of a compressed file.
  static func lines(of name: String) throws -> [Substring] {
    let target = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: target) }
    try run("sh", "-c", "gzip -dc '\(folder)/\(name)' > '\(target.path)'")
    return try String(contentsOf: target, encoding: .utf8).split(separator: "\n")
  }

  static func json(_ name: String) throws -> JSONDocument {
    try JSONDocument(
      parsing: [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))))
  }
}

@Suite("HL7's own material", .enabled(if: Official.isAtHand))
struct OfficialExampleTests {
  /// Official examples that break R4's own rules.
  let invalid: Set<String> = [
    "Questionnaire-qs1", "MedicationRequest-medrx0301", "DeviceMetric-example",
    "DeviceUseStatement-example", "Observation-clinical-gender",
  ]

  @Test("every official example is taken, but for those that are invalid")
  func examples() throws {
    try Official.withFiles(of: "examples.tar.gz") { files in
      #expect(files.count > 700)
      for (name, bytes) in files {
        let stem = String(name.split(separator: "/").last?.dropLast(5) ?? "")
        do {
          _ = try Resource(parsing: bytes)
          if invalid.contains(stem) { Issue.record("\(stem) was taken") }
        } catch  where !invalid.contains(stem) {
          Issue.record("\(stem): \(error)")
        } catch {}
      }
    }
  }

  /// What only a profile or an invariant forbids, which is not checked.
  let beyondStructure: Set<String> = [
    "08-bodyweight-unit", "09-bodyweight-nosubject", "11-invariant-pat-1", "12-invariant-obs-6",
  ]

  @Test("deliberately bad resources are refused")
  func badResources() throws {
    for sample in try Official.json("bad-resources.json").root.elements {
      let name = try #require(sample["name"]?.string)
      let issues = ResourceTests.issues(try #require(sample["raw"]?.string))
      #expect(issues.isEmpty == beyondStructure.contains(name), "\(name): \(issues)")
    }
  }

  @Test("what HL7's validator finds no error in is taken, and much of the rest refused")
  func validatorCases() throws {
    var refused = 0
    for line in try Official.lines(of: "validator-cases.ndjson.gz") {
      let sample = try JSONDocument(parsing: Array(line.utf8)).root
      let issues = ResourceTests.issues(try #require(sample["raw"]?.string))
      if sample["errors"]?.numberText == "0" {
        // That validator was told to overlook the contained resource's bad id.
        let isAllowed = sample["name"]?.string == "contained-resource-bad-id-ignore"
        #expect(issues.isEmpty || isAllowed, "\(sample["name"]?.string ?? ""): \(issues)")
      } else if !issues.isEmpty {
        refused += 1
      }
    }
    // The others are wrong in terminology, profiles, invariants and links alone.
    #expect(refused >= 20)
  }

  @Test("the tables are what the definitions say")
  func tables() throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "spec/derive.py")
      .path
    let package = Official.folder + "/hl7.fhir.r4.core-4.0.1.tgz"
    #expect(try Official.run("python3", script, package, "--check") == 0)
  }
}
