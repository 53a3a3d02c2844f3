import FHIRModel

/// What a phone sends one value a day of: one row of `spec/tables/metrics.tsv`.
package struct Metric: Hashable, Sendable {
  /// The name in the call and in the stable identifier: `heart_rate`.
  package let name: String
  let furtherNames: [String]
  let title: String
  /// The unit for a reader: `beats/minute`.
  let unit: String
  /// The unit in UCUM: `/min`.
  package let ucum: String
  /// The values that a person can have, in that unit.
  let range: ClosedRange<Double>
  let category: Coding
  /// The profile that every Observation of this metric meets.
  let profile: String?
  let codings: [Coding]
  /// The components' codes; `nil` where a day has only a total.
  let extremes: Extremes?
  /// What each origin calls the type.
  let sourceTypes: [Origin: String]

  struct Extremes: Hashable, Sendable {
    let minimum: Coding
    let maximum: Coding
  }

  /// HealthKit gives a percentage as a fraction of 1, Health Connect out of 100.
  var isPercentage: Bool { ucum == "%" }
}

/// A code with its system and display.
struct Coding: Hashable, Sendable {
  let system: String
  let code: String
  let display: String?

  init(system: String, code: String, display: String?) {
    self.system = system
    self.code = code
    self.display = display
  }

  /// Reads `system|code|display`; `nil` for anything else.
  init?(row text: String) {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, !parts.contains("") else { return nil }
    self.init(system: parts[0], code: parts[1], display: parts[2])
  }
}

/// Where a phone's values come from.
package enum Origin: String, CaseIterable, Sendable {
  case appleHealth = "apple-health"
  case healthConnect = "health-connect"

  /// The system of the origin's own type names. Neither vendor has given one; these are the ones
  /// in use (HealthKitOnFHIR) or the address where the names are defined.
  var typeSystem: String {
    switch self {
    case .appleHealth: "http://developer.apple.com/documentation/healthkit"
    case .healthConnect:
      "https://developer.android.com/reference/androidx/health/connect/client/records"
    }
  }
}
