import Foundation

/// What the server has of one metric, as far as this client brought it: by which a reader knows what
/// is new, and which days to withdraw.
struct SentValues {
  /// What became of the last value of a day.
  struct Entry: Hashable, Codable, Sendable {
    let day: LocalDay
    /// Of the value; see `DailyValue.fingerprint`.
    let fingerprint: String
    /// Whether the day was over when it was sent: else the server holds it as preliminary.
    let isFinal: Bool
    /// Whether the server refused it, or withdrew the day.
    var isRefused = false
    var isWithdrawn = false
  }

  private let file: RecordFile<Entry>
  private(set) var entries: [LocalDay: Entry]
  let damage: DamagedFile?

  init(of metric: String, in folder: URL) throws {
    file = RecordFile("sent-" + metric, kind: "sent", in: folder)
    let (records, damage) = try file.read()
    self.damage = damage
    entries = Dictionary(records.map { ($0.day, $0) }) { $1 }
  }

  /// Keeps what became of values; durable when it returns.
  mutating func note(_ news: [Entry]) throws {
    var next = entries
    for entry in news { next[entry.day] = entry }
    guard next != entries else { return }
    try file.write(next.values.sorted { $0.day < $1.day })
    entries = next
  }

  /// The newest day that the server took.
  var newestDay: LocalDay? { entries.values.lazy.filter { !$0.isRefused }.map(\.day).max() }
}

extension DailyValue {
  /// The same for two values that make the same Observation. The name and version of a program are
  /// no part of it, so that an update of the watch sends nothing again.
  var fingerprint: String {
    let numbers = numbers.map { $0.all.map { $0.map { "\($0)" } ?? "" } }
    let device = context.device.map {
      [$0.name, $0.manufacturer, $0.model, $0.hardwareVersion].map { $0 ?? "" }
    }
    let parts =
      (numbers ?? ["withdrawn"]) + [context.timeZone, context.source?.bundleIdentifier ?? ""]
      + (device ?? [])
    return Checksum.text(of: parts.joined(separator: "\u{1f}").utf8)
  }
}
