import Archive
import Dispatch
import FHIRModel
import Foundation
import Synchronization
import Testing

@testable import Wearables

/// Records are read while those before are decoded, and values made while those before are stored.
@Suite("An import on several threads")
struct ImportThreadTests {
  private struct Ended: Error {}

  /// Steps of so many days, of which each makes a value.
  private func export(days: Int) throws -> AppleExport {
    var text = "<?xml version='1.0'?><HealthData>"
    for day in 0..<days {
      let date = try #require(LocalDay(number: 18_000 + day)).text
      text += "<Record type='HKQuantityTypeIdentifierStepCount' sourceName='A phone' unit='count' "
      text += "startDate='\(date) 10:00:00 +0100' endDate='\(date) 10:05:00 +0100' value='7'/>"
    }
    return try AppleExport(bytes: Array((text + "</HealthData>").utf8))
  }

  /// So many events, each at a minute of its own.
  private func export(events: Int) throws -> AppleExport {
    var text = "<?xml version='1.0'?><HealthData>"
    for number in 0..<events {
      let day = try #require(LocalDay(number: 18_000 + number / 60)).text
      let minute = String(100 + number % 60).dropFirst()
      text += "<Record type='HKCategoryTypeIdentifierHighHeartRateEvent' sourceName='A watch' "
      text += "startDate='\(day) 10:\(minute):00 +0100' endDate='\(day) 11:00:00 +0100' "
      text += "value='HKCategoryValueNotApplicable'/>"
    }
    return try AppleExport(bytes: Array((text + "</HealthData>").utf8))
  }

  private func run(
    days: Int, prepare: @escaping ImportDelivery.Prepare = { _ in nil },
    watch: @escaping (ImportProgress) throws -> Void = { _ in },
    perform: @escaping @Sendable (ImportBatch) throws -> Void
  ) throws -> AppleHealthReport {
    try run(try export(days: days), prepare: prepare, watch: watch, perform: perform)
  }

  private func run(
    _ export: AppleExport, prepare: @escaping ImportDelivery.Prepare = { _ in nil },
    watch: @escaping (ImportProgress) throws -> Void = { _ in },
    perform: @escaping @Sendable (ImportBatch) throws -> Void
  ) throws -> AppleHealthReport {
    let options = try options()
    let person = StoredVersion(
      id: options.patient, version: .first, lastUpdated: options.now, isDeleted: false,
      bytes: Array(#"{"resourceType":"Patient","id":"synthetic-1"}"#.utf8))
    var importer = AppleHealthImport(
      export, options, sorter: MemorySampleSorter(),
      perform: { batch in
        if case .read = batch.interactions.first { return [.success(.found(person))] }
        try perform(batch)
        return batch.interactions.map { _ in .success(.created(person)) }
      }, prepare: prepare, watch: watch)
    return try importer.run()
  }

  @Test("every value is given once, in its order, one batch at a time")
  func batches() throws {
    let seen = Mutex((days: [String](), isBusy: false))
    let report = try run(days: 2_500) { batch in
      seen.withLock {
        #expect(!$0.isBusy)
        $0.isBusy = true
      }
      let days = batch.interactions.compactMap { interaction -> String? in
        guard case .conditionalUpdate(let resource, _, _) = interaction else { return nil }
        return resource.document.root["effectivePeriod"]?["start"]?.string
      }
      seen.withLock {
        $0.days += days
        $0.isBusy = false
      }
    }
    #expect(report.results.created == 2_500)
    let days = seen.withLock { $0.days }
    #expect(days.count == 2_500 && days == days.sorted() && Set(days).count == 2_500)
  }

  @Test("events go in while the document is read, few at a time, for they lie anywhere in a store")
  func events() throws {
    let counts = Mutex([Int]())
    let report = try run(try export(events: 3_000)) { batch in
      counts.withLock { $0.append(batch.interactions.count) }
    }
    #expect(report.events.taken == 3_000 && report.results.created == 3_000)
    let seen = counts.withLock { $0 }
    #expect(seen.reduce(0, +) == 3_000)
    #expect(seen.allSatisfy { $0 <= 400 }, "\(seen.prefix(20))")
  }

  @Test("a batch that fails ends the import with its reason, and none is begun after it")
  func failure() throws {
    let count = Mutex(0)
    #expect(throws: Ended.self) {
      _ = try run(days: 5_000) { _ in
        let batches = count.withLock {
          $0 += 1
          return $0
        }
        if batches == 2 { throw Ended() }
      }
    }
    #expect(count.withLock { $0 } == 2)
  }

  @Test("an import that is given up has nothing under way when it has ended")
  func givenUp() throws {
    let under = Mutex((now: 0, begun: 0))
    #expect(throws: Ended.self) {
      let watch = { (progress: ImportProgress) in
        if progress.resources > 0 { throw Ended() }
      }
      _ = try run(days: 5_000, watch: watch) { _ in
        under.withLock { $0 = ($0.now + 1, $0.begun + 1) }
        under.withLock { $0.now -= 1 }
      }
    }
    let (now, begun) = under.withLock { $0 }
    #expect(now == 0)
    // Those that were handed over before the first was told, and not the fifteen of all days.
    #expect(begun < 8)
    Thread.sleep(forTimeInterval: 0.05)
    #expect(under.withLock { $0.begun } == begun)
  }

