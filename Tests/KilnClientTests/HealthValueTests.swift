import Foundation
import Testing

@testable import KilnClient

/// What a phone's samples become.
@Suite("Values of the phone's health store")
struct HealthValueTests {
  @Test("a day's samples become its value, on the day where the person was")
  func firstReading() async throws {
    let scene = try PhoneScene()
    // The 25th has 25 hours: the first sample is of its first hour, the last of its last.
    try await scene.health.save(.steps, "2026-10-24T22:10:00Z", "2026-10-24T22:20:00Z", 100)
    try await scene.health.save(.steps, "2026-10-25T22:30:00Z", "2026-10-25T22:50:00Z", 20)
    // Half of it is of the 26th.
    try await scene.health.save(.steps, "2026-10-25T22:50:00Z", "2026-10-25T23:10:00Z", 6)
    try await scene.health.save(.heartRate, "2026-10-28T08:00:00Z", "2026-10-28T08:00:00Z", 61)
    try await scene.health.save(.heartRate, "2026-10-28T09:00:00Z", "2026-10-28T09:00:00Z", 70)
    try await scene.health.save(
      .oxygenSaturation, "2026-10-28T09:00:00Z", "2026-10-28T09:00:00Z", 0.97)
    let sync = try scene.start("steps", "heart_rate", "oxygen_saturation", "body_weight")
    let report = try await sync.connect()
    #expect(report.addedCount == 4)
    #expect(
      scene.values == [
        "steps 2026-10-25": "123.0", "steps 2026-10-26": "3.0", "heart_rate 2026-10-28": "65.5",
        "oxygen_saturation 2026-10-28": "97.0",
      ])
    #expect(scene.health.state.withLock { $0.asked }.map(\.count) == [4], "asked type by type")
    let json = scene.client.server.requests.map(\.json).joined()
    #expect(json.contains(#""max":70,"metric":"heart_rate","min":61,"value":65.5"#))
    #expect(
      json.contains(
        #""source":{"bundleIdentifier":"com.apple.health.W","name":"Watch","version":"12.1"}"#))
    #expect(json.contains(#""device":{"hardwareVersion":"Watch7,5","manufacturer":"Apple Inc."}"#))
    #expect(await scene.expectNothingNew(sync) == nil)
  }

  @Test("what is recorded by name has the worst or the last of the day, and goes with it")
  func categories() async throws {
    let scene = try PhoneScene()
    let headache = HealthType("HKCategoryTypeIdentifierHeadache")
    let flow = HealthType("HKCategoryTypeIdentifierMenstrualFlow")
    func save(_ type: HealthType, _ moment: String, _ value: Int) async throws -> Int {
      try await scene.health.save(type, moment, moment, Double(value))
    }
    // 3 is moderate, 2 mild, 0 unspecified, 1 not present.
    let moderate = try await save(headache, "2026-10-26T08:00:00Z", 3)
    let mild = try await save(headache, "2026-10-26T20:00:00Z", 2)
    _ = try await save(headache, "2026-10-27T07:00:00Z", 1)
    _ = try await save(headache, "2026-10-27T08:00:00Z", 0)
    // 2 is light, 4 heavy, 5 none: in Budapest the last is of the 27th.
    _ = try await save(flow, "2026-10-26T08:00:00Z", 4)
    _ = try await save(flow, "2026-10-26T20:00:00Z", 2)
    _ = try await save(flow, "2026-10-26T23:30:00Z", 5)
    let sync = try scene.start("headache", "menstrual_flow")
    var expected = [
      "headache 2026-10-26": "3.0", "headache 2026-10-27": "0.0",
      "menstrual_flow 2026-10-26": "2.0", "menstrual_flow 2026-10-27": "5.0",
    ]
    await scene.expectAll(sync, expected)
    await scene.health.delete(moderate)
    expected["headache 2026-10-26"] = "2.0"
    await scene.expectAll(sync, expected)
    await scene.health.delete(mild)
    expected["headache 2026-10-26"] = nil
    await scene.expectAll(sync, expected)
  }

