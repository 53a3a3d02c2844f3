import Access
import FHIRModel
import Kiln
import Wearables

extension Command {
  static let ingestHealthConnect = Command(
    name: "ingest health-connect",
    summary: "Takes in an export of Health Connect: the zip, or the database in it.",
    operands: ["FILE"],
    options: [
      .store,
      .required("--patient", "Patient/ID", "whose export it is"),
      .optional(
        "--home-zone", "ZONE",
        "Europe/Budapest, where the person lives; again with a day in front for a move: "
          + "2024-01-01=Asia/Tokyo; else the offset that most records have"),
      .optional("--since", "DAY", "only days from this one on (2024-01-01)"),
      .flag("--without-manual", "leave out what was typed in"),
      .samples,
      .optional("--report", "FORM", "text (the default) or json"),
    ]
  ) { arguments in
    let form = arguments["--report"] ?? "text"
    guard ["text", "json"].contains(form) else {
      throw UsageError("ingest health-connect: --report is text or json")
    }
    let options = try healthConnectOptions(arguments)
    let export = try HealthConnectExport(path: arguments.operands[0])
    let assembly = try Assembly.open(try arguments.existingStore())
    defer { assembly.close() }
    let caller = Caller(.operator(name: "kiln ingest"))
    var bar = ProgressBar()
    defer { bar.end() }
    var importer = HealthConnectImport(
      export, options,
      perform: { batch in
        assembly.guarded.perform(
          AccessRequest(batch.interactions, by: caller, sourceSystem: batch.sourceSystem))
      }, watch: { bar.show($0) })
    if arguments.has("--samples") {
      importer.shelf =
        KeptSamples(of: options.patient, .healthConnect, in: assembly, by: caller).shelf
    }
    let report = try importer.run()
    bar.end()
    if form == "json" {
      Output.json { report.write(to: &$0) }
    } else {
      for line in report.lines { Output.line(line) }
    }
    return 0
  }

  private static func healthConnectOptions(_ arguments: Arguments) throws -> HealthConnectOptions {
    guard let patient = ResourceID(try arguments.required("--patient")),
      patient.type.name == "Patient"
    else { throw UsageError("ingest health-connect: --patient is Patient/ and an id") }
    var options = HealthConnectOptions(patient: patient, now: Assembly.clock())
    let zones = arguments.list("--home-zone")
    if !zones.isEmpty {
      do throws(HomeZone.Failure) {
        options.home = try HomeZone(parsing: zones)
      } catch {
        throw UsageError("ingest health-connect: --home-zone: \(error.description)")
      }
    }
    if let text = arguments["--since"] {
      guard let day = LocalDay(text) else {
        throw UsageError("ingest health-connect: --since is a day such as 2024-01-01")
      }
      options.since = day
    }
    options.withoutManual = arguments.has("--without-manual")
    return options
  }
}
