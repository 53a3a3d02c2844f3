import Foundation
import Testing

@testable import KilnClient

private let stepType = HealthType("HKQuantityTypeIdentifierStepCount")
private let heartType = HealthType("HKQuantityTypeIdentifierHeartRate")
private let weightType = HealthType("HKQuantityTypeIdentifierBodyMass")
private let oxygenType = HealthType("HKQuantityTypeIdentifierOxygenSaturation")

/// A phone on 28 October 2026 at 13:00 in Budapest, where the clocks went back on the 25th.
private struct PhoneScene {
  var client: ClientScene
  let health = FakeHealth()
  var zone = "Europe/Budapest"
  var firstDay: LocalDay = "2026-10-01"

  init(now: String = "2026-10-28T12:00:00Z") throws { client = try ClientScene(now: now) }

  /// As a start of the app does.
  func start(_ names: String...) throws -> HealthSync {
    let zone = try #require(TimeZone(identifier: zone))
    return try HealthSync(
      reading: health, into: try client.start(),
      metrics: try names.map { try #require(HealthMetric.named($0)) }, from: firstDay,
      timeZone: { zone })
  }

  var values: [String: String] { client.server.values }

  func expectAll(_ sync: HealthSync, _ expected: [String: String], _ note: Comment? = nil) async {
    let report = await sync.synchronise()
    #expect(report.readingFailures.isEmpty, note)
    #expect(report.storageFailure == nil, note)
    #expect(values == expected, note)
  }
}

@Suite("Synchronising with the phone's health store")
struct HealthSyncTests {
  @Test("a day's samples become its value, on the day where the person was")
  func firstReading() async throws {
    let scene = try PhoneScene()
    // The 25th has 25 hours: the first sample is of its first hour, the last of its last.
    try await scene.health.save(stepType, "2026-10-24T22:10:00Z", "2026-10-24T22:20:00Z", 100)
    try await scene.health.save(stepType, "2026-10-25T22:30:00Z", "2026-10-25T22:50:00Z", 20)
    // Half of it is of the 26th.
    try await scene.health.save(stepType, "2026-10-25T22:50:00Z", "2026-10-25T23:10:00Z", 6)
    try await scene.health.save(heartType, "2026-10-28T08:00:00Z", "2026-10-28T08:00:00Z", 61)
    try await scene.health.save(heartType, "2026-10-28T09:00:00Z", "2026-10-28T09:00:00Z", 70)
    try await scene.health.save(oxygenType, "2026-10-28T09:00:00Z", "2026-10-28T09:00:00Z", 0.97)
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

  @Test("each day is asked for from its own first moment")
  func buckets() async throws {
    let scene = try PhoneScene()
    _ = await (try scene.start("steps")).synchronise()
    let requests = scene.health.state.withLock { $0.statisticsRequests }
    #expect(requests.map(\.bucketCount) == [24, 1, 3])
    #expect(requests.map(\.bucketSeconds) == [86_400, 90_000, 86_400])
    #expect(
      requests.map(\.start) == [
        try moment("2026-09-30T22:00:00Z"), try moment("2026-10-24T22:00:00Z"),
        try moment("2026-10-25T23:00:00Z"),
      ])
  }

  @Test("no data is nothing: no value, no failure, and it is not asked for again")
  func noData() async throws {
    let scene = try PhoneScene()
    scene.health.state.withLock { $0.denied = [stepType] }
    try await scene.health.save(stepType, "2026-10-24T08:00:00Z", "2026-10-24T08:10:00Z", 100)
    let sync = try scene.start("steps")
    await scene.expectAll(sync, [:])
    #expect(scene.client.server.requests.isEmpty)
    #expect(await sync.lastSynchronisedDay(of: HealthMetric.all[0]) == nil)
    let steps = try #require(HealthMetric.named("steps"))
    #expect(await sync.lastSynchronisedDay(of: steps) == "2026-10-28")
    _ = await sync.synchronise()
    let requests = scene.health.state.withLock { $0.statisticsRequests }
    #expect(requests.suffix(3).map(\.bucketCount).reduce(0, +) <= 10, "only the last days again")
  }

  @Test("a watch that delivers late changes the days that it measured")
  func late() async throws {
    let scene = try PhoneScene()
    try await scene.health.save(stepType, "2026-10-27T08:00:00Z", "2026-10-27T08:10:00Z", 100)
    let sync = try scene.start("steps")
    await scene.expectAll(sync, ["steps 2026-10-27": "100.0"])
    // One within the days that are read again, one long before them.
    try await scene.health.save(stepType, "2026-10-26T08:00:00Z", "2026-10-26T08:10:00Z", 7)
    try await scene.health.save(stepType, "2026-10-03T08:00:00Z", "2026-10-03T08:10:00Z", 9)
    // Before the first day nothing is read.
    try await scene.health.save(stepType, "2026-09-29T08:00:00Z", "2026-09-29T08:10:00Z", 9)
    await scene.expectAll(
      try scene.start("steps"),
      ["steps 2026-10-27": "100.0", "steps 2026-10-26": "7.0", "steps 2026-10-03": "9.0"])
  }

