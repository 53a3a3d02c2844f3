import Foundation
import KeyValue
import LMDBStorage

/// Writes a store for the power-cut test, and says whether one that was rebuilt is whole.
///
///     PowerCutLoader load FOLDER COUNT [--no-flush]
///     PowerCutLoader verify < lines of "FOLDER LAST-ACKNOWLEDGED"
@main
struct Loader {
  static let values = Table(position: 0, name: "values", kind: .values)
  static let postings = Table(position: 1, name: "postings", kind: .postings)

  static func main() throws {
    let words = CommandLine.arguments
    if words.count >= 4, words[1] == "load", let count = UInt64(words[3]) {
      try load(words[2], count, flushes: !words.contains("--no-flush"))
    } else {
      try verifyLines()
    }
  }

  static func engine(_ folder: String, flushes: Bool = true) throws -> LMDBEngine {
    try LMDBEngine(
      at: folder, tables: [values, postings], format: 1,
      options: LMDBOptions(
        mapByteCount: 64 << 20, reserveByteCount: 1 << 20, groupCountMaximum: 8, flushes: flushes))
  }

  /// Change `number` writes a value of its own, a number into a set, and the mark `last`; every
  /// third takes back what an earlier one wrote. Acknowledged numbers are written as they come.
  static func load(_ folder: String, _ count: UInt64, flushes: Bool) throws {
    let engine = try engine(folder, flushes: flushes)
    let path = folder + "/acknowledged"
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    guard let acknowledged = FileHandle(forWritingAtPath: path) else {
      throw StorageError.system(call: "open", code: 0, reason: path)
    }
    for number in 1...count {
      engine.submit(
        Change(
          perform: { transaction in
            try transaction.put(
              payload(number), at: Key().appending(number), in: values)
            try transaction.insert(number, at: Key([UInt8(number % 7)]), in: postings)
            if number.isMultiple(of: 3) {
              try transaction.removeValue(at: Key().appending(number - 2), in: values)
              try transaction.remove(
                number - 2, at: Key([UInt8((number - 2) % 7)]), in: postings)
            }
            try transaction.put(Key().appending(number).bytes, at: Key([0xff]), in: values)
          },
          completion: { result in
            guard case .success = result else { return }
            acknowledged.write(Data("\(number)\n".utf8))
          }))
      // Now and then the queue runs dry, so that groups of every size are committed.
      if number.isMultiple(of: 5) { try engine.write { _ in } }
    }
    engine.close()
  }

  static func payload(_ number: UInt64) -> [UInt8] {
    [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: Int(number * 37 % 3000))
  }

  static func verifyLines() throws {
    while let line = readLine() {
      let words = line.split(separator: " ")
      guard words.count == 2, let last = UInt64(words[1]) else { continue }
      do {
        print(try fault(in: String(words[0]), acknowledged: last) ?? "whole")
      } catch {
        print("\(error)")
      }
    }
  }

  /// What is wrong with the store, given the last number that was acknowledged.
  static func fault(in folder: String, acknowledged: UInt64) throws -> String? {
    let engine = try engine(folder)
    defer { engine.close() }
    return try engine.read { snapshot in
      let mark = try snapshot.value(at: Key([0xff]), in: values) ?? [0]
      let last = mark.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if last < acknowledged { return "acknowledged \(acknowledged), found \(last)" }
      var expected: [UInt64] = []
      for number in 1...max(last, 1) where number <= last {
        let isTakenBack = number % 3 == 1 && number + 2 <= last
        if !isTakenBack { expected.append(number) }
      }
      var found: [UInt64] = []
      try snapshot.walk(values, KeyRange(from: Key(), to: Key([0xff])), .forward) { key, value in
        let number = Key(key).bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        if Key(value).bytes == payload(number) { found.append(number) }
        return .next
      }
      if found != expected { return "values differ at \(last)" }
      var listed: [UInt64] = []
      try snapshot.walkPostings(postings, .everything, .forward) { _, number in
        listed.append(number)
        return .next
      }
      return listed.sorted() == expected ? nil : "postings differ at \(last)"
    }
  }
}
