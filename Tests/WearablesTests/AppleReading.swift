import Archive
import FHIRModel
import Testing

@testable import Wearables

/// Reads documents of Apple Health's exports as the tests of them do.
enum AppleReading {
  static func options() throws -> AppleHealthOptions {
    AppleHealthOptions(
      patient: try #require(ResourceID("Patient/synthetic-1")),
      home: try HomeZone(parsing: ["Europe/Budapest"]), now: try Instant("2026-11-30T12:00:00Z"))
  }

  /// The export with every fault.
  static let document = "fixtures/apple-health/export/exportálás.xml"

  /// A document as bytes, in pieces, with what it made.
  static func read(
    _ bytes: [UInt8], chunkByteCount: Int = 4_096, _ options: AppleHealthOptions? = nil
  ) throws -> (reading: AppleHealthReading, samples: [Sample]) {
    let collected = Collected()
    var reading = AppleHealthReading(
      try options ?? Self.options(), sorter: CollectingSorter(collected: collected))
    var xml = XMLReader(
      ByteSource(bytes, chunkByteCount: chunkByteCount), skippingText: true)
    try reading.read(&xml) { _, _ in }
    return (reading, collected.samples)
  }
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

extension ImportTaken {
  init(read: Int, taken: Int) {
    self.init()
    self.read = read
    self.taken = taken
  }
}
