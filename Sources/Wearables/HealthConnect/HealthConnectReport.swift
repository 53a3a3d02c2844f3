/// What became of an export's values. It says the same things as the report on an Apple Health export,
/// under the same names.
package struct HealthConnectReport: Sendable {
  /// Why values were left out.
  package enum Reason: String, Error, CaseIterable, Sendable {
    case badDate = "without a time, or with one that can't be"
    case reversed = "that end before they begin"
    case noValue = "without a value"
    case unknownValue = "with a value that is not known"
    case otherKind = "of another kind than the metric"
    case outsideRange = "with a value that no person has"
    case tooManyParts = "with more parts than can be"
    case unlisted = "of apps that the export's list of apps leaves out"
    case manual = "typed in, left out as asked"
    case before = "from before the day asked for"
    case tooManySources = "of more sources than can be told apart"
    case crowded = "while tens of thousands of others of their kind lasted"
    case invalid = "that make no valid resource"
  }

  /// The name of the file.
  package var document = ""
  /// The version of the tables.
  package var version = 0
  /// By type, the values that were read: `used`, `merged` and skipped together.
  package var read: [String: Int] = [:]
  package var skipped: [Reason: [String: Int]] = [:]
  /// Those that went into days or are stored one by one.
  package var used = 0
  /// Those that came more than once and count once.
  package var merged = 0
  /// Tables and columns that this export doesn't have: a normal state, as versions differ.
  package var lacks: [HealthConnectSchema.Lack] = []
  /// Types that could be read only in part, since the file is broken.
  package var damages: [Damage] = []
  package var workouts = ImportTaken()
  package var events = ImportTaken()
  package var days = 0
  package var results = ImportResults()
  /// Things that the person should know.
  package var notices: [String] = []

  package struct Damage: Hashable, Sendable {
    package let type: String
    package let reason: String
  }

  package var readCount: Int { read.values.reduce(0, +) }
  package var skippedCount: Int { skipped.values.reduce(0) { $0 + $1.values.reduce(0, +) } }

  mutating func countRead(_ type: HealthConnectType) { read[type.identifier, default: 0] += 1 }

  mutating func skip(_ reason: Reason, _ type: String) {
    skipped[reason, default: [:]][type, default: 0] += 1
  }

  /// Skips after all what was counted as used.
  mutating func skipUsed(_ reason: Reason, _ type: String, _ count: Int) {
    guard count > 0 else { return }
    used -= count
    skipped[reason, default: [:]][type, default: 0] += count
  }

  mutating func note(_ lack: HealthConnectSchema.Lack) {
    if !lacks.contains(lack) { lacks.append(lack) }
  }
}
