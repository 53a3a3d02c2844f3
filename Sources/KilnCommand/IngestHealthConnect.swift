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
    let common = try ExportArguments(of: .healthConnect, arguments)
    let options = try healthConnectOptions(common)
    let export = try HealthConnectExport(path: arguments.operands[0])
    try common.takeIn(for: options.patient) { means in
      var importer = HealthConnectImport(
        export, options, perform: means.perform, prepare: means.prepare, watch: means.watch)
      importer.shelf = means.shelf
      return try importer.run()
    }
    return 0
  }

  private static func healthConnectOptions(
    _ common: ExportArguments
  ) throws -> HealthConnectOptions {
    let arguments = common.arguments
    var options = HealthConnectOptions(patient: try arguments.patient(), now: Assembly.clock())
    options.home = try arguments.home()
    options.since = try arguments.since()
    options.withoutManual = arguments.has("--without-manual")
    return options
  }
}
