import FHIRModel

/// A page of a history as a Bundle, newest first. Every entry has both `request` and `response`
/// (invariants bdl-3 and bdl-4), a deletion no resource.
///
/// - SeeAlso: https://hl7.org/fhir/R4/http.html#history
struct HistoryBundle: Sendable {
  var page: HistoryPage
  var base: String
  /// The history's address below the base: `Patient/1/_history`.
  var path: String
  /// The parameters that were used.
  var parameters: [QueryParameter]

  var bytes: [UInt8] {
    let contentByteCount = page.entries.reduce(0) {
      $0 + $1.version.bytes.count + 320 + base.utf8.count
    }
    var writer = JSONWriter(reservingByteCount: 1024 + contentByteCount)
    writer.object { writer in
      writer.member("resourceType", "Bundle")
      writer.member("type", "history")
      if let total = page.total { writer.member("total", total) }
      links.write(to: &writer)
      guard !page.entries.isEmpty else { return }
      writer.member(
        "entry",
        array: { writer in
          for entry in page.entries { write(entry, to: &writer) }
        })
    }
    return writer.bytes
  }

  private var links: Links {
    Links(
      address: "\(base)/\(path)", parameters: parameters,
      next: page.next.map { (HistoryQuery.pageParameter, $0) })
  }

  private func write(_ entry: HistoryEntry, to writer: inout JSONWriter) {
    let version = entry.version
    writer.object { writer in
      writer.member("fullUrl", "\(base)/\(version.id)")
      if entry.change != .delete {
        writer.name("resource")
        writer.raw(version.bytes)
      }
      writer.member(
        "request",
        object: { writer in
          writer.member("method", entry.change.method)
          writer.member(
            "url", entry.change == .create ? version.id.type.name : version.id.description)
        })
      writer.member(
        "response",
        object: { writer in
          writer.member("status", entry.status)
          writer.member("etag", version.version.entityTag)
          writer.member("lastModified", version.lastUpdated.description)
        })
    }
  }
}

extension HistoryEntry.Change {
  fileprivate var method: String {
    switch self {
    case .create: "POST"
    case .update: "PUT"
    case .delete: "DELETE"
    }
  }
}

extension HistoryEntry {
  /// What the change was answered with when it was made.
  fileprivate var status: String {
    switch change {
    case .create: "201"
    case .update: version.version == .first ? "201" : "200"
    case .delete: "204"
    }
  }
}
