/// What became of an export's records.
package struct HealthConnectReport: Sendable {
  /// The version of the tables.
  package var version = 0
  /// Tables and columns that this export doesn't have: a normal state, as versions differ.
  package var lacks: [HealthConnectSchema.Lack] = []
  /// Types that could be read only in part, since the file is broken.
  package var damages: [Damage] = []
  /// By type.
  package private(set) var counts: [String: Counts] = [:]
  /// Readings of sources beyond those that can be told apart.
  package var sourcesLeftOut = 0

  package struct Damage: Hashable, Sendable {
    package let type: String
    package let reason: String
  }

  package struct Counts: Hashable, Sendable {
    package var read = 0
    /// By reason.
    package var skipped: [String: Int] = [:]
  }

  enum Event {
    case read
    case skipped(HealthConnectReading.Fault)
    case unlisted
  }

  mutating func count(_ type: HealthConnectType, _ event: Event) {
    switch event {
    case .read: counts[type.identifier, default: Counts()].read += 1
    case .skipped(let fault):
      counts[type.identifier, default: Counts()].skipped[fault.rawValue, default: 0] += 1
    case .unlisted:
      counts[type.identifier, default: Counts()].skipped["app not listed", default: 0] += 1
    }
  }

  mutating func note(_ lack: HealthConnectSchema.Lack) {
    if !lacks.contains(lack) { lacks.append(lack) }
  }
}
