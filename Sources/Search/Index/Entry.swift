import FHIRModel
import KeyValue

/// A key of the index whose terms still stand as texts: two versions of a resource are compared
/// by these, so what stays the same needs neither a number nor a write.
struct Entry: Sendable {
  var table: Table
  /// The bytes before the numbers of `terms`.
  var head: [UInt8]
  /// Each stands in the key as four bytes; `nil` as zero.
  var terms: [Term?] = []
  /// The bytes after the numbers.
  var tail: [UInt8] = []

  /// The key, with `number` giving the number of a term.
  func key(_ number: (Term) throws -> UInt32) rethrows -> Key {
    var key = Key(reservingByteCount: head.count + 4 * terms.count + tail.count)
    key.append(head)
    for term in terms { key.append(try term.map(number) ?? 0) }
    key.append(tail)
    return key
  }
}

extension Entry {
  /// The table and the first bytes, as a number that orders as they do.
  fileprivate var beginning: UInt64 {
    var number = UInt64(table.position)
    for position in 0..<7 {
      number = number &<< 8 | (position < head.count ? UInt64(head[position]) : 0)
    }
    return number
  }
}

extension Entry: Comparable {
  static func == (left: Entry, right: Entry) -> Bool {
    left.head == right.head && left.tail == right.tail
      && left.table.position == right.table.position
      && left.terms == right.terms
  }

  static func < (left: Entry, right: Entry) -> Bool {
    if left.table.position != right.table.position {
      return left.table.position < right.table.position
    }
    switch left.head.span.order(to: right.head.span) {
    case 0: break
    case let order: return order < 0
    }
    switch left.tail.span.order(to: right.tail.span) {
    case 0: break
    case let order: return order < 0
    }
    return left.terms.lexicographicallyPrecedes(right.terms) { mine, other in
      guard let other else { return false }
      return mine.map { $0 < other } ?? true
    }
  }
}

extension Span<UInt8> {
  /// Less than 0 if these bytes come before `other`, more if behind, 0 if they are the same.
  fileprivate func order(to other: Span<UInt8>) -> Int {
    for position in 0..<Swift.min(count, other.count) where self[position] != other[position] {
      return Int(self[position]) - Int(other[position])
    }
    return count - other.count
  }
}

extension Array where Element: Comparable {
  /// Sorts and leaves each element once.
  mutating func sortAndUnite() {
    sort()
    self = united(indices)
  }

  /// The elements at these places, in which equal ones stand together, each once.
  fileprivate func united(_ places: some Sequence<Int>) -> [Element] {
    var kept: [Element] = []
    kept.reserveCapacity(count)
    for place in places where kept.isEmpty || kept[kept.count - 1] != self[place] {
      kept.append(self[place])
    }
    return kept
  }
}

extension [Entry] {
  /// Sorts and leaves each entry once. Entries are large, so their places are sorted, by the first
  /// bytes where these tell, and each is moved once.
  mutating func sortAndUnite() {
    let beginnings = map(\.beginning)
    let places = indices.sorted { left, right in
      beginnings[left] == beginnings[right]
        ? self[left] < self[right] : beginnings[left] < beginnings[right]
    }
    self = united(places)
  }

  /// The entries that are not in `others`; both are sorted.
  func subtracting(_ others: [Entry]) -> [Entry] {
    if others.isEmpty { return self }
    var rest: [Entry] = []
    var position = 0
    for entry in self {
      while position < others.count, others[position] < entry { position += 1 }
      if position == others.count || others[position] != entry { rest.append(entry) }
    }
    return rest
  }
}

/// Collects what the values of a resource write.
struct EntryWriter {
  let configuration: SearchConfiguration
  private(set) var entries: [Entry] = []
  private var prefix: [UInt8] = []

  init(configuration: SearchConfiguration) { self.configuration = configuration }

  /// What is written next belongs to this unit.
  mutating func begin(_ unit: Unit) { prefix = [unit.type.position, unit.number] }

  /// Writes a key: the unit's bytes, `head`, the numbers of `terms`, `tail`.
  mutating func write(_ head: [UInt8], terms: [Term?] = [], tail: [UInt8] = []) {
    entries.append(Entry(table: .postings, head: prefix + head, terms: terms, tail: tail))
  }

  /// Writes that there is a value, though none that a search can find: for `:missing`.
  mutating func writePresence() { write([Unit.presenceTag]) }

  mutating func append(_ more: [Entry]) { entries.append(contentsOf: more) }

  mutating func removeAll() { entries.removeAll(keepingCapacity: true) }
}
