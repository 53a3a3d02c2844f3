import Access
import Archive
import FHIRModel
import Foundation
import Kiln
import REST
import Wearables

/// One measurement of reading an export, in a process of its own so that its memory is its own.
enum IngestPart: String, CaseIterable {
  /// Reads the document and drops it.
  case drop
  /// Makes day values and their Observations, and drops those.
  case days
  /// Takes it into a store that has the person and nothing else, durably.
  case commit

  private static let patient = "synthetic-1"
  private static let json = #"{"resourceType":"Patient","id":"\#(patient)"}"#
  private static let caller = Caller(.operator(name: "kiln bench"))

  func run(on path: String, store: String, _ gauge: MemoryGauge) throws {
    switch self {
    case .drop: try drop(path)
    case .days:
      let person = try Self.person()
      try ingest(path, spillingTo: store) { batch in
        try gauge.read()
        return batch.interactions.map { _ in .success(.found(person)) }
      }
    case .commit: try commit(path, to: store, gauge)
    }
    try gauge.read()
  }

  private func drop(_ path: String) throws {
    try FileCollection(path: path).forEachFile { _, source in
      var reader = XMLReader(source, skippingText: true)
      while try reader.next() != nil {}
      return .on
    }
  }

  private func ingest(
    _ path: String, spillingTo folder: String,
    prepare: @escaping ImportDelivery.Prepare = { _ in nil },
    perform: @escaping ImportDelivery.Perform
  ) throws {
    guard let patient = ResourceID("Patient/" + Self.patient) else { throw BenchError("no id") }
    let options = AppleHealthOptions(
      patient: patient, home: try HomeZone(parsing: ["Europe/Budapest"]), now: Assembly.clock())
    var importer = AppleHealthImport(
      try AppleExport(path: path), options, sorter: SpillSampleSorter(folder: folder),
      perform: perform, prepare: prepare)
    let report = try importer.run()
    guard report.days > 0 else { throw BenchError("the export gave no day") }
  }

  private func commit(_ path: String, to store: String, _ gauge: MemoryGauge) throws {
    let assembly = try Assembly.open(store, .forImport)
    defer { assembly.close() }
    let guarded = assembly.guarded
    try ingest(
      path, spillingTo: store, prepare: { guarded.prepare($0) },
      perform: { batch in
        try gauge.read()
        return guarded.takeIn(AccessRequest(batch, by: Self.caller))
      })
  }

  /// Makes the store that `commit` takes the export into.
  static func makeStore(in folder: String) throws {
    let assembly = try Assembly.open(folder)
    defer { assembly.close() }
    let patient = Interaction.update(try Resource(parsing: Array(json.utf8)), if: .none)
    for result in assembly.guarded.perform(AccessRequest([patient], by: caller)) {
      _ = try result.get()
    }
  }

  /// The person as the store would give it, for what has no store.
  private static func person() throws -> StoredVersion {
    guard let id = ResourceID("Patient/" + patient) else { throw BenchError("no id") }
    return StoredVersion(
      id: id, version: .first, lastUpdated: Assembly.clock(), isDeleted: false,
      bytes: Array(json.utf8))
  }
}
