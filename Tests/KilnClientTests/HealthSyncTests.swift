import Foundation
import Testing

@testable import KilnClient

@Suite("Synchronising with the phone's health store")
struct HealthSyncTests {
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
    scene.health.state.withLock { $0.denied = [.steps] }
    try await scene.health.save(.steps, "2026-10-24T08:00:00Z", "2026-10-24T08:10:00Z", 100)
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

  /// Nothing tells that it was allowed, and what was saved before is no change.
  @Test("what the person allows later is read from the first day on")
  func allowedLater() async throws {
    let scene = try PhoneScene()
    scene.health.state.withLock { $0.denied = [.steps] }
    try await scene.health.save(.steps, "2026-10-03T08:00:00Z", "2026-10-03T08:10:00Z", 9)
    let sync = try scene.start("steps")
    await scene.expectAll(sync, [:])
    scene.health.state.withLock { $0.denied = [] }
    await scene.expectAll(try scene.start("steps"), ["steps 2026-10-03": "9.0"])
    #expect(await scene.expectNothingNew(sync) == nil)
  }

  @Test("what a flight west moves to the day before is withdrawn from the day after")
  func flightWest() async throws {
    var scene = try PhoneScene(now: "2026-10-27T15:30:00Z")
    scene.zone = "Asia/Tokyo"
    try await scene.health.save(.steps, "2026-10-27T15:10:00Z", "2026-10-27T15:20:00Z", 50)
    await scene.expectAll(try scene.start("steps"), ["steps 2026-10-28": "50.0"])
    scene.zone = "America/Los_Angeles"
    for now in ["2026-10-27T15:40:00Z", "2026-10-28T12:00:00Z"] {
      scene.client.clock.set(try moment(now))
      _ = await (try scene.start("steps")).synchronise()
    }
    #expect(scene.values == ["steps 2026-10-27": "50.0"])
  }

  @Test("what was sent stays when the person no longer allows reading")
  func takenBack() async throws {
    let scene = try PhoneScene()
    try await scene.health.save(.steps, "2026-10-27T08:00:00Z", "2026-10-27T08:10:00Z", 9)
    let sync = try scene.start("steps")
    await scene.expectAll(sync, ["steps 2026-10-27": "9.0"])
    scene.health.state.withLock { $0.denied = [.steps] }
    await scene.expectAll(sync, ["steps 2026-10-27": "9.0"])
    scene.health.state.withLock { $0.denied = [] }
    #expect(await scene.expectNothingNew(sync) == nil)
  }

  @Test("a watch that delivers late changes the days that it measured")
  func late() async throws {
    let scene = try PhoneScene()
    try await scene.health.save(.steps, "2026-10-27T08:00:00Z", "2026-10-27T08:10:00Z", 100)
    let sync = try scene.start("steps")
    await scene.expectAll(sync, ["steps 2026-10-27": "100.0"])
    // One within the days that are read again, one long before them.
    try await scene.health.save(.steps, "2026-10-26T08:00:00Z", "2026-10-26T08:10:00Z", 7)
    try await scene.health.save(.steps, "2026-10-03T08:00:00Z", "2026-10-03T08:10:00Z", 9)
    // Before the first day nothing is read.
    try await scene.health.save(.steps, "2026-09-29T08:00:00Z", "2026-09-29T08:10:00Z", 9)
    await scene.expectAll(
      try scene.start("steps"),
      ["steps 2026-10-27": "100.0", "steps 2026-10-26": "7.0", "steps 2026-10-03": "9.0"])
  }

  @Test("a deletion computes its day again, and withdraws it when nothing is left")
  func deletion() async throws {
    let scene = try PhoneScene()
    let first = try await scene.health.save(
      .steps, "2026-10-03T08:00:00Z", "2026-10-03T08:10:00Z", 9)
    let second = try await scene.health.save(
      .steps, "2026-10-03T09:00:00Z", "2026-10-03T09:10:00Z", 5)
    let sync = try scene.start("steps")
    await scene.expectAll(sync, ["steps 2026-10-03": "14.0"])
    await scene.health.delete(first)
    await scene.expectAll(sync, ["steps 2026-10-03": "5.0"])
    await scene.health.delete(second)
    let again = try scene.start("steps")
    await scene.expectAll(again, [:])
    #expect(await scene.expectNothingNew(again) == nil, "withdrawn once")
    try await scene.health.save(.steps, "2026-10-03T09:00:00Z", "2026-10-03T09:10:00Z", 5)
    await scene.expectAll(again, ["steps 2026-10-03": "5.0"])
  }

  @Test("a day that was sent before it was over is sent once more when it is")
  func finality() async throws {
    let scene = try PhoneScene()
    try await scene.health.save(.bodyMass, "2026-10-28T06:00:00Z", "2026-10-28T06:00:00Z", 71.2)
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
      .steps, "2026-10-28T08:00:00Z", "2026-10-28T08:10:00Z", 42)
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
    try await scene.health.save(.steps, "2026-10-03T08:00:00Z", "2026-10-03T08:10:00Z", 9)
    #expect(await sync.synchronise().readingFailures == ["steps": .locked])
    scene.health.state.withLock { $0.isLocked = false }
    await scene.expectAll(sync, ["steps 2026-10-03": "9.0"])
  }

  @Test("an anchor of another phone begins anew, and changes nothing")
  func otherPhone() async throws {
    let scene = try PhoneScene()
    try await scene.health.save(.steps, "2026-10-03T08:00:00Z", "2026-10-03T08:10:00Z", 9)
    let sync = try scene.start("steps")
    await scene.expectAll(sync, ["steps 2026-10-03": "9.0"])
    scene.health.state.withLock { $0.device = "other" }
    await scene.expectAll(try scene.start("steps"), ["steps 2026-10-03": "9.0"])
    #expect(scene.client.server.requests.count == 1)
  }

  @Test("starting over sends everything again and withdraws what is not there")
  func startOver() async throws {
    var scene = try PhoneScene()
    scene.firstDay = "2026-10-25"
    try await scene.health.save(.steps, "2026-10-27T08:00:00Z", "2026-10-27T08:10:00Z", 1)
    let sync = try scene.start("steps")
    await scene.expectAll(sync, ["steps 2026-10-27": "1.0"])
    scene.client.server.state.withLock { $0.values["steps 2026-10-26"] = "5.0" }
    try await sync.startOver()
    await scene.expectAll(sync, ["steps 2026-10-27": "1.0"])
    #expect(await scene.expectNothingNew(sync) == nil)
  }

  @Test("starting over brings a server that was restored to what the phone has")
  func restoredServer() async throws {
    var scene = try PhoneScene()
    scene.firstDay = "2026-10-25"
    try await scene.health.save(.steps, "2026-10-27T08:00:00Z", "2026-10-27T08:10:00Z", 1)
    let gone = try await scene.health.save(
      .steps, "2026-10-26T08:00:00Z", "2026-10-26T08:10:00Z", 5)
    let sync = try scene.start("steps")
    await scene.expectAll(sync, ["steps 2026-10-26": "5.0", "steps 2026-10-27": "1.0"])
    await scene.health.delete(gone)
    await scene.expectAll(sync, ["steps 2026-10-27": "1.0"])
    scene.client.server.state.withLock { $0.values = ["steps 2026-10-26": "5.0"] }
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
          type: .steps, interval: DateInterval(start: start, duration: 60), value: 5,
          source: FakeHealth.watch)
        state.events.append(.saved(state.events.count, .steps))
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

extension LocalDay {
  fileprivate static func - (left: LocalDay, right: LocalDay) -> Int { left.number - right.number }
}
