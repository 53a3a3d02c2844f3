import Foundation
import Testing

@testable import KilnClient

private func answer(_ status: Int, _ body: String = "", retryAfter: String? = nil)
  -> ScriptedServer.Step
{
  .answer(TransportAnswer(status: status, retryAfter: retryAfter, body: Data(body.utf8)))
}

@Suite("Delivery")
struct DeliveryTests {
  @Test("sends what the server's documentation shows, with the token")
  func request() async throws {
    let scene = try ClientScene()
    let client = try scene.start()
    let context = DailyValue.Context(
      timeZone: "Europe/Budapest",
      source: ValueSource(name: "Watch", bundleIdentifier: "com.apple.health", version: "12.1"))
    try await client.add([
      DailyValue(
        "heart_rate", on: "2026-10-25", .init(71.5, minimum: 48, maximum: 142), context: context),
      DailyValue("steps", on: "2026-10-25", .init(8342), context: context),
      DailyValue("steps", on: "2026-10-24", nil, context: context),
    ])
    let report = await client.deliver()
    #expect(report.deliveredCount == 3)
    #expect(report.failure == nil)
    #expect(report.pendingCount == 0)
    let sent = try #require(scene.server.requests.first)
    #expect(sent.url.absoluteString == "https://kiln.example/base/wearables/daily-values")
    #expect(sent.headers["Authorization"] == "Bearer secret")
    #expect(sent.headers["Content-Type"] == "application/json")
    #expect(
      sent.json == """
        {"origin":"apple-health","patient":"Patient/synthetic-1","source":{"bundleIdentifier":\
        "com.apple.health","name":"Watch","version":"12.1"},"timeZone":"Europe/Budapest","values":[\
        {"day":"2026-10-25","max":142,"metric":"heart_rate","min":48,"value":71.5},\
        {"day":"2026-10-25","metric":"steps","value":8342},\
        {"day":"2026-10-24","metric":"steps","value":null}]}
        """)
    #expect(await client.deliver().deliveredCount == 0)
    #expect(scene.server.requests.count == 1, "nothing is sent twice")
  }

  @Test("an answer that got lost is asked for again, and nothing changes by it")
  func lostAnswer() async throws {
    let scene = try ClientScene(.lost, .answerLost, .answerLost)
    let client = try scene.start()
    try await client.add([steps("2026-10-25", 1)])
    let report = await client.deliver()
    #expect(report.deliveredCount == 1)
    #expect(report.changedCount == 0)
    #expect(scene.server.state.withLock { $0.changeCount } == 1)
    #expect(scene.clock.waits == [1, 2, 4])
  }

  @Test("waits twice as long after each failure, by chance less, and then gives up")
  func backOff() async throws {
    var scene = try ClientScene()
    for _ in 0..<6 { scene.server.then(answer(503)) }
    scene.configuration.surroundings = scene.clock.surroundings(draw: 0.5)
    let client = try scene.start()
    try await client.add([steps("2026-10-25", 1)])
    let report = await client.deliver()
    #expect(report.failure == .unavailable(status: 503, until: nil))
    #expect(report.pendingCount == 1)
    #expect(scene.clock.waits == [0.5, 1, 2, 4, 8])
    #expect(await client.deliver().deliveredCount == 1)
  }

  @Test("the widest wait is bounded, whatever comes of the doubling")
  func longestWait() {
    var policy = RetryPolicy()
    policy.failureCountMaximum = 1_000
    for count in 7..<1_000 {
      #expect(policy.waitSeconds(afterFailure: count, asked: nil, draw: 1) == 60)
    }
    #expect(policy.waitSeconds(afterFailure: 1, asked: nil, draw: 0) == 0)
    #expect(policy.waitSeconds(afterFailure: 2, asked: 30, draw: 0.5) == 31)
    #expect(policy.waitSeconds(afterFailure: 2, asked: 61, draw: 0) == nil)
  }

  @Test("what the server asks for is waited at least", arguments: [429, 503])
  func retryAfter(status: Int) async throws {
    let scene = try ClientScene(answer(status, retryAfter: "20"))
    let client = try scene.start()
    try await client.add([steps("2026-10-25", 1)])
    #expect(await client.deliver().deliveredCount == 1)
    #expect(scene.clock.waits == [21])
  }

  @Test("a longer silence than the policy has ends the delivery until then")
  func longSilence() async throws {
    let scene = try ClientScene(
      answer(503, retryAfter: "Wed, 28 Oct 2026 13:00:00 GMT"), now: "2026-10-28T12:00:00Z")
    let client = try scene.start()
    try await client.add([steps("2026-10-25", 1)])
    let until = try moment("2026-10-28T13:00:00Z")
    #expect(await client.deliver().failure == .unavailable(status: 503, until: until))
    #expect(await client.deliver().failure == .unavailable(status: 503, until: until))
    #expect(scene.server.requests.count == 1, "the server is left alone")
    scene.clock.set(until.addingTimeInterval(-30))
    #expect(await client.deliver().deliveredCount == 1)
    #expect(scene.clock.waits == [30])
  }

  @Test("a phone's clock that is set back does not make a silence longer")
  func silenceAndClock() async throws {
    let scene = try ClientScene(answer(503, retryAfter: "3600"), now: "2026-10-28T12:00:00Z")
    let client = try scene.start()
    try await client.add([steps("2026-10-25", 1)])
    #expect(await client.deliver().failure != nil)
    scene.clock.set(try moment("2025-10-28T12:00:00Z"))
    #expect(await client.deliver().deliveredCount == 1)
  }

  @Test("a Retry-After is read in both its forms, and what is neither says nothing")
  func retryAfterForms() throws {
    let now = try moment("2026-10-28T12:00:00Z")
    #expect(RetryAfter.seconds("120", now: now) == 120)
    #expect(RetryAfter.seconds(" 5 ", now: now) == 5)
    #expect(RetryAfter.seconds("Wed, 28 Oct 2026 12:00:07 GMT", now: now) == 7)
    #expect(RetryAfter.seconds("Wed, 28 Oct 2026 11:00:00 GMT", now: now) == 0)
    for text in ["", "-5", "soon", "1.5", "Wed, 99 Oct 2026 12:00:00 GMT"] {
      #expect(RetryAfter.seconds(text, now: now) == nil, "\(text)")
    }
    #expect(RetryAfter.seconds(nil, now: now) == nil)
  }

  @Test("a request that is refused as a whole is not tried again, and its values stay")
  func refusedRequest() async throws {
    let outcome = #"{"resourceType":"OperationOutcome","issue":[{"diagnostics":"no such zone"}]}"#
    for status in [400, 404, 409, 415, 422] {
      let scene = try ClientScene(answer(status, outcome))
      let client = try scene.start()
      try await client.add([steps("2026-10-25", 1), steps("2026-10-25", 2, in: "Asia/Tokyo")])
      try await client.add([steps("2026-10-24", 1), steps("2026-10-23", 2, in: "Asia/Tokyo")])
      let report = await client.deliver()
      #expect(report.failure == .refused(status: status, reason: "no such zone"))
      #expect(scene.server.requests.count == 2)
      #expect(scene.clock.waits.isEmpty)
      #expect(report.deliveredCount + report.pendingCount == 3)
      #expect(await client.deliver().failure == nil, "the next delivery tries again")
    }
  }

  @Test("without a right to write nothing more is sent", arguments: [401, 403])
  func notAuthorised(status: Int) async throws {
    let scene = try ClientScene(answer(status))
    let client = try scene.start()
    try await client.add([steps("2026-10-25", 1), steps("2026-10-24", 2, in: "Asia/Tokyo")])
    let report = await client.deliver()
    #expect(report.failure == .notAuthorised(status: status, reason: nil))
    #expect(report.pendingCount == 2)
    #expect(scene.server.requests.count == 1)
  }

  @Test("a value that the server refuses is handed to the app, and the rest goes in")
  func refusedValue() async throws {
    let scene = try ClientScene()
    scene.server.state.withLock { $0.refused = ["mood"] }
    let client = try scene.start()
    let mood = DailyValue("mood", on: "2026-10-25", in: "Europe/Budapest", value: 3)
    try await client.add([steps("2026-10-25", 1), mood])
    let report = await client.deliver()
    #expect(report.refusals == [Refusal(value: mood, reason: "There is no metric “mood”.")])
    #expect(report.deliveredCount == 1)
    #expect(report.pendingCount == 0)
  }

  @Test("what no server could take is refused before it is kept")
  func obstacles() async throws {
    let scene = try ClientScene()
    let client = try scene.start()
    let nowhere = DailyValue("steps", on: "2026-10-25", in: "Europe/Nowhere", value: 1)
    var spaced = steps("2026-10-25", 1)
    spaced.context.source = ValueSource(bundleIdentifier: "com example")
    let bad = [
      steps("2026-10-25", .nan), steps("2026-10-25", .infinity), nowhere, spaced,
      DailyValue("../steps", on: "2026-10-25", in: "UTC", value: 1),
      DailyValue("", on: "2026-10-25", in: "UTC", value: 1),
    ]
    let refusals = try await client.add(bad + [steps("2026-10-24", 1)])
    #expect(refusals.count == bad.count)
    #expect(await client.pending == [steps("2026-10-24", 1)])
  }

  @Test("a request that is too large is halved")
  func tooLarge() async throws {
    let scene = try ClientScene(answer(413), answer(413))
    let client = try scene.start()
    try await client.add((1...9).map { steps(LocalDay(number: 20_000 + $0), Double($0)) })
    let report = await client.deliver()
    #expect(report.deliveredCount == 9)
    #expect(scene.server.requests.count == 2 + 5, "9, 4, then by twos")
  }

  @Test("a page that answers 200 is no answer of Kiln")
  func portal() async throws {
    let fewer = #"{"values":[]}"#
    let others = #"{"values":[{"metric":"steps","day":"2026-10-24","result":"created"}]}"#
    let unheard = #"{"values":[{"metric":"steps","day":"2026-10-25","result":"eaten"}]}"#
    for body in ["<html>Please sign in</html>", "", fewer, others, unheard] {
      let scene = try ClientScene(answer(200, body))
      let client = try scene.start()
      try await client.add([steps("2026-10-25", 1)])
      #expect(await client.deliver().deliveredCount == 1)
      #expect(scene.server.requests.count == 2)
    }
  }

  @Test("a value that comes while an older one is on its way is sent after it")
  func overtaken() async throws {
    let scene = try ClientScene()
    let client = try scene.start()
    scene.server.then(.meanwhile { _ = try? await client.add([steps("2026-10-25", 2)]) })
    try await client.add([steps("2026-10-25", 1)])
    #expect(await client.deliver().deliveredCount == 2)
    #expect(scene.server.values == ["steps 2026-10-25": "2.0"])
  }

  @Test("deliveries at the same time send everything once")
  func together() async throws {
    let scene = try ClientScene()
    let client = try scene.start()
    try await client.add((1...9).map { steps(LocalDay(number: 20_000 + $0), 1) })
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = await client.deliver() } }
    }
    #expect(scene.server.requests.count == 1)
  }

  @Test("a cancelled delivery keeps what it had not sent")
  func cancelled() async throws {
    let scene = try ClientScene()
    for _ in 0..<5 { scene.server.then(.lost) }
    let client = try scene.start()
    try await client.add([steps("2026-10-25", 1)])
    let delivery = Task { await client.deliver() }
    delivery.cancel()
    let report = await delivery.value
    #expect(report.failure == .cancelled || report.deliveredCount == 1)
    #expect(await client.deliver().pendingCount == 0)
  }

  @Test("two clients of one folder send what either took, and know what was sent")
  func twoClients() async throws {
    let scene = try ClientScene()
    let (app, other) = (try scene.start(), try scene.start())
    try await app.add([steps("2026-10-24", 1)])
    try await other.add([steps("2026-10-25", 2)])
    try await app.add([steps("2026-10-26", 3)])
    #expect(await app.deliver().deliveredCount == 3)
    #expect(try await other.lastSynchronisedDay(of: "steps") == "2026-10-26")
    #expect(await other.deliver().deliveredCount == 0)
    #expect(await other.pending.isEmpty)
  }

  @Test("each person has an outbox of their own")
  func persons() async throws {
    let scene = try ClientScene()
    try await scene.start(patient: "Patient/synthetic-1").add([steps("2026-10-25", 1)])
    let other = try scene.start(patient: "Patient/synthetic-2")
    #expect(await other.pending.isEmpty)
    #expect(await other.deliver().deliveredCount == 0)
    #expect(await (try scene.start(patient: "Patient/synthetic-1")).pending.count == 1)
  }

  @Test("no token travels unencrypted")
  func encryption() throws {
    let folder = try Folder()
    func open(_ text: String, _ allows: Bool = false) throws {
      var configuration = ClientConfiguration()
      configuration.allowsUnencrypted = allows
      let url = try #require(URL(string: text))
      _ = try DailyValueClient(
        server: url, patient: "Patient/1", origin: .appleHealth, folder: folder.url,
        configuration: configuration
      ) { "" }
    }
    for text in ["http://kiln.example", "ftp://kiln.example", "http://127.0.0.1.example", "kiln"] {
      #expect(throws: ClientError.self, "\(text)") { try open(text) }
    }
    for text in ["https://kiln.example", "http://127.0.0.1:8080", "http://localhost"] {
      try open(text)
    }
    try open("http://10.0.0.1", true)
  }

  @Test("knows the last day that arrived, without what still waits")
  func lastDay() async throws {
    let scene = try ClientScene()
    let client = try scene.start()
    #expect(try await client.lastSynchronisedDay(of: "steps") == nil)
    try await client.add([steps("2026-10-24", 1), steps("2026-10-26", 1)])
    #expect(try await client.lastSynchronisedDay(of: "steps") == nil)
    _ = await client.deliver()
    #expect(try await client.lastSynchronisedDay(of: "steps") == "2026-10-26")
    try await client.add([steps("2026-10-25", 1)])
    let again = try scene.start()
    #expect(try await again.lastSynchronisedDay(of: "steps") == "2026-10-24")
    #expect(try await again.lastSynchronisedDay(of: "heart_rate") == nil)
  }
}
