import Foundation
import Testing

@testable import KilnClient

/// A phone on 28 October 2026 at 13:00 in Budapest, where the clocks went back on the 25th.
struct PhoneScene {
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

  /// `nil` if a synchronisation sends nothing.
  func expectNothingNew(_ sync: HealthSync) async -> String? {
    let before = client.server.requests.count
    _ = await sync.synchronise()
    let requests = client.server.requests
    return requests.count == before ? nil : requests.last?.json
  }
}

extension HealthType {
  static let steps = HealthType("HKQuantityTypeIdentifierStepCount")
  static let heartRate = HealthType("HKQuantityTypeIdentifierHeartRate")
  static let bodyMass = HealthType("HKQuantityTypeIdentifierBodyMass")
  static let oxygenSaturation = HealthType("HKQuantityTypeIdentifierOxygenSaturation")
}
