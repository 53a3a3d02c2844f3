import Foundation
import Testing

/// Programs that are built beside the tests.
enum Programs {
  static func url(_ name: String) throws -> URL {
    let places = [CommandLine.arguments[0]] + Bundle.allBundles.map(\.bundlePath)
    let found = places.map {
      URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent(name)
    }.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    return try #require(found, "\(name) is not beside the tests")
  }

  /// What a program prints.
  static func output(_ name: String, _ arguments: String...) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = try url(name)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(name) \(arguments) failed")
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

/// `kiln serve` on loopback, in a store of its own with one synthetic person.
final class KilnServer {
  private(set) var url: URL
  private(set) var token = ""
  private let folder: Folder
  private var process: Process?
  private var port = 0

  init() throws {
    folder = try Folder()
    url = folder.url
    let store = folder.url.appendingPathComponent("store").path
    let operatorToken = try Programs.output(
      "kiln", "token", "create", "--store", store, "--operator")
    try start()
    let created = try ask(
      "PUT", "fhir/Patient/synthetic-1", body: #"{"resourceType":"Patient","id":"synthetic-1"}"#,
      token: operatorToken)
    try #require(created.status == 201)
    token = try Programs.output(
      "kiln", "token", "create", "--store", store, "--person", "Patient/synthetic-1")
  }

  deinit { kill() }

  /// Starts it; the second time at the same address.
  func start() throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = try Programs.url("kiln")
    process.arguments = [
      "serve", "--store", folder.url.appendingPathComponent("store").path, "--listen",
      "127.0.0.1:\(port)",
    ]
    process.standardError = output
    try process.run()
    self.process = process
    var said = ""
    while true {
      let bytes = output.fileHandleForReading.availableData
      try #require(!bytes.isEmpty, "kiln serve said: \(said)")
      said += String(decoding: bytes, as: UTF8.self)
      guard let found = said.firstMatch(of: #/http://127\.0\.0\.1:(\d+)[^\d]/#) else { continue }
      port = Int(found.1) ?? 0
      url = try #require(URL(string: "http://127.0.0.1:\(port)"))
      // Nobody reads what else it says, and it must not wait for that.
      output.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
      return
    }
  }

  /// Ends it as a power cut would, as far as the program can tell.
  func kill() {
    process?.interrupt(signal: 9)
    process?.waitUntilExit()
    process = nil
  }

  /// One request through curl, which knows nothing of the client.
  func ask(
    _ method: String, _ path: String, body: String? = nil, token: String? = nil
  ) throws -> (status: Int, body: Data) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    var arguments = [
      "curl", "-sS", "-g", "-X", method, url.absoluteString + "/" + path, "-w", "\n%{http_code}",
      "-H", "Authorization: Bearer \(token ?? self.token)",
    ]
    if let body { arguments += ["-H", "Content-Type: application/fhir+json", "-d", body] }
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    let all = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let end = try #require(all.lastIndex(of: UInt8(ascii: "\n")))
    let status = try #require(Int(String(decoding: all[(end + 1)...], as: UTF8.self)))
    return (status, all[..<end])
  }

  /// The person's Observations, as (identifier's value, version, value), over all pages.
  func observations() throws -> [Held] {
    var held: [Held] = []
    var path: String? = "fhir/Observation?patient=synthetic-1&_count=500"
    while let asked = path {
      let page = try JSONDecoder().decode(Page.self, from: try ask("GET", asked).body)
      held += (page.entry ?? []).map(\.resource)
      let next = page.link.first { $0.relation == "next" }?.url
      path = next.map { String($0.dropFirst(url.absoluteString.count + 1)) }
    }
    return held
  }

  struct Held: Decodable {
    let identifier: [Identifier]
    let meta: Meta
    let status: String
    let valueQuantity: Quantity
    struct Identifier: Decodable { let value: String }
    struct Meta: Decodable { let versionId: String }
    struct Quantity: Decodable { let value: Double }
  }

  private struct Page: Decodable {
    let link: [Link]
    let entry: [Entry]?
    struct Link: Decodable {
      let relation: String
      let url: String
    }
    struct Entry: Decodable { let resource: Held }
  }
}

extension Process {
  /// Sends a signal; only to a process of our own that still runs.
  func interrupt(signal: Int32) {
    guard isRunning else { return }
    let killer = Process()
    killer.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    killer.arguments = ["kill", "-\(signal)", "\(processIdentifier)"]
    try? killer.run()
    killer.waitUntilExit()
  }
}
