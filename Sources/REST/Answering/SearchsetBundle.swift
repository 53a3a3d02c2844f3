import FHIRModel

/// A page of a search as a Bundle: stored bytes, put together.
///
/// - SeeAlso: https://hl7.org/fhir/R4/search.html#3.1.1.2
struct SearchsetBundle: Sendable {
  /// The parameter that carries the sealed place of a page.
  static let pageParameter = "_page"

  var page: SearchPage
  var base: String
  var type: ResourceType?
  /// Where this page begins; `nil` for the first.
  var place: QueryParameter?
  /// How the answer is written, for the links.
  var formatParameters: [QueryParameter]

  var bytes: [UInt8] {
    let contentByteCount = page.matches.reduce(0) { $0 + $1.bytes.count + 160 + base.utf8.count }
    var writer = JSONWriter(reservingByteCount: 1024 + contentByteCount)
    writer.object { writer in
      writer.member("resourceType", "Bundle")
      writer.member("type", "searchset")
      if let total = page.total { writer.member("total", total) }
      links.write(to: &writer)
      // R4's JSON has no empty arrays.
      guard !page.matches.isEmpty || !page.warnings.isEmpty else { return }
      writer.member("entry", array: writeEntries)
    }
    return writer.bytes
  }

  private var links: Links {
    Links(
      address: type.map { "\(base)/\($0.name)" } ?? base,
      parameters: page.used + formatParameters + (place.map { [$0] } ?? []),
      next: page.next.map { (Self.pageParameter, $0) })
  }

  private func writeEntries(to writer: inout JSONWriter) {
    for match in page.matches {
      writer.object { writer in
        writer.member("fullUrl", "\(base)/\(match.id)")
        writer.name("resource")
        writer.raw(match.bytes)
        writer.name("search")
        writer.raw(Self.matchMode)
      }
    }
    guard !page.warnings.isEmpty else { return }
    writer.object { writer in
      writer.name("resource")
      OperationOutcome.write(page.warnings, to: &writer)
      writer.name("search")
      writer.raw(Self.outcomeMode)
    }
  }

  private static let matchMode = Array(#"{"mode":"match"}"#.utf8)
  private static let outcomeMode = Array(#"{"mode":"outcome"}"#.utf8)
}
