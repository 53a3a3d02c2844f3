import FHIRModel

/// What the store made of what an import gave it.
package struct ImportResults: Hashable, Sendable {
  package private(set) var created = 0
  package private(set) var updated = 0
  package private(set) var unchanged = 0
  package private(set) var refused = 0
  /// The first reasons of refusals.
  package private(set) var refusals: [String] = []

  package init() {}

  private static let refusalCountMaximum = 20

  /// Counts what could not be given to the store or was refused by it.
  mutating func refuse(_ reason: String) {
    refused += 1
    if refusals.count < Self.refusalCountMaximum { refusals.append(reason) }
  }

  mutating func note(_ outcomes: [Result<Outcome, any Error>]) {
    for outcome in outcomes {
      switch outcome {
      case .success(.created): created += 1
      case .success(.updated): updated += 1
      case .success: unchanged += 1
      case .failure(let error): refuse("\(error)")
      }
    }
  }

  /// The end of a report: what was stored, and what was not.
  ///
  /// - Parameter days: the values of days among it.
  func lines(days: Int) -> [String] {
    [
      "values: \(days) of days; \(created) resources created, \(updated) updated, "
        + "\(unchanged) unchanged, \(refused) refused"
    ] + refusals.map { "  refused \($0)" }
  }

  /// Writes the members of a JSON object.
  func write(to json: inout JSONWriter) {
    json.member("created", created)
    json.member("updated", updated)
    json.member("unchanged", unchanged)
    json.member("refused", refused)
    if !refusals.isEmpty {
      json.member("refusals", array: { for each in refusals { $0.string(each) } })
    }
  }
}

/// What is stored as a resource of its own.
package struct ImportTaken: Hashable, Sendable {
  package var read = 0
  package var taken = 0

  package init() {}

  /// Writes the members of a JSON object.
  func write(to json: inout JSONWriter) {
    json.member("read", read)
    json.member("taken", taken)
  }
}

/// What an import tells when it has ended.
package protocol ImportReport {
  /// For a person to read.
  var lines: [String] { get }

  /// Writes the members of a JSON object.
  func write(to json: inout JSONWriter)
}

extension AppleHealthReport: ImportReport {}
extension HealthConnectReport: ImportReport {}
