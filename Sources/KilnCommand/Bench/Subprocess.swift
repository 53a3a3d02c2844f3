import Foundation

/// Programs that the measurement starts beside itself.
enum Subprocess {
  /// Runs a program to its end and returns what it printed.
  static func output(of words: [String]) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchError("\(words[0]) ended with code \(process.terminationStatus)")
    }
    return String(decoding: data, as: UTF8.self)
  }
}

/// A server in a process of its own.
final class ServerProcess {
  let url: String
  /// From the start of the process to its first answer.
  let secondsToFirstAnswer: Double
  private let process: Process

  /// Starts this program with `arguments` and waits for its ready line and one answer.
  init(arguments: [String], probing path: String) throws {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0].resolvedExecutable)
    process.arguments = arguments
    process.standardError = pipe
    let clock = ContinuousClock()
    let start = clock.now
    try process.run()
    url = try Self.readyURL(from: pipe.fileHandleForReading)
    _ = try Subprocess.output(of: ["curl", "-s", "-o", "/dev/null", url + path])
    let duration = clock.now - start
    secondsToFirstAnswer =
      Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    self.process = process
  }

  /// What the process takes.
  var usage: ProcessUsage { ProcessUsage(of: process.processIdentifier) }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  private static func readyURL(from handle: FileHandle) throws -> String {
    var said = ""
    while true {
      let data = handle.availableData
      guard !data.isEmpty else { throw BenchError("the server ended: \(said)") }
      said += String(decoding: data, as: UTF8.self)
      if let found = said.firstMatch(of: #/https?://[^\s/]+/#) { return String(found.0) }
    }
  }
}

extension String {
  /// The file of the running program, whatever it was called by.
  fileprivate var resolvedExecutable: String {
    FileManager.default.fileExists(atPath: "/proc/self/exe")
      ? (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? self
      : self
  }
}