  @Test("an import that is given up begins none of the batches that wait")
  func givenUpWaiting() throws {
    let begun = Mutex(0)
    let (isPrepared, isGivenUp) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let watch = { (progress: ImportProgress) in
      // It was told of the second batch.
      guard progress.resources > 50 else { return }
      isGivenUp.signal()
      throw Ended()
    }
    let prepare = { @Sendable (_: [Interaction]) -> (any Sendable)? in
      isPrepared.signal()
      return nil
    }
    #expect(throws: Ended.self) {
      _ = try run(days: 5_000, prepare: prepare, watch: watch) { _ in
        let number = begun.withLock {
          $0 += 1
          return $0
        }
        // Under way is the second until there is no room for the fourth, then the third until the
        // import is given up and waits for it.
        if number == 2 { for _ in 0..<4 { isPrepared.wait() } }
        if number == 3 { isGivenUp.wait() }
        if number == 2 || number == 3 { Thread.sleep(forTimeInterval: 0.1) }
      }
    }
    #expect(begun.withLock { $0 } <= 3)
  }

  @Test("for a person who isn't there nothing is performed, however early a batch is ready")
  func missingPerson() throws {
    try expectNothing(of: 5_000)
  }

  @Test("for a person who isn't there no sample is kept, however short the document is")
  func samplesOfMissingPerson() throws {
    try expectNothing(of: 5)
  }

  /// Takes in so many days for a person who isn't there.
  private func expectNothing(of days: Int) throws {
    let (options, store) = (try options(), MissingPerson())
    var importer = AppleHealthImport(
      try export(days: days), options, sorter: MemorySampleSorter(), perform: store.perform)
    importer.shelf = store.shelf
    store.expectNothing(for: options.patient) { _ = try importer.run() }
  }

  // MARK: decoding

  /// Fails at a sample.
  private struct FailingSorter: SampleSorter {
    var rest: Int
    mutating func append(_ sample: Sample) throws {
      rest -= 1
      if rest == 0 { throw Ended() }
    }
    func drain(_ body: (Sample) throws -> Void) {}
  }

  private func options() throws -> AppleHealthOptions {
    AppleHealthOptions(
      patient: try #require(ResourceID("Patient/synthetic-1")),
      home: try HomeZone(parsing: ["Europe/Budapest"]), now: try Instant("2026-11-30T12:00:00Z"))
  }

  private static func record(_ number: Int, _ inner: String = "", type: String = "StepCount")
    -> String
  {
    let time = "2026-10-\(number % 20 + 10) 10:00:00 +0100"
    return "<Record type='HKQuantityTypeIdentifier\(type)' sourceName='A &amp; B \(number % 3)' "
      + "unit='count' startDate='\(time)' endDate='\(time)' value='\(number)'>\(inner)</Record>"
  }

  @Test("a sorter that fails ends the reading with its reason", arguments: [1, 5_000, 29_999])
  func sorterFailure(at position: Int) throws {
    let text = "<HealthData>" + (0..<30_000).map { Self.record($0) }.joined() + "</HealthData>"
    var reading = AppleHealthReading(try options(), sorter: FailingSorter(rest: position))
    var xml = XMLReader(ByteSource(Array(text.utf8)), skippingText: true)
    #expect(throws: Ended.self) { try reading.read(&xml) { _, _ in } }
    #expect(reading.report.recordsRead == position)
  }

  @Test("what is read doesn't depend on what stands between the records, and steps see all before")
  func between() throws {
    let other = "<ExportDate value='2026-11-30 10:00:00 +0100'/>"
    var counts: [[Int]] = []
    for gap in [1, 7, 100_000] {
      let records = (0..<9_000).map {
        Self.record($0, type: $0 % 100 == 7 ? "Nothing\($0)" : "StepCount")
          + ($0 % gap == 0 ? other : "")
      }
      let text = "<HealthData>" + records.joined() + "</HealthData>"
      var reading = AppleHealthReading(try options(), sorter: MemorySampleSorter())
      var xml = XMLReader(ByteSource(Array(text.utf8)), skippingText: true)
      var last = 0
      try reading.read(&xml) { reading, progress in
        #expect(reading.report.recordsRead == progress.records && progress.records > last)
        last = progress.records
      }
      #expect(last > 0)
      var days: [String] = []
      try reading.engine.finish { days.append("\($0.day.text) \($0.value)") }
      #expect(days.count == 20)
      counts.append(
        [
          reading.report.recordsRead, reading.report.recordsUsed, reading.report.recordsSkipped,
          reading.engine.sources.sources.count, reading.report.unknown.count,
        ])
    }
    #expect(counts.allSatisfy { $0 == [9_000, 8_910, 90, 3, 90] })
  }

  @Test("a record that is larger than what is decoded at once is one")
  func largeRecord() throws {
    let filling = "<MetadataEntry key='HKNote' value='\(String(repeating: "&lt;", count: 200))'/>"
    let inner =
      "<MetadataEntry key='HKTimeZone' value='Asia/Tokyo'/>"
      + String(repeating: filling, count: 9_000)
      + "<MetadataEntry key='HKWasUserEntered' value='1'/>"
    let text =
      "<HealthData>\(Self.record(1))\(Self.record(2, inner))\(Self.record(3))<Correlation>"
      + "\(Self.record(4, inner))</Correlation></HealthData>"
    var options = try options()
    options.withoutManual = true
    var reading = AppleHealthReading(options, sorter: MemorySampleSorter())
    var xml = XMLReader(ByteSource(Array(text.utf8)), skippingText: true)
    try reading.read(&xml) { _, _ in }
    #expect(reading.report.recordsRead == 4 && reading.report.recordsUsed == 2)
    #expect(reading.report.skipped[.manual]?.count == 2)
    #expect(reading.engine.zones.names.contains("Asia/Tokyo"))
  }

  @Test("what is wrong in records' tags is counted each time, also in one that stands in another")
  func faults() throws {
    func record(_ device: String, _ inner: String) -> String {
      #"<Record type="HKQuantityTypeIdentifierStepCount" sourceName="A" unit="count" "#
        + #"device="\#(device)" startDate="2026-10-10 10:00:00 +0100" "#
        + #"endDate="2026-10-10 10:00:00 +0100" value="1">\#(inner)</Record>"#
    }
    let plain = "&lt;&lt;HKDevice: 0x1&gt;, name:Watch&gt;"
    let wrong = "&lt;&lt;HKDevice: 0x1&gt;, name:A &thing; &#7;&gt;"
    let address = "&lt;&lt;HKDevice: &thing;&gt;, name:Watch&gt;"
    let records = [
      record(plain, ""), record(plain, ""), record(wrong, ""), record(wrong, ""),
      record(plain, record(wrong, "")), record(address, ""), record(address, ""),
    ]
    let text = "<HealthData>" + records.joined() + "</HealthData>"
    var reading = AppleHealthReading(try options(), sorter: MemorySampleSorter())
    var xml = XMLReader(ByteSource(Array(text.utf8)), skippingText: true)
    try reading.read(&xml) { _, _ in }
    #expect(reading.report.recordsRead == 8 && reading.report.recordsUsed == 8)
    #expect(reading.report.faultCount == 5)
    #expect(reading.report.replacedByteCount == 3 * 4)
    #expect(reading.engine.sources.sources.count == 2)
  }
}
