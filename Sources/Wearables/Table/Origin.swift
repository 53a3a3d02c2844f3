/// Where a phone's values come from.
package enum Origin: String, CaseIterable, Sendable {
  case appleHealth = "apple-health"
  case healthConnect = "health-connect"

  /// The system of the origin's own names of types and values. Neither vendor has given one; these
  /// are the ones in use (HealthKitOnFHIR) or the address where the names are defined.
  package var typeSystem: String {
    switch self {
    case .appleHealth: "http://developer.apple.com/documentation/healthkit"
    case .healthConnect:
      "https://developer.android.com/reference/androidx/health/connect/client/records"
    }
  }
}
