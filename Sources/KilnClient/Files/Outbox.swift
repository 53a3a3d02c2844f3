import Foundation

/// The values that the server doesn't have yet, on disk: of each metric and day the newest.
struct Outbox {
  /// A value and its place in the order of adding.
  struct Entry: Hashable, Codable, Sendable {
    let sequence: UInt64
    let value: DailyValue
  }

  private let file: RecordFile<Entry>
  private let lock: FolderLock
  private(set) var entries: [DailyValue.Key: Entry] = [:]
  private var nextSequence: UInt64 = 1
  /// The file as it was when `entries` were read or written.
  private var seen = Data()
  let countMaximum: Int
  /// What was found damaged when it was opened.
  private(set) var damage: DamagedFile?

  init(in folder: URL, countMaximum: Int) throws {
    file = RecordFile("outbox", kind: "outbox", in: folder)
    lock = FolderLock(in: folder)
    self.countMaximum = countMaximum
    try change { _ in }
  }

  /// Reads what another client has added or sent since.
  mutating func refresh() throws {
    let bytes = try file.bytes()
    guard bytes != seen || bytes.isEmpty else { return }
    let (records, damage) = try file.records(in: bytes)
    self.damage = self.damage ?? damage
    entries = [:]
    for entry in records where entry.sequence >= entries[entry.value.key]?.sequence ?? 0 {
      entries[entry.value.key] = entry
    }
    nextSequence = max(nextSequence, (records.map(\.sequence).max() ?? 0) + 1)
    seen = damage == nil ? bytes : try file.bytes()
  }

  /// Adds all or none; durable when it returns.
  mutating func add(_ values: [DailyValue]) throws {
    try change { next in
      for value in values {
        next.entries[value.key] = Entry(sequence: next.nextSequence, value: value)
        next.nextSequence += 1
      }
      guard next.entries.count <= next.countMaximum else {
        throw ClientError.outboxFull(limit: next.countMaximum)
      }
    }
  }

  /// Takes out what was sent, unless a newer value came meanwhile.
  mutating func remove(_ sent: [Entry]) throws {
    try change { next in
      for entry in sent where next.entries[entry.value.key] == entry {
        next.entries[entry.value.key] = nil
      }
    }
  }

  /// Changes what is on disk, where another client may have changed it since; all or nothing.
  private mutating func change(_ work: (inout Outbox) throws -> Void) throws {
    var next = self
    try lock.whileHeld {
      try next.refresh()
      let before = next.entries
      try work(&next)
      guard next.entries != before else { return }
      next.seen = try file.write(next.entries.values.sorted { $0.sequence < $1.sequence })
    }
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
}
