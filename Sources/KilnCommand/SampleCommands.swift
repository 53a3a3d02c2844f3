import Access
import FHIRModel
import Kiln
import Wearables

extension Option {
  static let samples = flag(
    "--samples", "keep the raw samples as well, for kiln ingest again")
  fileprivate static let patient = required("--patient", "Patient/ID", "whose samples they are")
  fileprivate static let origin = required("--origin", "ORIGIN", "apple-health or health-connect")
}

extension Command {
  static let ingestAgain = Command(
    name: "ingest again",
    summary: "Makes the daily values anew of samples that an import kept with --samples.",
    options: [
      .store, .json, .patient, .origin,
      .optional(
        "--home-zone", "ZONE", "another home zone than that of the import; again for a move"),
      .optional(
        "--source-priority", "NAME,NAME",
        "other sources first (for apple-health); '' for watches, then phones"),
      .flag("--with-manual", "count what was typed in"),
      .flag("--without-manual", "leave out what was typed in"),
    ]
  ) { arguments in
    try withKeptSamples(arguments) { samples in
      let report = try samples.recount(sourcesFirst: arguments.list("--source-priority")) {
        try change(&$0, by: arguments)
      }
      guard let report else { throw CommandError("no samples are kept there") }
      tell(report, asJSON: arguments.has("--json"))
      return report.results.refused == 0 ? 0 : 1
    }
  }

  static let samplesList = Command(
    name: "samples list",
    summary: "Prints the raw samples that are kept of a person, a JSON object a line.",
    options: [.store, .patient, .origin]
  ) { arguments in
    try withKeptSamples(arguments) { samples in
      try samples.forEachLine { Output.line(String(decoding: $0, as: UTF8.self)) }
      return 0
    }
  }

  static let samplesRemove = Command(
    name: "samples remove",
    summary: "Removes the raw samples that are kept of a person; the daily values stay.",
    options: [.store, .patient, .origin]
  ) { arguments in
    try withKeptSamples(arguments) { samples in
      Output.line("\(try samples.remove()) pieces removed")
      return 0
    }
  }

  private static func withKeptSamples(
    _ arguments: Arguments, _ body: (KeptSamples) throws -> Int32
  ) throws -> Int32 {
    let (patient, origin) = (try arguments.patient(), try arguments.origin())
    let assembly = try Assembly.open(try arguments.existingStore())
    defer { assembly.close() }
    return try body(
      KeptSamples(
        of: patient, origin, in: assembly, by: Caller(.operator(name: "kiln samples"))))
  }

  private static func change(_ rule: inout SampleRule, by arguments: Arguments) throws {
    if let home = try arguments.home() { rule.home = home }
    if arguments.has("--source-priority") {
      guard arguments["--origin"] == Origin.appleHealth.rawValue else {
        throw arguments.misuse("--source-priority: an export of Health Connect has its own")
      }
      rule.priority = .byKind(first: arguments.list("--source-priority"))
    }
    if arguments.has("--with-manual") { rule.withoutManual = false }
    if arguments.has("--without-manual") { rule.withoutManual = true }
  }

  private static func tell(_ report: SampleRecount.Report, asJSON: Bool) {
    let facts = [
      ("samples", report.samples), ("unknown", report.unknown), ("days", report.days),
      ("created", report.results.created), ("updated", report.results.updated),
      ("unchanged", report.results.unchanged), ("withdrawn", report.withdrawn),
      ("refused", report.results.refused),
    ]
    if asJSON {
      Output.json { writer in for (name, count) in facts { writer.member(name, count) } }
    } else {
      Output.line(facts.map { "\($1) \($0)" }.joined(separator: ", "))
    }
    for notice in report.notices + report.results.refusals { Output.notice(notice) }
  }
}
