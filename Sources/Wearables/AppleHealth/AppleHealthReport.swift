import FHIRModel

/// What became of everything in an export.
package struct AppleHealthReport: Sendable {
  /// Why something was left out.
  package enum Reason: String, CaseIterable, Sendable {
    case noType = "without a type"
    case badDate = "with a date that is none"
    case reversed = "that end before they begin"
    case outsideCalendar = "before 1900 or after 2199"
    case noValue = "without a value"
    case badNumber = "with a value that is no number"
    case outsideRange = "with a value that no person has"
    case unknownType = "of a type that is not known"
    case notAValue = "that are goals and not values"
    case unknownUnit = "in a unit that is not known of their type"
    case notCounted = "that count for nothing"
    case unknownValue = "with a category value that is not known"
    case manual = "typed in, left out as asked"
    case before = "from before the day asked for"
    case tooManySources = "of more sources than can be told apart"
    case crowded = "while tens of thousands of others of their kind lasted"
    case invalid = "that make no valid resource"
    case tooLarge = "that are too large"
    case unreadable = "that can't be read"
    case noMapping = "of a kind that is not stored"
    case heartbeats = "that are series of single beats, kept only if 'heartbeats' asks for them"
    case prescription = "that are prescriptions for eyes, which name no prescriber"
  }

  /// The first thing that was left out for a reason.
  package struct Example: Hashable, Sendable {
    /// Behind which byte of the document it stands; `nil` for a file.
    package var byteOffset: Int?
    package var text: String
  }

  package struct Skipped: Sendable {
    package var count = 0
    package var first: Example?
  }

  package var exportDate: String?
  package var locale: String?
  /// Records, members of correlations among them: `recordsUsed`, `recordsMerged` and `recordsSkipped`
  /// together.
  package var recordsRead = 0
  /// Those that went into values or are events.
  package var recordsUsed = 0
  package var recordsSkipped: Int { skipped.values.reduce(0) { $0 + $1.count } }
  /// Those that came more than once and count once.
  package var recordsMerged = 0
  /// Why records were left out.
  package var skipped: [Reason: Skipped] = [:]
  /// Why other things were: workouts, events, files, elements that aren't known.
  package var leftOut: [Reason: Skipped] = [:]
  /// Types, units and values that aren't known, with how often they came.
  package var unknown: [String: Int] = [:]

  package var correlations = 0
  package var workouts = ImportTaken()
  package var events = ImportTaken()
  package var electrocardiograms = ImportTaken()
  package var routes = ImportTaken()
  package var clinicalRecords = ImportTaken()
  package var clinicalRecordsConverted = 0
  package var summaries = SummaryCheck.Result()

  package var days = 0
  package var results = ImportResults()
  package var document: String?
  package var byteCount = 0
  package var replacedByteCount = 0
  package var faultCount = 0
  /// Behind which byte of the document nothing complete stands any more; `nil` if it is whole.
  package var endedAt: Int?
  package var endedBecause: String?
  /// Things that the person should know.
  package var notices: [String] = []

  package init() {}

  private static let unknownCountMaximum = 200
  private static let noticeCountMaximum = 20

  /// Counts a record that is left out.
  mutating func skip(_ reason: Reason, at byteOffset: Int?, _ text: @autoclosure () -> String) {
    Self.note(reason, in: &skipped, at: byteOffset, text)
  }

  /// Counts something else that is left out.
  mutating func leaveOut(
    _ reason: Reason, at byteOffset: Int?, _ text: @autoclosure () -> String
  ) {
    Self.note(reason, in: &leftOut, at: byteOffset, text)
  }

  private static func note(
    _ reason: Reason, in list: inout [Reason: Skipped], at byteOffset: Int?, _ text: () -> String
  ) {
    if list[reason] == nil {
      let example = Example(byteOffset: byteOffset, text: short(text()))
      list[reason] = Skipped(count: 1, first: example)
    } else {
      list[reason]?.count += 1
    }
  }

  /// What stands in a file may be of any length; a report shows its beginning.
  private static func short(_ text: String) -> String {
    text.utf8.count <= 300 ? text : text.prefix(300) + "…"
  }

  /// Skips records after all that were counted as used.
  fileprivate mutating func skipUsed(_ reason: Reason, _ count: Int) {
    guard count > 0 else { return }
    recordsUsed -= count
    skipped[reason, default: Skipped()].count += count
  }

  mutating func notice(_ text: String) {
    if notices.count < Self.noticeCountMaximum { notices.append(Self.short(text)) }
  }

  mutating func noteUnknown(_ text: String) {
    let text = Self.short(text)
    guard unknown[text] != nil || unknown.count < Self.unknownCountMaximum else { return }
    unknown[text, default: 0] += 1
  }
}

extension AppleHealthReport {
  /// Whether the document was read to its end; what other files lack says nothing of the days.
  var isDocumentWhole: Bool { endedAt == nil }
}

extension AppleHealthReading {
  /// The report, once all samples are in values.
  mutating func finishedReport() -> AppleHealthReport {
    let repeated = recordCount(of: engine.repeatedOf)
    report.recordsMerged += repeated
    report.recordsUsed -= repeated
    report.skipUsed(.crowded, engine.counts.crowded)
    report.skipUsed(.before, recordCount(of: engine.beforeOf))
    report.summaries = check.finish()
    let strangers = SourcePriority.strangers(
      among: options.sourcePriority, to: engine.sources.sources)
    for notice in strangers { report.notice(notice) }
    return report
  }
}
