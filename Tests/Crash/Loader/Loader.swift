import FHIRModel
import Foundation
import KeyValue
import LMDBStorage
import Search
import Store
import Synchronization

/// Checks a store against what was acknowledged so far, then writes a mixed load until it is killed.
///
///     CrashLoader FOLDER ACKNOWLEDGED RUN [--check-only]
///
/// ACKNOWLEDGED is a file of the lines that earlier runs wrote to standard output, each after its
/// commit was durable. Prints `sound` when the store holds all of it, else what is wrong, with exit
/// code 1. RUN is a number that no earlier run had.
@main
enum Loader {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 4 else {
      print("usage: CrashLoader FOLDER ACKNOWLEDGED RUN [--check-only]")
      exit(2)
    }
    let subject = try Subject(folder: arguments[1])
    let check = Check(subject)
    let faults = try check.faults(acknowledged: facts(in: arguments[2]))
    for fault in faults { say("fault: \(fault)") }
    if !faults.isEmpty { exit(1) }
    // What a kill left unacknowledged counts from here on: it was found on the disk.
    for fact in try check.standing(Load.names) { say(fact.line) }
    say("sound")
    if arguments.contains("--check-only") { return }
    let threads = (0..<Load.writerCount).map { writer in
      Thread { Load(subject, writer: writer, run: arguments[3]).runForever() }
    }
    for thread in threads { thread.start() }
    while true { sleep(60) }
  }

  private static func facts(in path: String) throws -> [Fact] {
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    return text.split(separator: "\n").compactMap { Fact(String($0)) }
  }

  /// Writes a line in one call, so that a kill leaves it whole or out.
  static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}

/// Something that was acknowledged.
enum Fact {
  /// This version of a Patient was written; `isLive` is false for a deletion.
  case version(name: String, number: UInt32, isLive: Bool)
  /// Five Patients with this tag were written in one transaction.
  case group(String)
  /// Exactly one Patient has this identifier.
  case identifier(String)

  init?(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    switch (words.first, words.count) {
    case ("version", 4):
      guard let number = UInt32(words[2]) else { return nil }
      self = .version(name: words[1], number: number, isLive: words[3] == "live")
    case ("group", 2): self = .group(words[1])
    case ("identifier", 2): self = .identifier(words[1])
    default: return nil
    }
  }

  var line: String {
    switch self {
    case .version(let name, let number, let isLive):
      "version \(name) \(number) \(isLive ? "live" : "deleted")"
    case .group(let tag): "group \(tag)"
    case .identifier(let value): "identifier \(value)"
    }
  }
}

/// The store under test.
final class Subject: Sendable {
  static let groupCount = 5

  let engine: LMDBEngine
  let store: ResourceStore

  init(folder: String) throws {
    engine = try LMDBEngine(
      at: folder, tables: ResourceStore.tables, format: ResourceStore.format,
      options: LMDBOptions(reserveByteCount: 1 << 16))
    let now: @Sendable () -> Instant = {
      Instant(ticks: Int64(Date().timeIntervalSince1970 * 1000) * (Instant.ticksPerSecond / 1000))
    }
    let index = SearchIndex(
      configuration: SearchConfiguration(
        addresses: .none, pageKey: Array(repeating: 1, count: 32), now: now))
    store = ResourceStore(index: index, clock: now) {
      guard let id = LogicalID(UUID().uuidString) else {
        preconditionFailure("a UUID is an id")
      }
      return id
    }
  }

  func write(_ writes: [Interaction]) throws -> [Outcome] {
    let store = store
    return try engine.write { transaction in
      var outcomes: [Outcome] = []
      for write in writes {
        outcomes.append(try store.perform(write, in: &transaction) { _ in })
      }
      return outcomes
    }
  }

  func answer(_ read: Interaction) throws -> Outcome {
    try engine.read { snapshot in try store.answer(read, in: snapshot) }
  }

  func ids(_ parameter: String, _ value: String) throws -> [ResourceID] {
    let query = Query(
      type: ResourceType("Patient"),
      parameters: [
        QueryParameter(name: parameter, value: value), QueryParameter(name: "_count", value: "100"),
      ])
    guard case .searchset(let page) = try answer(.search(query)) else { return [] }
    return page.matches.map(\.id)
  }
}
