import Foundation
import Testing

/// The program StorageNeighbour, running.
final class NeighbourProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread = Data()

  /// Runs it on the store in `folder` and waits until it is open.
  init(_ folder: String, mapByteCount: Int = 1 << 40) throws {
    process.executableURL = try Self.program()
    process.arguments = [folder, String(mapByteCount)]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    #expect(line() == "open")
  }

  /// Programs are built beside the tests.
  private static func program() throws -> URL {
    let candidates = [CommandLine.arguments[0]] + Bundle.allBundles.map(\.bundlePath)
    let found = candidates.map {
      URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent(
        "StorageNeighbour")
    }.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    return try #require(found, "StorageNeighbour is not beside the tests")
  }

  /// Says a line and returns the answer.
  func say(_ words: String) -> String {
    input.fileHandleForWriting.write(Data((words + "\n").utf8))
    return line()
  }

  private func line() -> String {
    while true {
      if let end = unread.firstIndex(of: 10) {
        let line = String(decoding: unread[unread.startIndex..<end], as: UTF8.self)
        unread = Data(unread[unread.index(after: end)...])
        return line
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return "the process has ended" }
      unread += more
    }
  }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Ends its input and waits for it.
  func leave() {
    input.fileHandleForWriting.closeFile()
    process.waitUntilExit()
  }
}