  @Test("a deletion computes its day again, and withdraws it when nothing is left")
  func deletion() async throws {
    let scene = try PhoneScene()
    let first = try await scene.health.save(
      stepType, "2026-10-03T08:00:00Z", "2026-10-03T08:10:00Z", 9)
    let second = try await scene.health.save(
      stepType, "2026-10-03T09:00:00Z", "2026-10-03T09:10:00Z", 5)
    let sync = try scene.start("steps")
    await scene.expectAll(sync, ["steps 2026-10-03": "14.0"])
    await scene.health.delete(first)
    await scene.expectAll(sync, ["steps 2026-10-03": "5.0"])
    await scene.health.delete(second)
    let again = try scene.start("steps")
    await scene.expectAll(again, [:])
    #expect(await scene.expectNothingNew(again) == nil, "withdrawn once")
    try await scene.health.save(stepType, "2026-10-03T09:00:00Z", "2026-10-03T09:10:00Z", 5)
    await scene.expectAll(again, ["steps 2026-10-03": "5.0"])
  }

  @Test("a day that was sent before it was over is sent once more when it is")
  func finality() async throws {
    let scene = try PhoneScene()
    try await scene.health.save(weightType, "2026-10-28T06:00:00Z", "2026-10-28T06:00:00Z", 71.2)
    let sync = try scene.start("body_weight")
    _ = await sync.synchronise()
    _ = await sync.synchronise()
    #expect(scene.client.server.requests.count == 1)
    scene.client.clock.set(try moment("2026-10-29T07:00:00Z"))
    _ = await sync.synchronise()
    #expect(scene.client.server.requests.count == 2)
    _ = await sync.synchronise()
    #expect(scene.client.server.requests.count == 2)
  }

  @Test("observers wake the app, and what they found is sent before it sleeps again")
  func observers() async throws {
    let scene = try PhoneScene()
    let sync = try scene.start("steps", "heart_rate")
    try await sync.observe()
    let number = try await scene.health.save(
      stepType, "2026-10-28T08:00:00Z", "2026-10-28T08:10:00Z", 42)
    #expect(scene.values == ["steps 2026-10-28": "42.0"])
    await scene.health.delete(number)
    #expect(scene.values.isEmpty)
  }

  @Test("a locked phone is asked again later, and nothing is lost")
  func locked() async throws {
    let scene = try PhoneScene()
    let sync = try scene.start("steps", "heart_rate")
    await scene.expectAll(sync, [:])
    scene.health.state.withLock { $0.isLocked = true }
    try await scene.health.save(stepType, "2026-10-03T08:00:00Z", "2026-10-03T08:10:00Z", 9)
    #expect(await sync.synchronise().readingFailures == ["steps": .locked])
    scene.health.state.withLock { $0.isLocked = false }
    await scene.expectAll(sync, ["steps 2026-10-03": "9.0"])
  }

  @Test("an anchor of another phone begins anew, and changes nothing")
  func otherPhone() async throws {
    let scene = try PhoneScene()
    try await scene.health.save(stepType, "2026-10-03T08:00:00Z", "2026-10-03T08:10:00Z", 9)
    let sync = try scene.start("steps")
    await scene.expectAll(sync, ["steps 2026-10-03": "9.0"])
    scene.health.state.withLock { $0.device = "other" }
    await scene.expectAll(try scene.start("steps"), ["steps 2026-10-03": "9.0"])
    #expect(scene.client.server.requests.count == 1)
  }

  @Test("what the person did in Tokyo stays a day in Tokyo after the flight")
  func travel() async throws {
    var scene = try PhoneScene(now: "2026-10-20T03:00:00Z")
    scene.zone = "Asia/Tokyo"
    scene.firstDay = "2026-10-19"
    try await scene.health.save(stepType, "2026-10-19T15:10:00Z", "2026-10-19T15:20:00Z", 100)
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
    try await scene.health.save(stepType, "2026-10-27T08:00:00Z", "2026-10-27T08:10:00Z", 1)
    try await scene.health.save(
      stepType, "2026-10-27T09:00:00Z", "2026-10-27T09:10:00Z", 2, source: FakeHealth.phone)
    _ = await (try scene.start("steps")).synchronise()
    let json = try #require(scene.client.server.requests.last).json
    #expect(json.contains(#""source":{"bundleIdentifier":"com.apple.health","name":"Health"}"#))
    #expect(!json.contains("device"))
  }

  @Test("starting over sends everything again and withdraws what is not there")
  func startOver() async throws {
    var scene = try PhoneScene()
    scene.firstDay = "2026-10-25"
    try await scene.health.save(stepType, "2026-10-27T08:00:00Z", "2026-10-27T08:10:00Z", 1)
    let sync = try scene.start("steps")
    await scene.expectAll(sync, ["steps 2026-10-27": "1.0"])
    scene.client.server.state.withLock { $0.values["steps 2026-10-26"] = "5.0" }
    try await sync.startOver()
    await scene.expectAll(sync, ["steps 2026-10-27": "1.0"])
    #expect(await scene.expectNothingNew(sync) == nil)
  }

