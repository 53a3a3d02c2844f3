/// What a caller asks of the store. Every way in (HTTP, ingest, the embedding app) ends in one of
/// these, and nothing else travels inward.
///
/// - SeeAlso: https://hl7.org/fhir/R4/http.html
package enum Interaction: Sendable {
  case read(ResourceID)
  case vread(ResourceID, VersionID)
  case history(HistoryScope, HistoryQuery)
  case search(Query)
  /// The resource's own id is ignored. With `ifNoneExist`, nothing is created if that search matches.
  case create(Resource, ifNoneExist: Query?)
  /// Writes `resource` under its own id, which it must have.
  case update(Resource, if: Precondition)
  /// Updates the one match of the query, or creates if there is none.
  case conditionalUpdate(Resource, matching: Query, if: Precondition)
  /// Makes of the one match of the query, or of nothing if there is none, what the revision says.
  case conditionalRevision(any Revision, matching: Query)
  case delete(ResourceID, if: Precondition)
  /// Deletes the one match of the query; several matches are refused.
  case conditionalDelete(matching: Query)
}

/// Whose history is asked for.
package enum HistoryScope: Hashable, Sendable {
  case instance(ResourceID)
  case type(ResourceType)
  case system
}

/// The parameters of a history.
package struct HistoryQuery: Hashable, Sendable {
  /// Only versions made at or after this moment.
  package var since: Instant?
  /// Only versions that were current at some time in this interval.
  package var at: Range<Instant>?
  /// At most this many entries a page.
  package var count: Int?
  /// The sealed place where this page begins, from the link of the page before.
  package var page: String?

  package init(
    since: Instant? = nil, at: Range<Instant>? = nil, count: Int? = nil, page: String? = nil
  ) {
    self.since = since
    self.at = at
    self.count = count
    self.page = page
  }
}

/// The condition under which a change may be made.
///
/// - SeeAlso: https://hl7.org/fhir/R4/http.html#concurrency
package enum Precondition: Hashable, Sendable {
  case none
  /// Only if the current version is one of these (`If-Match: W/"3"`).
  case ifMatch([VersionID])
  /// Only if there is a current version (`If-Match: *`).
  case ifExists
  /// Only if there is none (`If-None-Match: *`).
  case ifNoneExists
}
