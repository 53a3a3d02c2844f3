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
    if left.head != right.head { return left.head.lexicographicallyPrecedes(right.head) }
    if left.tail != right.tail { return left.tail.lexicographicallyPrecedes(right.tail) }
    return left.terms.lexicographicallyPrecedes(right.terms) { mine, other in
      guard let other else { return false }
      return mine.map { $0 < other } ?? true
    }
  }
}

extension Array where Element: Comparable {
  /// Sorts and leaves each element once.
  mutating func sortAndUnite() {
    guard count > 1 else { return }
    sort()
    var kept: [Element] = []
    kept.reserveCapacity(count)
    for element in self where kept.last != element { kept.append(element) }
    self = kept
  }
}

extension [Entry] {
  /// The entries that are not in `others`; both are sorted.
  func subtracting(_ others: [Entry]) -> [Entry] {
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
}
