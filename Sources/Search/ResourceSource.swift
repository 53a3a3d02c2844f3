import FHIRModel
import KeyValue

/// What a search asks of the store whose index it reads. Everything speaks of current versions.
package protocol ResourceSource {
  /// The content of a resource; `nil` if it is deleted or there is none of that number.
  func document(
    of number: UInt64, in reader: borrowing Reader
  ) throws -> JSONDocument?

  /// The number of a resource, deleted or not; `nil` if there never was one.
  func number(
    of id: ResourceID, in reader: borrowing Reader
  ) throws -> UInt64?

  /// The number that the next new resource will get: all numbers given so far are below it.
  func nextNumber(in reader: borrowing Reader) throws -> UInt64

  /// Whether the searcher may see a resource: one that may not be seen is as if it weren't there, in
  /// pages and in totals.
  func isVisible(_ number: UInt64, in reader: borrowing Reader) throws -> Bool
}

extension ResourceSource {
  /// Everything is visible.
  package func isVisible(
    _ number: UInt64, in reader: borrowing Reader
  ) -> Bool { true }
}

/// A version of a resource, as the index writes it.
package struct IndexedVersion: Sendable {
  package var resource: Resource
  package var id: LogicalID
  package var lastUpdated: Instant

  package init(resource: Resource, id: LogicalID, lastUpdated: Instant) {
    self.resource = resource
    self.id = id
    self.lastUpdated = lastUpdated
  }
}

/// A number stands in this table at this key.
package struct IndexEntry: Hashable, Comparable, Sendable {
  package var table: Table
  package var key: Key

  package init(table: Table, key: Key) {
    self.table = table
    self.key = key
  }

  package static func < (left: IndexEntry, right: IndexEntry) -> Bool {
    (left.table.position, left.key) < (right.table.position, right.key)
  }
}

/// One page of what a search found.
package struct SearchMatches: Sendable {
  /// The numbers of the matches, in the order asked for.
  package var numbers: [UInt64]
  /// The count of all matches; `nil` where it was not asked for or would cost too much.
  package var total: Int?
  /// The sealed place where the next page begins, as the value of the parameter `_page`; `nil` on
  /// the last page.
  package var next: String?
  /// The parameters that were really used, for the self link.
  package var used: [QueryParameter]
  /// What was left out, as warnings.
  package var warnings: [Issue]
}
