import FHIRModel
import KeyValue

/// A key of the index whose terms still stand as texts: two versions of a resource are compared
/// by these, so what stays the same needs neither a number nor a write.
struct Entry: Hashable, Sendable {
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

/// Collects what the values of one unit write.
struct EntryWriter {
  let unit: Unit
  let configuration: SearchConfiguration
  private(set) var entries: [Entry] = []

  init(unit: Unit, configuration: SearchConfiguration) {
    self.unit = unit
    self.configuration = configuration
  }

  /// Writes a key: the unit's bytes, `head`, the numbers of `terms`, `tail`.
  mutating func write(_ head: [UInt8], terms: [Term?] = [], tail: [UInt8] = []) {
    entries.append(
      Entry(table: .postings, head: unit.prefix.bytes + head, terms: terms, tail: tail))
  }

  /// Writes that there is a value, though none that a search can find: for `:missing`.
  mutating func writePresence() { write([Unit.presenceTag]) }
}