  @Test("years are read in parts while an outbox is small, and go on after a kill")
  func backfill() async throws {
    var scene = try PhoneScene()
    scene.firstDay = "2020-01-01"
    scene.client.configuration.pendingCountMaximum = 400
    scene.client.configuration.valuesPerRequest = 300
    let calendar = LocalCalendar(try #require(TimeZone(identifier: scene.zone)))
    var day = scene.firstDay
    while day <= "2026-10-28" {
      let start = calendar.start(of: day)
      scene.health.state.withLock { state in
        state.samples[state.events.count] = FakeHealth.Sample(
          type: stepType, interval: DateInterval(start: start, duration: 60), value: 5,
          source: FakeHealth.watch)
        state.events.append(.saved(state.events.count, stepType))
      }
      day = day.advanced(by: 1)
    }
    // The server is away: as much as fits is kept, and nothing is passed over.
    for _ in 0..<20 { scene.client.server.then(.lost) }
    let offline = await (try scene.start("steps")).synchronise()
    #expect(offline.storageFailure != nil)
    #expect(offline.delivery.pendingCount > 200)
    // Meanwhile a day loses its data that was read already.
    let lost: LocalDay = "2020-01-05"
    await scene.health.delete(lost - scene.firstDay)
    scene.client.server.state.withLock { $0.script = [] }
    let online = await (try scene.start("steps")).synchronise()
    #expect(online.storageFailure == nil)
    #expect(scene.values.count == "2026-10-28" as LocalDay - scene.firstDay)
    #expect(scene.values["steps \(lost)"] == nil)
    #expect(Set(scene.values.values) == ["5.0"])
  }
}

@Suite("Files of a phone that were damaged")
struct DamageTests {
  private func flip(_ scene: PhoneScene, _ name: String, line number: Int) throws {
    let url = try scene.client.folder.file(name)
    var lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init)
    lines[number] = lines[number].replacingOccurrences(of: "2026", with: "2025")
    try Data(lines.joined(separator: "\n").utf8).write(to: url)
  }

  @Test("a value that was lost from the outbox is read again")
  func outbox() async throws {
    let scene = try PhoneScene()
    for day in ["02", "03", "04"] {
      try await scene.health.save(
        stepType, "2026-10-\(day)T08:00:00Z", "2026-10-\(day)T08:10:00Z", 9)
    }
    for _ in 0..<9 { scene.client.server.then(.lost) }
    _ = await (try scene.start("steps")).synchronise()
    scene.client.server.state.withLock { $0.script = [] }
    try flip(scene, "outbox", line: 2)
    // A run of the app that finds the damage and is killed before it reads.
    let damage = try #require(await (try scene.client.start()).damagedFiles.first)
    #expect(damage.name == "outbox")
    #expect(damage.readableCount == 2)
    #expect(damage.writtenCount == 3)
    let expected = Dictionary(
      uniqueKeysWithValues: ["02", "03", "04"].map { ("steps 2026-10-\($0)", "9.0") })
    await scene.expectAll(try scene.start("steps"), expected)
  }

  @Test("a day whose sending was forgotten is withdrawn all the same")
  func sent() async throws {
    let scene = try PhoneScene()
    let number = try await scene.health.save(
      stepType, "2026-10-03T08:00:00Z", "2026-10-03T08:10:00Z", 9)
    await scene.expectAll(try scene.start("steps"), ["steps 2026-10-03": "9.0"])
    try flip(scene, "sent-steps", line: 1)
    await scene.health.delete(number)
    let sync = try scene.start("steps")
    await scene.expectAll(sync, [:])
    #expect(await scene.expectNothingNew(sync) == nil)
    #expect(await sync.client.damagedFiles.map(\.name) == ["sent-steps"])
  }

  @Test("a reader that forgot how far it came reads all again and sends nothing twice")
  func reading() async throws {
    let scene = try PhoneScene()
    try await scene.health.save(stepType, "2026-10-03T08:00:00Z", "2026-10-03T08:10:00Z", 9)
    await scene.expectAll(try scene.start("steps"), ["steps 2026-10-03": "9.0"])
    try flip(scene, "reading", line: 1)
    #expect(await scene.expectNothingNew(try scene.start("steps")) == nil)
  }
}

extension LocalDay {
  fileprivate static func - (left: LocalDay, right: LocalDay) -> Int { left.number - right.number }
}

extension PhoneScene {
  /// `nil` if a synchronisation sends nothing.
  fileprivate func expectNothingNew(_ sync: HealthSync) async -> String? {
    let before = client.server.requests.count
    _ = await sync.synchronise()
    let requests = client.server.requests
    return requests.count == before ? nil : requests.last?.json
  }
}
