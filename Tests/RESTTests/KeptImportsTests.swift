import Access
import FHIRModel
import Testing

@testable import REST

/// An import that came in that second and is over, or isn't.
private func job(
  _ second: Int, by person: String, _ phase: ImportJob.Phase = .failed("")
) throws -> ImportJob {
  let patient = try #require(ResourceID("Patient/\(person)"))
  let order = try ImportOrder(
    id: "\(person)-\(second)",
    parameters: [
      QueryParameter(name: "patient", value: "\(patient)"),
      QueryParameter(name: "homeZone", value: "UTC"),
    ], by: Caller(.person(patient)), from: "",
    received: Instant(ticks: Int64(second) * Instant.ticksPerSecond))
  return ImportJob(order, phase)
}

@Suite("Imports that are over")
struct KeptImportsTests {
  private func forgotten(
    _ jobs: [ImportJob], atMost maximum: Int, ofCaller maximumOfCaller: Int, since second: Int = 0
  ) -> Set<String> {
    let kept = KeptImports(
      atMost: maximum, ofCaller: maximumOfCaller,
      since: Int64(second) * Instant.ticksPerSecond)
    return Set(kept.forgotten(of: jobs).map(\.id))
  }

  @Test("of a caller are forgotten when the same caller sends many, the oldest first")
  func ofCaller() throws {
    var jobs = [try job(0, by: "a")]
    jobs += try (1...5).map { try job($0, by: "b") }
    #expect(forgotten(jobs, atMost: 100, ofCaller: 3) == ["b-1", "b-2"])
  }

  @Test("of all are forgotten of whoever has the most")
  func ofAll() throws {
    var jobs = try (0...1).map { try job($0, by: "a") }
    jobs += try (2...6).map { try job($0, by: "b") }
    jobs += try (7...8).map { try job($0, by: "c") }
    #expect(forgotten(jobs, atMost: 6, ofCaller: 100) == ["b-2", "b-3", "b-4"])
    // Where all have as many, it is the oldest.
    #expect(forgotten(jobs, atMost: 5, ofCaller: 100) == ["b-2", "b-3", "b-4", "a-0"])
  }

  @Test("are forgotten when they are old, and those that aren't over never")
  func old() throws {
    let jobs = [
      try job(1, by: "a", .waiting), try job(2, by: "a"), try job(3, by: "a"),
      try job(4, by: "a", .running),
    ]
    #expect(forgotten(jobs, atMost: 9, ofCaller: 9, since: 3) == ["a-2"])
    #expect(forgotten(jobs, atMost: 0, ofCaller: 0) == ["a-2", "a-3"])
  }
}
