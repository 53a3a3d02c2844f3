/// A match on a page of a search: the current version of a resource.
package struct SearchMatch: Sendable {
  package var id: ResourceID
  package var version: VersionID
  package var lastUpdated: Instant
  /// Where its JSON stands in the content of its page.
  package var place: Range<Int>
}

/// One page of a search.
package struct SearchPage: Sendable {
  package private(set) var matches: [SearchMatch] = []
  /// The JSON of the matches in one piece of memory, with what the query's frame puts around it.
  package private(set) var content: [UInt8] = []
  /// What stands around the matches in `content`; `nil` for nothing.
  package let frame: MatchFrame?
  /// What stands between two matches of one type.
  private var gap: Gap?
  /// The count of all matches; `nil` where it was not asked for.
  package var total: Int?
  /// The parameters that were really used, for the self link.
  package var used: [QueryParameter]
  /// The sealed place where the next page begins; `nil` on the last page.
  package var next: String?
  /// What was left out or could not be honoured, as warnings.
  package var warnings: [Issue]
  /// What the matches come to, if that was asked for instead of them.
  package var digest: [Digest.Row]?

  /// A page without matches yet; `end()` is to follow the last of them.
  package init(
    framedBy frame: MatchFrame? = nil, total: Int?, used: [QueryParameter], next: String?,
    warnings: [Issue] = [], digest: [Digest.Row]? = nil
  ) {
    self.frame = frame
    self.total = total
    self.used = used
    self.next = next
    self.warnings = warnings
    self.digest = digest
  }

  /// The JSON of one of the page's matches, as it is answered.
  package func json(of match: SearchMatch) -> ArraySlice<UInt8> { content[match.place] }
}

extension SearchPage {
  /// Makes room for so many matches.
  package mutating func reserve(matchCount: Int, byteCount: Int) {
    matches.reserveCapacity(matchCount)
    content.reserveCapacity(byteCount)
  }

  /// Appends a match.
  ///
  /// - Parameter json: as it is answered.
  package mutating func append(
    _ id: ResourceID, _ version: VersionID, lastUpdated: Instant, _ json: Span<UInt8>
  ) {
    if let frame, gap?.type != id.type { gap = Gap(frame, id.type) }
    if let gap {
      content.append(gap, isFirst: matches.isEmpty, id.id, json)
    } else {
      content.append(copying: json)
    }
    let end = content.count
    matches.append(
      SearchMatch(
        id: id, version: version, lastUpdated: lastUpdated, place: end - json.count..<end))
  }

  /// Writes what stands behind the last match, once all are there.
  package mutating func end() {
    guard let frame, !matches.isEmpty else { return }
    content += frame.closing + frame.end
  }

  /// Appends a version as a match.
  package mutating func append(_ stored: StoredVersion) {
    append(stored.id, stored.version, lastUpdated: stored.lastUpdated, stored.bytes.span)
  }

  /// The same page within `frame`, of each match what `change` makes of its JSON.
  package func framed(
    by frame: MatchFrame, _ change: ([UInt8]) throws -> [UInt8]
  ) rethrows -> SearchPage {
    var page = SearchPage(
      framedBy: frame, total: total, used: used, next: next, warnings: warnings, digest: digest)
    page.reserve(matchCount: matches.count, byteCount: content.count + matches.count * 256)
    for match in matches {
      let json = try change(Array(json(of: match)))
      page.append(match.id, match.version, lastUpdated: match.lastUpdated, json.span)
    }
    page.end()
    return page
  }
}

/// What stands around the matches of a page: before each `opening`, its `Type/id` and `middle`,
/// behind it `closing`, a comma between two and `end` behind the last. A page is then laid out as it
/// will be answered while it is read, and its many bytes are copied once.
package final class MatchFrame: Sendable {
  package let opening: [UInt8]
  package let middle: [UInt8]
  package let closing: [UInt8]
  package let end: [UInt8]

  package init(opening: [UInt8], middle: [UInt8], closing: [UInt8], end: [UInt8]) {
    self.opening = opening
    self.middle = middle
    self.closing = closing
    self.end = end
  }
}

/// What stands between the JSON of two matches of a type, but for the second's id.
private struct Gap {
  let type: ResourceType
  let bytes: [UInt8]
  /// Where the second match begins.
  let opening: Int
  /// Where its id stands.
  let id: Int

  init(_ frame: MatchFrame, _ type: ResourceType) {
    self.type = type
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    bytes += frame.closing
    bytes.append(UInt8(ascii: ","))
    opening = bytes.count
    bytes += frame.opening
    bytes += type.name.utf8
    bytes.append(UInt8(ascii: "/"))
    id = bytes.count
    bytes += frame.middle
    self.bytes = bytes
  }
}

extension [UInt8] {
  fileprivate mutating func append(
    _ gap: Gap, isFirst: Bool, _ id: LogicalID, _ json: Span<UInt8>
  ) {
    let bytes = gap.bytes.span
    let head = bytes.extracting((isFirst ? gap.opening : 0)..<gap.id)
    let middle = bytes.extracting(gap.id..<bytes.count)
    id.withCharacters { append(copying: head, $0, middle, json) }
  }
}
