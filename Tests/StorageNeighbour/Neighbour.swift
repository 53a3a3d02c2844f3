import Foundation
import KeyValue
import LMDBStorage

/// A second process with the same store open: it does what it reads on standard input, a line each,
/// and answers with a line.
///
///     StorageNeighbour FOLDER MAP-BYTES
@main
struct Neighbour {
  static let values = Table(position: 0, name: "values", kind: .values)
  static let postings = Table(position: 3, name: "postings", kind: .postings)

  let engine: LMDBEngine

  static func main() throws {
    // So that a file over the limit fails to be written instead of ending the process.
    signal(SIGXFSZ, SIG_IGN)
    let words = CommandLine.arguments
    let neighbour = Neighbour(
      engine: try LMDBEngine(
        at: words[1], tables: [values, postings], format: 1,
        options: LMDBOptions(mapByteCount: Int(words[2]) ?? 1 << 40)))
    say("open")
    while let line = readLine() {
      do {
        say(try neighbour.answer(line.split(separator: " ").map(String.init)))
      } catch {
        say("\(error)")
      }
    }
    neighbour.engine.close()
  }

  /// A line on standard output, at once.
  static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

  func answer(_ words: [String]) throws -> String {
    switch (words.first, words.count) {
    case ("put", 3): return try put([UInt8](words[2].utf8), at: words[1])
    case ("fill", 3):
      return try put([UInt8](repeating: 7, count: Int(words[2]) ?? 0), at: words[1])
    case ("get", 2):
      let value = try engine.read { try $0.value(at: Key([UInt8](words[1].utf8)), in: Self.values) }
      return value.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
    case ("hold-snapshot", 1): try engine.read { _ in hang() }
    case ("hold-write", 3):
      try engine.write { transaction in
        try transaction.put(
          [UInt8](words[2].utf8), at: Key([UInt8](words[1].utf8)), in: Self.values)
        hang()
      }
    case ("limit-file", 2):
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      limit.rlim_cur = words[1] == "none" ? limit.rlim_max : rlim_t(words[1]) ?? 0
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    default: return "unknown words"
    }
    return "done"
  }

  private func put(_ value: [UInt8], at key: String) throws -> String {
    try engine.write { try $0.put(value, at: Key([UInt8](key.utf8)), in: Self.values) }
    return "done"
  }

  /// Until the process is killed.
  private func hang() -> Never {
    Self.say("held")
    while true { sleep(1) }
  }
}