  @Test("a day's blood pressures go as one value of both numbers")
  func bloodPressure() async throws {
    let scene = try PhoneScene()
    let systolic = HealthType("HKQuantityTypeIdentifierBloodPressureSystolic")
    let diastolic = HealthType("HKQuantityTypeIdentifierBloodPressureDiastolic")
    func save(_ moment: String, _ upper: Double, _ lower: Double?) async throws -> Int {
      if let lower { try await scene.health.save(diastolic, moment, moment, lower) }
      return try await scene.health.save(systolic, moment, moment, upper)
    }
    _ = try await save("2026-10-26T08:00:00Z", 120, 80)
    let evening = try await save("2026-10-26T20:00:00Z", 130, 70)
    // Whoever may read one of the two alone sees no pressure.
    _ = try await save("2026-10-27T08:00:00Z", 125, nil)
    let sync = try scene.start("blood_pressure")
    let report = try await sync.connect()
    #expect(report.addedCount == 1)
    #expect(scene.health.state.withLock { $0.asked } == [[systolic, diastolic]])
    await scene.expectAll(
      sync, ["blood_pressure 2026-10-26": "systolic 125.0 diastolic 75.0"])
    let json = scene.client.server.requests.map(\.json).joined()
    #expect(json.contains(#""max":{"diastolic":80,"systolic":130}"#))
    #expect(json.contains(#""min":{"diastolic":70,"systolic":120}"#))
    await scene.health.delete(evening)
    await scene.expectAll(
      sync, ["blood_pressure 2026-10-26": "systolic 120.0 diastolic 75.0"])
  }

  @Test("either pressure that is deleted or comes late, of any day, changes what was sent")
  func lonePressures() async throws {
    let scene = try PhoneScene()
    let systolic = HealthType("HKQuantityTypeIdentifierBloodPressureSystolic")
    let diastolic = HealthType("HKQuantityTypeIdentifierBloodPressureDiastolic")
    // Long before the days that are read again each time.
    let moment = "2026-10-03T08:00:00Z"
    try await scene.health.save(systolic, moment, moment, 120)
    let lower = try await scene.health.save(diastolic, moment, moment, 80)
    let sent = ["blood_pressure 2026-10-03": "systolic 120.0 diastolic 80.0"]
    await scene.expectAll(try scene.start("blood_pressure"), sent)
    await scene.health.delete(lower)
    await scene.expectAll(try scene.start("blood_pressure"), [:])
    try await scene.health.save(diastolic, moment, moment, 80)
    let sync = try scene.start("blood_pressure")
    await scene.expectAll(sync, sent)
    #expect(await scene.expectNothingNew(sync) == nil)
  }

  @Test("what the person did in Tokyo stays a day in Tokyo after the flight")
  func travel() async throws {
    var scene = try PhoneScene(now: "2026-10-20T03:00:00Z")
    scene.zone = "Asia/Tokyo"
    scene.firstDay = "2026-10-19"
    try await scene.health.save(.steps, "2026-10-19T15:10:00Z", "2026-10-19T15:20:00Z", 100)
    await scene.expectAll(try scene.start("steps"), ["steps 2026-10-20": "100.0"])
    scene.zone = "Europe/Budapest"
    scene.client.clock.set(try moment("2026-10-22T12:00:00Z"))
    await scene.expectAll(try scene.start("steps"), ["steps 2026-10-20": "100.0"])
    let json = try #require(scene.client.server.requests.last).json
    #expect(json.contains(#""timeZone":"Asia/Tokyo""#), "final now, and still in Tokyo")
  }

  @Test("where several programs measured, Health is the source")
  func sources() async throws {
    let scene = try PhoneScene()
    try await scene.health.save(.steps, "2026-10-27T08:00:00Z", "2026-10-27T08:10:00Z", 1)
    try await scene.health.save(
      .steps, "2026-10-27T09:00:00Z", "2026-10-27T09:10:00Z", 2, source: FakeHealth.phone)
    _ = await (try scene.start("steps")).synchronise()
    let json = try #require(scene.client.server.requests.last).json
    #expect(json.contains(#""source":{"bundleIdentifier":"com.apple.health","name":"Health"}"#))
    #expect(!json.contains("device"))
  }
}
