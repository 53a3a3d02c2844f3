/// What the store answers to an `Interaction` that it performed. Refusals are thrown.
package enum Outcome: Sendable {
  /// A read or vread found this.
  case found(StoredVersion)
  case created(StoredVersion)
  case updated(StoredVersion)
  /// The content was that of the current version already, or a conditional create matched.
  case unchanged(StoredVersion)
  /// Deleted now; `nil` if there was nothing to delete.
  case deleted(StoredVersion?)
  indirect case searchset(SearchPage)
  case history(HistoryPage)
}

/// One version of a resource as it is stored and answered.
package struct StoredVersion: Hashable, Sendable {
  package var id: ResourceID
  package var version: VersionID
  package var lastUpdated: Instant
  /// The version marks a deletion: `bytes` is empty.
  package var isDeleted: Bool
  /// The JSON with `id`, `meta.versionId` and `meta.lastUpdated` set, exactly as it is answered.
  package var bytes: [UInt8]

  package init(
    id: ResourceID, version: VersionID, lastUpdated: Instant, isDeleted: Bool, bytes: [UInt8]
  ) {
    self.id = id
    self.version = version
    self.lastUpdated = lastUpdated
    self.isDeleted = isDeleted
    self.bytes = bytes
  }
}

/// One page of a history, newest first.
package struct HistoryPage: Sendable {
  package var entries: [HistoryEntry]
  package var total: Int?
  package var next: String?

  package init(entries: [HistoryEntry], total: Int?, next: String?) {
    self.entries = entries
    self.total = total
    self.next = next
  }
}

/// A version in a history and the kind of change that made it.
package struct HistoryEntry: Hashable, Sendable {
  package enum Change: UInt8, Hashable, Sendable {
    /// `POST Type`
    case create
    /// `PUT Type/id`
    case update
    /// `DELETE Type/id`
    case delete
  }

  package var version: StoredVersion
  package var change: Change

  package init(version: StoredVersion, change: Change) {
    self.version = version
    self.change = change
  }
}
