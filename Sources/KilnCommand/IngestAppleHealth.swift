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
        "sources whose samples count first where several cover one time, by their names in Health "
          + "or Watch or iPhone for all of a kind; else watches, then phones"),
      .optional("--since", "DAY", "only days from this one on (2024-01-01)"),
      .flag("--without-manual", "leave out what was typed in"),
      .flag(
        "--trust-offsets",
        "take each date's offset as that of the place (Apple writes one for all)"),
      .flag(
        "--update-patient",
        "fill in date of birth and gender where the Patient has none, and keep the blood type"),
      .flag("--heartbeats", "keep the single beats inside of variability records as well"),
      .samples,
      .optional("--report", "FORM", "text (the default) or json"),
    ]
  ) { arguments in
    let common = try ExportArguments(of: .appleHealth, arguments)
    let options = try appleHealthOptions(common)
    let export = try AppleExport(path: arguments.operands[0])
    try common.takeIn(for: options.patient) { means in
      var importer = AppleHealthImport(
        export, options, sorter: SpillSampleSorter(folder: try arguments.existingStore()),
        perform: means.perform, prepare: means.prepare, watch: means.watch)
      if let shelf = means.shelf { importer.shelf = shelf }
      return try importer.run()
    }
    return 0
  }

  private static func appleHealthOptions(_ common: ExportArguments) throws -> AppleHealthOptions {
    let arguments = common.arguments
    guard let home = try arguments.home() else { throw arguments.misuse("--home-zone is empty") }
    var options = AppleHealthOptions(
      patient: try arguments.patient(), home: home, now: Assembly.clock())
    options.sourcePriority = arguments.list("--source-priority")
    options.since = try arguments.since()
    options.withoutManual = arguments.has("--without-manual")
    options.trustsOffsets = arguments.has("--trust-offsets")
    options.updatesPatient = arguments.has("--update-patient")
    options.keepsHeartbeats = arguments.has("--heartbeats")
    return options
  }
}
