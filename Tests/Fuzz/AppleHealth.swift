// Sources: Tests/Fuzz/Shared
// Rooms: FHIRModel Archive Wearables
// Options: -detect_leaks=0

import Archive
import FHIRModel

@testable import Wearables

/// Whatever the bytes are, an import of Apple Health's ends with a report or says why there is none;
/// every record is used, merged or skipped; and what is read depends neither on the document's parts
/// nor on whether its records are known as such that repeat others.
///
/// What its threads hold from one input to the next would be taken for leaks.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let document = ExportPieces.document(bytes)
  let choice = Int(bytes.last ?? 0) + count
  let options = Export.options(choice)
  let whole = Export(document, chunkByteCount: max(1, document.count), options)
  let parts = Export(document, chunkByteCount: 1 + choice * 37 % 4_096, options)
  precondition(whole == parts, "chunks change what an export holds")
  let apart = Export(withoutPatterns: document, options)
  precondition(whole == apart, "records that repeat others have another content")
  if let counts = Export.counts(ofImporting: document, options) {
    precondition(whole.counts == counts, "an import counts otherwise than its reading")
  }
  return 0
}

/// What was read of an export.
struct Export: Equatable {
  var samples: [Sample] = []
  var values: [DayValue] = []
  var sources: [Source] = []
  var zones: [String] = []
  var pending: [[UInt8]] = []
  var report: [UInt8] = []
  var counts: [Int] = []
  var isFailed = false

  /// The document is read ahead, as an import does.
  init(_ document: [UInt8], chunkByteCount: Int, _ options: AppleHealthOptions) {
    let collected = Collected()
    var reading = AppleHealthReading(options, sorter: CollectingSorter(collected: collected))
    var source = ByteSource(document, chunkByteCount: chunkByteCount)
    do {
      try source.readingAhead {
        var xml = XMLReader($0, skippingText: true)
        try reading.read(&xml) { reading, _ in Self.check(reading.report) }
      }
      samples = collected.samples
      try reading.engine.finish { values.append($0) }
    } catch {
      precondition(error is ArchiveError, "\(error)")
      // How much was read before is the chunks' affair.
      isFailed = true
      samples = []
      return
    }
    var report = reading.finishedReport()
    Self.check(report)
    // What is nested too deep ends the reading; how far was looked ahead then is the chunks' affair.
    if report.endedBecause?.contains("nested") == true { report.replacedByteCount = 0 }
    counts = Self.counts(of: report)
    var json = JSONWriter()
    json.object { report.write(to: &$0) }
    self.report = json.bytes
    sources = reading.engine.sources.sources
    zones = reading.engine.zones.names
    pending = reading.pending.map {
      if case .conditionalUpdate(let resource, _, _) = $0 { resource.document.bytes } else { [] }
    }
  }

  /// A record with a tab behind its name is none that others repeat, and means the same.
  init(withoutPatterns document: [UInt8], _ options: AppleHealthOptions) {
    var document = document
    let name = Array("<Record ".utf8)
    for place in document.indices.dropLast(name.count - 1)
    where document[place] == name[0] && document[place...].starts(with: name) {
      document[place + name.count - 1] = UInt8(ascii: "\t")
    }
    self.init(document, chunkByteCount: max(1, document.count), options)
  }

  private static func counts(of report: AppleHealthReport) -> [Int] {
    [
      report.recordsRead, report.recordsUsed, report.recordsMerged, report.recordsSkipped,
      report.events.taken, report.workouts.taken, report.byteCount, report.faultCount,
      report.replacedByteCount, report.endedAt ?? -1,
    ]
  }

  private static func check(_ report: AppleHealthReport) {
    let sum = report.recordsUsed + report.recordsMerged + report.recordsSkipped
    precondition(report.recordsRead == sum, "a record is neither used, merged nor skipped")
    precondition(min(report.recordsUsed, report.recordsMerged) >= 0)
    precondition(report.skipped.values.allSatisfy { $0.count > 0 })
  }

  // MARK: the whole import

  /// What an import of a file with that document counts; `nil` if the file is no export.
  static func counts(
    ofImporting document: [UInt8], _ options: AppleHealthOptions
  ) -> [Int]? {
    let person = StoredVersion(
      id: options.patient, version: .first, lastUpdated: options.now, isDeleted: false,
      bytes: Array(#"{"resourceType":"Patient","id":"synthetic-1"}"#.utf8))
    do {
      var importer = AppleHealthImport(
        try AppleExport(bytes: document), options, sorter: MemorySampleSorter(),
        perform: { batch in
          batch.interactions.map {
            if case .read = $0 { .success(.found(person)) } else { .success(.created(person)) }
          }
        })
      var report = try importer.run()
      check(report)
      if report.endedBecause?.contains("nested") == true { report.replacedByteCount = 0 }
      return counts(of: report)
    } catch {
      precondition(error is ArchiveError || error is AppleExport.Failure, "\(error)")
      return nil
    }
  }

  static func options(_ choice: Int) -> AppleHealthOptions {
    var options = known
    options.withoutManual = choice & 1 != 0
    options.trustsOffsets = choice & 2 != 0
    options.updatesPatient = choice & 4 != 0
    options.keepsHeartbeats = choice & 32 != 0
    if choice & 24 == 24 { options.since = LocalDay(number: 20_750) }
    return options
  }

  private static let known: AppleHealthOptions = {
    guard let patient = ResourceID("Patient/synthetic-1"),
      let home = try? HomeZone(parsing: ["Europe/Budapest"]),
      let now = try? Instant("2026-11-30T12:00:00Z")
    else { preconditionFailure("a person, a zone and a moment") }
    return AppleHealthOptions(patient: patient, home: home, now: now)
  }()
}

private final class Collected {
  var samples: [Sample] = []
}

/// Keeps the samples as they come.
private struct CollectingSorter: SampleSorter {
  let collected: Collected
  func append(_ sample: Sample) { collected.samples.append(sample) }
  func drain(_ body: (Sample) throws -> Void) throws {
    for sample in collected.samples.sorted() { try body(sample) }
  }
}
