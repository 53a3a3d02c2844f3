import Access
import FHIRModel
import Foundation
import Kiln
import REST
import Wearables

extension Command {
  static let ingestDailyValues = Command(
    name: "ingest daily-values",
    summary: "Takes in a file of daily values, as a phone sends them.", operands: ["FILE"],
    options: [
      .store, .json,
      .required("--patient", "Patient/ID", "whose values they are"),
      .optional("--origin", "ORIGIN", "apple-health or health-connect, where the file doesn't say"),
      .optional("--time-zone", "ZONE", "Europe/Budapest, where the file doesn't say"),
      .optional("--source-name", "NAME", "the program that measured, where the file doesn't say"),
      .optional("--source-bundle-identifier", "ID", "its bundle identifier"),
      .optional("--source-version", "VERSION", "its version"),
    ]
  ) { arguments in
    let body = [UInt8](
      try Data(contentsOf: URL(fileURLWithPath: arguments.operands[0])))
    let values = try DailyValues(
      parsing: body, parameters: parameters(arguments), metrics: .shared, now: Assembly.clock())
    let assembly = try Assembly.open(try arguments.existingStore())
    defer { assembly.close() }
    let answer = values.answer(to: try take(values, into: assembly.guarded))
    return try report(answer, asJSON: arguments.has("--json"))
  }

  /// Performs what can be taken; what can't leaves an entry in the log too.
  private static func take(
    _ values: DailyValues, into guarded: GuardedStore
  ) throws -> [Result<Outcome, any Error>] {
    let caller = Caller(.operator(name: "kiln ingest"))
    guard !values.interactions.isEmpty else {
      try guarded.perform(UntriedWrite(of: .observation, for: values.call.patient, by: caller))
      return []
    }
    let source = values.call.source
    return guarded.perform(
      AccessRequest(
        values.interactions, by: caller, sourceSystem: source.uri,
        sourceProgram: SourceProgram(name: source.name, version: source.version)))
  }

  private static func parameters(_ arguments: Arguments) -> [QueryParameter] {
    let names = [
      "--patient": "patient", "--origin": "origin", "--time-zone": "timeZone",
      "--source-name": "source.name", "--source-bundle-identifier": "source.bundleIdentifier",
      "--source-version": "source.version",
    ]
    return names.compactMap { option, name in
      arguments[option].map { QueryParameter(name: name, value: $0) }
    }
  }

  /// Prints what a phone would be answered; the exit code is 1 if any value was refused.
  private static func report(_ answer: [UInt8], asJSON: Bool) throws -> Int32 {
    let root = try JSONDocument(parsing: answer).root
    if asJSON {
      Output.line(String(decoding: answer, as: UTF8.self))
    } else {
      for value in root["values"].map({ Array($0.elements) }) ?? [] { report(value) }
    }
    return root[DailyValues.Fate.refused.rawValue]?.numberText == "0" ? 0 : 1
  }

  /// One line: `steps 2026-02-30 refused: …`.
  private static func report(_ value: JSONValue) {
    let words = ["metric", "day", "result"].map { value[$0]?.string ?? "?" }
    let reason = value["reason"]?.string.map { ": \($0)" } ?? ""
    Output.line(words.joined(separator: " ") + reason)
  }
}
