import Access
import FHIRModel
import Foundation
import Kiln
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
    let source = values.call.source
    let results = assembly.guarded.perform(
      AccessRequest(
        values.interactions, by: Caller(.operator(name: "kiln ingest")),
        sourceSystem: source.uri,
        sourceProgram: SourceProgram(name: source.name, version: source.version)))
    return report(values, results, asJSON: arguments.has("--json"))
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

  /// Prints what became of each value; the exit code is 1 if any was refused.
  private static func report(
    _ values: DailyValues, _ results: [Result<Outcome, any Error>], asJSON: Bool
  ) -> Int32 {
    var rest = results[...]
    var refusedCount = 0
    for entry in values.entries {
      let (word, reason) = verdict(on: entry, &rest)
      if word == "refused" { refusedCount += 1 }
      let (metric, day) = (entry.metric ?? "?", entry.day ?? "?")
      guard asJSON else {
        Output.line("\(metric) \(day) \(word)" + (reason.map { ": \($0)" } ?? ""))
        continue
      }
      Output.json { writer in
        writer.member("metric", metric)
        writer.member("day", day)
        writer.member("outcome", word)
        if let reason { writer.member("reason", reason) }
      }
    }
    return refusedCount == 0 ? 0 : 1
  }

  private static func verdict(
    on entry: DailyValues.Entry, _ rest: inout ArraySlice<Result<Outcome, any Error>>
  ) -> (word: String, reason: String?) {
    if case .failure(let refusal) = entry.content { return ("refused", refusal.reason) }
    switch rest.popFirst() {
    case .success(.created): return ("created", nil)
    case .success(.updated): return ("updated", nil)
    case .success(.deleted(.some)): return ("withdrawn", nil)
    case .success: return ("unchanged", nil)
    case .failure(let error): return ("refused", "\(error)")
    case nil: return ("refused", "the store gave no result")
    }
  }
}
