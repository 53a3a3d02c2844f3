import Crypto
import FHIRModel
import KeyValue
import Store

/// Finds and shows entries of the log as AuditEvents.
struct AuditEventSearch: Sendable {
  let log: AccessLog
  let addresses: OwnAddresses
  private let pageKey: HMACKey

  init(log: AccessLog, addresses: OwnAddresses, pageKey: [UInt8]) {
    self.log = log
    self.addresses = addresses
    self.pageKey = HMACKey(pageKey)
  }

  /// An entry by its id.
  ///
  /// - Parameter person: whose log is read; `nil` for everyone's.
  /// - Throws: `InteractionError.notFound` if there is none, or none about that person.
  func read(
    _ id: ResourceID, for person: ResourceID?, in reader: borrowing Reader
  ) throws -> StoredVersion {
    guard let sequence = LogEntry.sequence(of: id.id),
      let entry = try log.entry(sequence, in: reader)?.shown(to: person)
    else { throw InteractionError.notFound(id) }
    return entry.stored()
  }

  /// - Throws: what `AuditEventQuery.init` throws; `InteractionError.invalidPage`.
  func search(
    _ query: Query, for person: ResourceID?, in reader: borrowing Reader
  ) throws -> SearchPage {
    let query = try AuditEventQuery(query, addresses: addresses)
    let head = try log.head(in: reader)
    let place = try query.page.map { try self.place(in: $0, of: query) }
    let last = place?.last ?? head.sequence
    var finding = Finding(query: query, person: person, after: place?.previous)
    let start = query.countsAll ? nil : place?.previous
    try walk(query, for: person, upTo: last, from: start, in: reader) { sequence in
      switch finding.comes(to: sequence) {
      case .passesOver: return true
      case .stops: return false
      case .looks: break
      }
      guard let entry = try log.entry(sequence, in: reader) else { return true }
      return finding.take(entry)
    }
    let next = finding.mustGoOn ? finding.previous.map { sealed($0, last: last, of: query) } : nil
    var page = SearchPage(
      total: finding.total, used: query.used.filter { $0.name != "_page" }, next: next,
      warnings: query.warnings + (finding.isCutShort ? [Self.cutShort] : []))
    for entry in finding.found { page.append(entry.stored()) }
    return page
  }

  /// An entry is found by its moment and by the persons whom it is about; whatever else is asked for
  /// is looked up entry by entry, and a page doesn't look at more than this many.
  static let examinedCountMaximum = 10_000

  private static let cutShort = Issue(
    .warning, .incomplete,
    "\(examinedCountMaximum) entries of the access log were looked at for this page: the next link "
      + "goes on. Name a patient or dates to have fewer looked at.")

  /// Calls `body` with the numbers of the entries that may match, in order, until it returns `false`.
  ///
  /// - Parameter place: the entry before the first that is needed; `nil` for all of them.
  private func walk(
    _ query: AuditEventQuery, for person: ResourceID?, upTo last: UInt64, from place: UInt64?,
    in reader: borrowing Reader, _ body: (UInt64) throws -> Bool
  ) throws {
    let direction: Direction = query.order == .newestFirst ? .backward : .forward
    if let patient = person ?? query.patient {
      let key = Key(patient)
      let range = KeyRange(from: key, to: Key(key.bytes + [0]))
      try reader.walkPostings(.logByPatient, range, direction) { _, sequence in
        sequence > last ? .next : try body(sequence) ? .next : .stop
      }
    } else {
      var range = try sequences(within: query.bounds, upTo: last, in: reader)
      if let place {
        range = range.clamped(to: query.order == .newestFirst ? 0..<place : place + 1..<UInt64.max)
      }
      guard !range.isEmpty else { return }
      let keys = KeyRange(
        from: Key().appending(range.lowerBound), to: Key().appending(range.upperBound))
      try reader.walk(.log, keys, direction) { key, _ in
        let sequence = Key(key).bytes.reduce(0) { $0 << 8 | UInt64($1) }
        return try body(sequence) ? .next : .stop
      }
    }
  }

  /// The numbers of the entries of these moments: entries stand in the order of their moments.
  private func sequences(
    within bounds: Range<Instant>, upTo last: UInt64, in reader: borrowing Reader
  ) throws -> Range<UInt64> {
    let first = try firstSequence(notBefore: bounds.lowerBound, upTo: last, in: reader)
    let end = try firstSequence(notBefore: bounds.upperBound, upTo: last, in: reader)
    return first..<max(first, end)
  }

