import Archive
import FHIRModel
import Synchronization
import Testing

@testable import Wearables

/// Values are made while those before are stored.
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

  private func run(
    days: Int, watch: @escaping (ImportProgress) throws -> Void = { _ in },
    perform: @escaping @Sendable (ImportBatch) throws -> Void
  ) throws -> AppleHealthReport {
    let options = AppleHealthOptions(
      patient: try #require(ResourceID("Patient/synthetic-1")),
      home: try HomeZone(parsing: ["Europe/Budapest"]), now: try Instant("2026-11-30T12:00:00Z"))
    let person = StoredVersion(
      id: options.patient, version: .first, lastUpdated: options.now, isDeleted: false,
      bytes: Array(#"{"resourceType":"Patient","id":"synthetic-1"}"#.utf8))
    var importer = AppleHealthImport(
      try export(days: days), options, sorter: MemorySampleSorter(),
      perform: { batch in
        if case .read = batch.interactions.first { return [.success(.found(person))] }
        try perform(batch)
        return batch.interactions.map { _ in .success(.created(person)) }
      }, watch: watch)
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
    #expect(under.withLock { $0.now } == 0)
    #expect(under.withLock { $0.begun } == 1)
  }
}
