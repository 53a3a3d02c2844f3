import FHIRModel
import Testing

@testable import Wearables

@Suite("The answer to daily values")
struct DailyValuesAnswerTests {
  private struct Full: Error {}

  private func version(_ id: String, _ number: UInt32) throws -> StoredVersion {
    StoredVersion(
      id: try #require(ResourceID("Observation/\(id)")), version: VersionID(number),
      lastUpdated: Instant(second: 0), isDeleted: false, bytes: [])
  }

  @Test("tells of each value what became of it, and counts")
  func answer() throws {
    let body = """
      {"patient":"Patient/ana","origin":"apple-health","timeZone":"UTC","values":[
        {"metric":"steps","day":"2026-10-01","value":1}, {"metric":"mood","day":"2026-10-01","value":1},
        {"metric":"steps","day":"2026-10-02","value":2}, {"metric":"steps","day":"2026-10-03","value":3},
        {"metric":"steps","day":"2026-10-04","value":null}, 7,
        {"metric":"steps","day":"2026-10-05","value":null}, {"metric":"steps","day":"2026-10-06","value":6}
      ]}
      """
    let values = try DailyValues(
      parsing: Array(body.utf8), metrics: .shared, now: Instant(second: 1_794_736_800))
    let results: [Result<Outcome, any Error>] = [
      .success(.created(try version("a", 1))), .success(.updated(try version("b", 3))),
      .success(.unchanged(try version("c", 2))), .success(.deleted(try version("d", 4))),
      .success(.deleted(nil)), .failure(Full()),
    ]
    #expect(values.interactions.count == results.count)
    let answer = String(
      decoding: values.answer(to: results) { _ in "the disk is full" }, as: UTF8.self)
    let expected = #"""
      {"values":[{"metric":"steps","day":"2026-10-01","result":"created","observation":"Observation/a",\#
      "version":"1"},{"metric":"mood","day":"2026-10-01","result":"refused",\#
      "reason":"There is no metric “mood”."},{"metric":"steps","day":"2026-10-02",\#
      "result":"updated","observation":"Observation/b","version":"3"},{"metric":"steps",\#
      "day":"2026-10-03","result":"unchanged","observation":"Observation/c","version":"2"},\#
      {"metric":"steps","day":"2026-10-04","result":"withdrawn","observation":"Observation/d",\#
      "version":"4"},{"result":"refused","reason":"A value must be an object."},{"metric":"steps",\#
      "day":"2026-10-05","result":"unchanged"},{"metric":"steps","day":"2026-10-06",\#
      "result":"refused","reason":"the disk is full"}],"created":1,"updated":1,"unchanged":2,\#
      "withdrawn":1,"refused":3}
      """#
    #expect(answer == expected)
  }
}
