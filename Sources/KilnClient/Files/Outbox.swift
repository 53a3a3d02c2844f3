import Foundation

/// The values that the server doesn't have yet, on disk: of each metric and day the newest.
struct Outbox {
  /// A value and its place in the order of adding.
  struct Entry: Hashable, Codable, Sendable {
    let sequence: UInt64
    let value: DailyValue
  }

  private let file: RecordFile<Entry>
  private(set) var entries: [DailyValue.Key: Entry] = [:]
  private var nextSequence: UInt64 = 1
  let countMaximum: Int
  /// What was found damaged when it was opened.
  let damage: DamagedFile?

  init(in folder: URL, countMaximum: Int) throws {
    file = RecordFile("outbox", kind: "outbox", in: folder)
    self.countMaximum = countMaximum
    let (records, damage) = try file.read()
    self.damage = damage
    for entry in records where entry.sequence >= entries[entry.value.key]?.sequence ?? 0 {
      entries[entry.value.key] = entry
    }
    nextSequence = (records.map(\.sequence).max() ?? 0) + 1
  }

  /// Adds all or none; durable when it returns.
  mutating func add(_ values: [DailyValue]) throws {
    var next = self
    for value in values {
      next.entries[value.key] = Entry(sequence: next.nextSequence, value: value)
      next.nextSequence += 1
    }
    guard next.entries.count <= countMaximum else {
      throw ClientError.outboxFull(limit: countMaximum)
    }
    try next.save()
    self = next
  }

  /// Takes out what was sent, unless a newer value came meanwhile.
  mutating func remove(_ sent: [Entry]) throws {
    var next = self
    for entry in sent where entries[entry.value.key]?.sequence == entry.sequence {
      next.entries[entry.value.key] = nil
    }
    guard next.entries.count < entries.count else { return }
    try next.save()
    self = next
  }

  /// What to send next: the longest waiting value, and others that may share its request.
  func batch(countMaximum: Int, without blocked: Set<DailyValue.Context>) -> [Entry] {
    let waiting = entries.values.filter { !blocked.contains($0.value.context) }
    guard let oldest = waiting.min(by: { $0.sequence < $1.sequence }) else { return [] }
    let together = waiting.filter { $0.value.context == oldest.value.context }
    return Array(together.sorted { $0.sequence < $1.sequence }.prefix(countMaximum))
  }

  /// The first day of a metric that waits; `nil` if none does.
  func oldestDay(of metric: String) -> LocalDay? {
    entries.keys.filter { $0.metric == metric }.map(\.day).min()
  }

  private func save() throws {
    try file.write(entries.values.sorted { $0.sequence < $1.sequence })
  }
}