  private func firstSequence(
    notBefore moment: Instant, upTo last: UInt64, in reader: borrowing Reader
  ) throws -> UInt64 {
    var low: UInt64 = 1
    var high = last + 1
    while low < high {
      let middle = low + (high - low) / 2
      guard let entry = try log.entry(middle, in: reader) else { return low }
      if entry.recorded < moment { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension AuditEventSearch {
  /// Where a page begins: after the entry that was last shown, in the log as it was at the start.
  private struct Place {
    var previous: UInt64
    var last: UInt64
  }

  private func sealed(_ previous: UInt64, last: UInt64, of query: AuditEventQuery) -> String {
    let place = Key().appending(previous).appending(last).bytes
    return (place + code(of: place, query)).base64URL
  }

  private func place(in text: String, of query: AuditEventQuery) throws -> Place {
    guard let bytes = [UInt8](base64URL: text), bytes.count == 16 + SHA256.byteCount else {
      throw InteractionError.invalidPage
    }
    let place = Array(bytes[..<16])
    guard isEqualInConstantTime(Array(bytes[16...]), code(of: place, query)) else {
      throw InteractionError.invalidPage
    }
    let number = { (part: ArraySlice<UInt8>) in part.reduce(0) { $0 << 8 | UInt64($1) } }
    return Place(previous: number(place[..<8]), last: number(place[8...]))
  }

  /// A place is one of the search that it was made for alone.
  private func code(of place: [UInt8], _ query: AuditEventQuery) -> [UInt8] {
    let asked = query.used.filter { $0.name != "_page" }
    return pageKey.code(of: Array("audit".utf8) + place + asked.percentEncoded)
  }
}

/// What a walk has found so far.
private struct Finding {
  let query: AuditEventQuery
  let person: ResourceID?
  /// The entry before the page.
  let after: UInt64?
  var found: [LogEntry] = []
  var count = 0
  /// More entries match than the page holds, or may match behind those that were looked at.
  var mustGoOn = false
  /// The page ends where enough entries were looked at, before it was full.
  private(set) var isCutShort = false
  private var examinedCount = 0
  private var examined: UInt64?

  init(query: AuditEventQuery, person: ResourceID?, after: UInt64?) {
    self.query = query
    self.person = person
    self.after = after
  }

  /// The last entry on the page, or that was looked at for it.
  var previous: UInt64? { isCutShort ? examined : found.last?.sequence }

  /// What is done about an entry of that number.
  enum Attention {
    case looks, passesOver, stops
  }

  mutating func comes(to sequence: UInt64) -> Attention {
    // A count that was asked for is taken, whatever it costs.
    if query.countsAll { return .looks }
    guard isBeyondPlace(sequence) else { return .passesOver }
    guard examinedCount < AuditEventSearch.examinedCountMaximum else {
      isCutShort = true
      mustGoOn = true
      return .stops
    }
    examinedCount += 1
    examined = sequence
    return .looks
  }

  /// Known if it was asked for, or if all matches are on the first page.
  var total: Int? {
    query.wantsTotal || query.wantsOnlyTotal || (after == nil && !mustGoOn) ? count : nil
  }

  /// Takes the next entry; `false` if no further one is needed.
  mutating func take(_ entry: LogEntry) -> Bool {
    guard let entry = entry.shown(to: person), query.matches(entry) else { return true }
    count += 1
    guard !query.wantsOnlyTotal, isBeyondPlace(entry.sequence) else { return true }
    if found.count < query.count {
      found.append(entry)
    } else {
      mustGoOn = true
    }
    return !mustGoOn || query.wantsTotal
  }

  private func isBeyondPlace(_ sequence: UInt64) -> Bool {
    guard let after else { return true }
    return query.order == .newestFirst ? sequence < after : sequence > after
  }
}

extension AuditEventQuery {
  /// Whether every match is looked at, since their count was asked for.
  var countsAll: Bool { wantsTotal || wantsOnlyTotal }

  /// The moments among which all matches lie.
  var bounds: Range<Instant> {
    var bounds = Instant.distantPast..<Instant.distantFuture
    for case .date(let conditions) in filters {
      let lower = conditions.map(\.bounds.lowerBound).min() ?? .distantPast
      let upper = conditions.map(\.bounds.upperBound).max() ?? .distantFuture
      let first = max(bounds.lowerBound, lower)
      bounds = first..<max(first, min(bounds.upperBound, upper))
    }
    return bounds
  }

  func matches(_ entry: LogEntry) -> Bool {
    filters.allSatisfy { $0.matches(entry) }
  }
}

extension AuditEventQuery.Filter {
  fileprivate func matches(_ entry: LogEntry) -> Bool {
    let record = entry.record
    switch self {
    case .id(let sequences): return sequences.contains(entry.sequence)
    case .patient(let ids):
      return ids.contains { record.patients.contains($0) || record.agent.reference == $0 }
    case .agent(let ids): return ids.contains { record.agent.reference == $0 }
    case .entity(let ids): return ids.contains(where: record.isAbout)
    case .action(let codes): return codes.contains(record.interaction.action)
    case .outcome(let codes): return codes.contains(String(record.outcome.rawValue))
    case .subtype(let codes): return codes.contains(record.interaction.text)
    case .date(let conditions): return conditions.contains { $0.holds(for: entry.recorded) }
    case .absent: return false
    }
  }
}

extension LogRecord {
  fileprivate func isAbout(_ id: ResourceID) -> Bool {
    target == id || patients.contains(id) || shown.contains { $0.version.id == id }
      || consents.contains { $0.id == id }
  }
}

extension LogEntry {
  private static let notPermitted = "not permitted"

  /// The entry as `person` may see it: of one about several persons only what is theirs; `nil` if it
  /// is not about them. Without a person, all of it.
  func shown(to person: ResourceID?) -> LogEntry? {
    guard let person else { return self }
    guard let position = record.patients.firstIndex(of: person) else { return nil }
    guard record.patients.count > 1 else { return self }
    var entry = self
    entry.record.patients = [person]
    if record.agent.isKeptToOnePatient {
      // Who asked learns nothing of the others by their entry.
      if position == 0 { return entry }
      entry.record.consents = []
      if record.outcome == .minorFailure { entry.record.reason = Self.notPermitted }
    }
    entry.record.shown = record.shown.filter { $0.owner == position }
      .map { LogShown($0.version, owner: 0) }
    entry.record.parameters = []
    return entry
  }
}
