import FHIRModel

/// A version of a resource, as it stands in the store.
public struct StoredResource: Hashable, Sendable {
  /// `Observation/1`
  public let reference: String
  /// Counted from 1, one more with each change.
  public let version: Int
  /// The resource with its id, version and time set; otherwise to the letter as it was sent. Empty
  /// where the version marks a deletion.
  public let json: [UInt8]

  init(_ stored: StoredVersion) {
    reference = "\(stored.id)"
    version = Int(stored.version.number)
    json = stored.bytes
  }

  init(_ match: SearchMatch, on page: SearchPage) {
    reference = "\(match.id)"
    version = Int(match.version.number)
    json = Array(page.json(of: match))
  }

  /// `json` as text.
  public var text: String { String(decoding: json, as: UTF8.self) }
}

/// What a write came to.
public enum WriteResult: Hashable, Sendable {
  case created(StoredResource)
  case updated(StoredResource)
  /// The content was that of the current version: there is no new one.
  case unchanged(StoredResource)
  /// Deleted now; `nil` if there was nothing to delete.
  case deleted(StoredResource?)

  init(_ outcome: Outcome) throws {
    switch outcome {
    case .created(let version): self = .created(StoredResource(version))
    case .updated(let version): self = .updated(StoredResource(version))
    case .unchanged(let version): self = .unchanged(StoredResource(version))
    case .deleted(let version): self = .deleted(version.map(StoredResource.init))
    case .found, .searchset, .history:
      throw StoreFailure.unavailable(reason: "a write was answered as a read")
    }
  }

  /// The version that stands; `nil` after a deletion.
  public var resource: StoredResource? {
    switch self {
    case .created(let resource), .updated(let resource), .unchanged(let resource): resource
    case .deleted: nil
    }
  }
}

/// One page of a search.
public struct SearchResult: Hashable, Sendable {
  public let matches: [StoredResource]
  /// The count of all matches, where it was asked for.
  public let total: Int?
  /// What to search for next, as `search` takes it; `nil` on the last page.
  public let next: String?
}
