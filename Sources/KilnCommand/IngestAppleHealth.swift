import Access
import FHIRModel
import Kiln
import Wearables

extension Command {
  static let ingestAppleHealth = Command(
    name: "ingest apple-health",
    summary: "Takes in an export of Apple Health: the zip, its document, or the unpacked folder.",
    operands: ["FILE"],
    options: [
      .store,
      .required("--patient", "Patient/ID", "whose export it is"),
      .required(
        "--home-zone", "ZONE",
        "Europe/Budapest, where the person lives; again with a day in front for a move: "
          + "2024-01-01=Asia/Tokyo"),
      .optional(
        "--source-priority", "NAME,NAME",
        "sources whose samples count first where several cover one time; "
          + "else watches, then phones"),
      .optional("--since", "DAY", "only days from this one on (2024-01-01)"),
      .flag("--without-manual", "leave out what was typed in"),
      .flag(
        "--trust-offsets",
        "take each date's offset as that of the place (Apple writes one for all)"),
      .flag(
        "--update-patient",
        "fill in date of birth and gender where the Patient has none, and keep the blood type"),
      .samples,
      .optional("--report", "FORM", "text (the default) or json"),
    ]
  ) { arguments in
    let form = arguments["--report"] ?? "text"
    guard ["text", "json"].contains(form) else {
      throw UsageError("ingest apple-health: --report is text or json")
    }
    let options = try appleHealthOptions(arguments)
    let export = try AppleExport(path: arguments.operands[0])
    let assembly = try Assembly.open(try arguments.existingStore())
    defer { assembly.close() }
    let caller = Caller(.operator(name: "kiln ingest"))
    var bar = ProgressBar()
    var importer = AppleHealthImport(
      export, options, sorter: SpillSampleSorter(folder: try arguments.existingStore()),
      perform: { batch in
        assembly.guarded.perform(
          AccessRequest(batch.interactions, by: caller, sourceSystem: batch.sourceSystem))
      }, watch: { bar.show($0) })
    if arguments.has("--samples") {
      importer.shelf =
        KeptSamples(of: options.patient, .appleHealth, in: assembly, by: caller).shelf
    }
    defer { bar.end() }
    let report = try importer.run()
    bar.end()
    if form == "json" {
      Output.json { report.write(to: &$0) }
    } else {
      for line in report.lines { Output.line(line) }
    }
    return 0
  }

  private static func appleHealthOptions(_ arguments: Arguments) throws -> AppleHealthOptions {
    guard let patient = ResourceID(try arguments.required("--patient")),
      patient.type.name == "Patient"
    else { throw UsageError("ingest apple-health: --patient is Patient/ and an id") }
    let home: HomeZone
    do throws(HomeZone.Failure) {
      home = try HomeZone(parsing: arguments.list("--home-zone"))
    } catch {
      throw UsageError("ingest apple-health: --home-zone: \(error.description)")
    }
    var options = AppleHealthOptions(patient: patient, home: home, now: Assembly.clock())
    options.sourcePriority = arguments.list("--source-priority")
    if let text = arguments["--since"] {
      guard let day = LocalDay(text) else {
        throw UsageError("ingest apple-health: --since is a day such as 2024-01-01")
      }
      options.since = day
    }
    options.withoutManual = arguments.has("--without-manual")
    options.trustsOffsets = arguments.has("--trust-offsets")
    options.updatesPatient = arguments.has("--update-patient")
    return options
  }
}
