import Access
import FHIRModel
import Kiln
import REST
import Wearables

/// What the commands that take in an export have in common, whichever platform made it.
struct ExportArguments {
  let origin: Origin
  let arguments: Arguments
  private let isJSON: Bool

  /// - Throws: `UsageError` for another form of the report than there are.
  init(of origin: Origin, _ arguments: Arguments) throws {
    self.origin = origin
    self.arguments = arguments
    let form = arguments["--report"] ?? "text"
    isJSON = form == "json"
    guard isJSON || form == "text" else { throw arguments.misuse("--report is text or json") }
  }

  /// What an import works with: where it writes, whom it tells how far it is, and where raw samples
  /// are kept, if they are.
  struct Means {
    let perform: ImportDelivery.Perform
    let prepare: ImportDelivery.Prepare
    let watch: (ImportProgress) -> Void
    let shelf: SampleShelf?
  }

  /// Runs an import as an operator, with a bar of its progress, and prints its report.
  func takeIn(
    for patient: ResourceID, _ run: (Means) throws -> any ImportReport
  ) throws {
    let assembly = try Assembly.open(try arguments.existingStore(), .forImport)
    defer { assembly.close() }
    let caller = Caller(.operator(name: "kiln ingest"))
    var bar = ProgressBar()
    defer { bar.end() }
    let report = try run(
      Means(
        perform: { [guarded = assembly.guarded] in
          guarded.takeIn(AccessRequest($0, by: caller))
        },
        prepare: { [guarded = assembly.guarded] in guarded.prepare($0) },
        watch: { bar.show($0) },
        shelf: arguments.has("--samples")
          ? KeptSamples(of: patient, origin, in: assembly, by: caller).shelf : nil))
    bar.end()
    if isJSON {
      Output.json { report.write(to: &$0) }
    } else {
      for line in report.lines { Output.line(line) }
    }
  }
}
