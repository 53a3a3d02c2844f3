import Foundation
import HTTP
import REST
import Synchronization
import Testing

@testable import KilnClient

@Suite("With servers that run", .serialized, .timeLimit(.minutes(5)))
struct ServerTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func client(
    _ server: URL, _ folder: Folder, token: String,
    _ change: (inout ClientConfiguration) -> Void = { _ in }
  ) throws -> DailyValueClient {
    var configuration = ClientConfiguration()
    configuration.retry.firstWaitSeconds = 0.1
    change(&configuration)
    return try DailyValueClient(
      server: server, patient: "Patient/synthetic-1", origin: .appleHealth, folder: folder.url,
      configuration: configuration
    ) { token }
  }

  @Test("kiln takes what is sent, once, and says what it refuses")
  func kiln() async throws {
    let server = try KilnServer()
    let client = try client(server.url, folder, token: server.token)
    let context = DailyValue.Context(
      timeZone: "Australia/Lord_Howe",
      source: ValueSource(name: "Watch", bundleIdentifier: "com.apple.health.W", version: "12.1"),
      device: ValueDevice(manufacturer: "Apple Inc.", hardwareVersion: "Watch7,5"))
    let values = [
      DailyValue(
        "heart_rate", on: "2026-04-05", .init(71.5, minimum: 48, maximum: 142), context: context),
      DailyValue(
        "oxygen_saturation", on: "2026-04-05", .init(97, minimum: 91, maximum: 99), context: context
      ),
      steps("2026-04-05", 8342), DailyValue("steps", on: "2026-04-04", nil, context: context),
      DailyValue("mood", on: "2026-04-05", in: "UTC", value: 1),
    ]
    for expectedChanges in [3, 0] {
      try await client.add(values)
      let report = await client.deliver()
      #expect(report.failure == nil)
      #expect(report.deliveredCount == 4)
      #expect(report.changedCount == expectedChanges)
      #expect(report.refusals.map(\.value.metric) == ["mood"])
      #expect(report.refusals.allSatisfy { $0.reason.contains("mood") })
    }
    let held = try server.observations()
    #expect(
      Dictionary(
        uniqueKeysWithValues: held.map { ($0.identifier[0].value, $0.valueQuantity.value) })
        == [
          "synthetic-1/heart_rate/2026-04-05/apple-health": 71.5,
          "synthetic-1/oxygen_saturation/2026-04-05/apple-health": 97,
          "synthetic-1/steps/2026-04-05/apple-health": 8342,
        ])
    #expect(held.allSatisfy { $0.meta.versionId == "1" && $0.status == "final" })
  }

  @Test("every metric of the phone is one that kiln takes")
  func metrics() async throws {
    let server = try KilnServer()
    let client = try client(server.url, folder, token: server.token)
    // A number within most metrics' limits, and one for those of hours, litres and scores.
    let small: Set = [
      "sleep_duration", "sleep_in_bed", "sleep_asleep_unspecified", "stand_hours",
      "forced_vital_capacity", "forced_expiratory_volume_1", "estimated_workout_effort_score",
      "workout_effort_score",
    ]
    try await client.add(
      HealthMetric.all.map { metric in
        var numbers = DailyValue.Numbers(small.contains(metric.name) ? 8 : 37)
        if case .statistic(.average, _, _) = metric.reading {
          numbers = DailyValue.Numbers(37, minimum: 37, maximum: 37)
        }
        if case .pressure = metric.reading {
          numbers = DailyValue.Numbers(
            121, minimum: 110, maximum: 135,
            diastolic: .init(78, minimum: 70, maximum: 85))
        }
        // What is recorded by name is sent by HealthKit's number of the name.
        if case .worst(let order) = metric.reading, let worst = order.last {
          numbers = DailyValue.Numbers(Double(worst))
        }
        if case .last(let values) = metric.reading, let value = values.max() {
          numbers = DailyValue.Numbers(Double(value))
        }
        return DailyValue(
          metric.name, on: "2026-04-05", numbers, context: .init(timeZone: "Europe/Budapest"))
      })
    let report = await client.deliver()
    #expect(report.failure == nil)
    for refusal in report.refusals { Issue.record("\(refusal.value.metric): \(refusal.reason)") }
    #expect(report.changedCount == HealthMetric.all.count)
  }

  @Test("without a valid token nothing is lost")
  func token() async throws {
    let server = try KilnServer()
    let stranger = try client(server.url, folder, token: "not a token")
    try await stranger.add([steps("2026-04-05", 1)])
    guard case .notAuthorised(401, _) = await stranger.deliver().failure else {
      return #expect(Bool(false), "it was not refused")
    }
    let person = try client(server.url, folder, token: server.token)
    #expect(await person.deliver().deliveredCount == 1)
  }

  @Test("a server that is killed in the middle and started again has every value once")
  func killedServer() async throws {
    let server = try KilnServer()
    let client = try client(server.url, folder, token: server.token) {
      $0.valuesPerRequest = 10
      $0.retry.failureCountMaximum = 600
      $0.retry.longestWaitSeconds = 0.5
    }
    let first: LocalDay = "2024-01-01"
    try await client.add((0..<600).map { steps(first.advanced(by: $0), Double($0)) })
    async let delivery = client.deliver()
    for _ in 0..<2 {
      let before = await client.pending.count
      while await client.pending.count > before - 60 { try await Task.sleep(for: .milliseconds(2)) }
      server.kill()
      try await Task.sleep(for: .milliseconds(200))
      try server.start()
    }
    let report = await delivery
    #expect(report.failure == nil)
    #expect(report.deliveredCount == 600)
    let held = try server.observations()
    #expect(held.count == 600)
    #expect(Set(held.map(\.valueQuantity.value)) == Set((0..<600).map(Double.init)))
    #expect(held.allSatisfy { $0.meta.versionId == "1" }, "a value sent twice made a version")
  }

  /// A program that adds values until it is killed, and how many it said were taken.
  private struct Neighbour {
    let process = Process()
    private let output = Pipe()

    init(_ folder: Folder, _ metric: String) throws {
      process.executableURL = try Programs.url("ClientNeighbour")
      process.arguments = [folder.url.path, metric]
      process.standardOutput = output
      try process.run()
    }

    func kill(afterMilliseconds milliseconds: ClosedRange<Int>) async throws -> Int {
      var said = output.fileHandleForReading.availableData
      try await Task.sleep(for: .milliseconds(Int.random(in: milliseconds)))
      process.interrupt(signal: 9)
      process.waitUntilExit()
      said += output.fileHandleForReading.readDataToEndOfFile()
      return said.split(separator: UInt8(ascii: "\n")).count
    }
  }

  @Test("an app that is killed finds in its outbox all that add had taken")
  func killedApp() async throws {
    for _ in 0..<6 {
      let folder = try Folder()
      let taken = try await Neighbour(folder, "steps").kill(afterMilliseconds: 1...150)
      try await expectOutbox(of: folder, holds: ["steps": taken])
    }
  }

  @Test("an app and its extension that add at once both find what add had taken")
  func killedApps() async throws {
    for _ in 0..<3 {
      let folder = try Folder()
      let app = try Neighbour(folder, "steps")
      let other = try Neighbour(folder, "flights_climbed")
      let first = try await app.kill(afterMilliseconds: 50...150)
      let second = try await other.kill(afterMilliseconds: 1...50)
      try await expectOutbox(of: folder, holds: ["steps": first, "flights_climbed": second])
    }
  }

  /// One value more than the program said may be there: it was killed before it could say so.
  private func expectOutbox(of folder: Folder, holds taken: [String: Int]) async throws {
    let server = try #require(URL(string: "https://kiln.example"))
    let client = try client(server, folder, token: "")
    #expect(await client.damagedFiles.isEmpty)
    let pending = await client.pending
    for (metric, count) in taken {
      let waiting = pending.filter { $0.metric == metric }
      #expect(count...(count + 1) ~= waiting.count)
      #expect(waiting.map { Int($0.numbers?.value ?? -1) } == Array(0..<waiting.count))
    }
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
    #expect(names.allSatisfy { !$0.contains(".dat.nosync") }, "what was half written is gone")
  }

  /// A server in this process whose answers come from a list.
  private func serving(
    _ answers: [Response], _ work: (URL, Answers) async throws -> Void
  ) async throws {
    let handler = Answers(answers)
    var configuration = ServerConfiguration(addresses: [.ip(host: "127.0.0.1", port: 0)])
    configuration.loopCount = 1
    let server = try Server(configuration, handler: handler)
    Thread.detachNewThread { try? server.run() }
    defer { server.shutdown() }
    try await work(try #require(URL(string: "http://\(server.addresses[0])")), handler)
  }

  private final class Answers: RequestHandler {
    let rest: Mutex<[Response]>
    let requests = Mutex<[Request]>([])

    init(_ answers: [Response]) { rest = Mutex(answers) }

    func respond(to request: Request, completion: @escaping @Sendable (Response) -> Void) {
      requests.withLock { $0.append(request) }
      completion(rest.withLock { $0.isEmpty ? Response(status: 500) : $0.removeFirst() })
    }
  }

  private let taken = Response(
    status: 200, headers: Headers(["Content-Type": "application/json"]),
    body: Array(#"{"values":[{"metric":"steps","day":"2026-04-05","result":"created"}]}"#.utf8))

  @Test("a server that asks for patience with 503 and 429 is left alone as long as it asks")
  func patience() async throws {
    let busy = Response(status: 503, headers: Headers(["Retry-After": "1"]))
    let limited = Response(status: 429, headers: Headers(["Retry-After": "1"]))
    try await serving([busy, limited, taken]) { url, answers in
      let client = try client(url, folder, token: "secret")
      try await client.add([steps("2026-04-05", 1)])
      let clock = ContinuousClock()
      var report = DeliveryReport()
      let time = await clock.measure { report = await client.deliver() }
      #expect(report.deliveredCount == 1)
      #expect(time >= .seconds(2))
      let requests = answers.requests.withLock { $0 }
      #expect(requests.count == 3)
      #expect(requests.allSatisfy { $0.headers["Authorization"] == "Bearer secret" })
      #expect(Set(requests.map(\.body)).count == 1, "each time the same")
    }
  }

  @Test("a redirect is not followed: the token goes nowhere else")
  func redirect() async throws {
    try await serving([]) { elsewhere, stranger in
      let moved = Response(
        status: 307, headers: Headers(["Location": "\(elsewhere)/wearables/daily-values"]))
      try await serving([moved]) { url, _ in
        let client = try client(url, folder, token: "secret")
        try await client.add([steps("2026-04-05", 1)])
        #expect(await client.deliver().failure == .notUnderstood(status: 307))
      }
      #expect(stranger.requests.withLock { $0.isEmpty })
    }
  }

  @Test("where no server is, the values wait")
  func nobody() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:9"))
    let client = try client(url, folder, token: "") { $0.retry.failureCountMaximum = 2 }
    try await client.add([steps("2026-04-05", 1)])
    let report = await client.deliver()
    guard case .unreachable = report.failure else {
      return #expect(Bool(false), "\(String(describing: report.failure))")
    }
    #expect(report.pendingCount == 1)
  }
}
