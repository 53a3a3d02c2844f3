import FHIRModel

/// A page of a search as a Bundle: stored bytes, put together.
///
/// - SeeAlso: https://hl7.org/fhir/R4/search.html#3.1.1.2
struct SearchsetBundle: Sendable {
  /// The parameter that carries the sealed place of a page.
  static let pageParameter = "_page"

  /// Its matches stand within `frame(base:)`.
  var page: SearchPage
  var base: String
  var type: ResourceType?
  /// Where this page begins; `nil` for the first.
  var place: QueryParameter?
  /// How the answer is written, for the links.
  var formatParameters: [QueryParameter]

  /// What stands around a match: `{"fullUrl":"https://store.example.org/fhir/`, the match's
  /// `Type/id`, whose letters are themselves in JSON, and so on.
  static func frame(base: String) -> MatchFrame {
    var writer = JSONWriter()
    writer.object { $0.member("fullUrl", "\(base)/") }
    return MatchFrame(
      opening: Array(writer.bytes.dropLast(2)), middle: middle, closing: closing, end: end)
  }

  private static let middle = Array(#"","resource":"#.utf8)
  private static let closing = Array(#","search":{"mode":"match"}}"#.utf8)
  private static let end = Array("]}".utf8)

  /// R4's JSON has no empty arrays.
  private var hasEntries: Bool { !page.matches.isEmpty || !page.warnings.isEmpty }

  /// The Bundle up to its first entry.
  var opening: [UInt8] {
    var writer = JSONWriter(reservingByteCount: 1024)
    writer.object { writer in
      writer.member("resourceType", "Bundle")
      writer.member("type", "searchset")
      if let total = page.total { writer.member("total", total) }
      links.write(to: &writer)
    }
    guard hasEntries else { return writer.bytes }
    var bytes = writer.bytes
    bytes.removeLast()
    bytes.append(contentsOf: #","entry":["#.utf8)
    return bytes
  }

  /// The Bundle from its first entry on.
  var rest: [UInt8] {
    guard !page.warnings.isEmpty else { return page.content }
    var bytes = page.content
    if !page.matches.isEmpty {
      bytes.removeLast(Self.end.count)
      bytes.append(UInt8(ascii: ","))
    }
    bytes.append(contentsOf: #"{"resource":"#.utf8)
    bytes.append(contentsOf: OperationOutcome.bytes(page.warnings))
    bytes.append(contentsOf: #","search":{"mode":"outcome"}}"#.utf8)
    return bytes + Self.end
  }

  private var links: Links {
    Links(
      address: type.map { "\(base)/\($0.name)" } ?? base,
      parameters: page.used + formatParameters + (place.map { [$0] } ?? []),
      next: page.next.map { (Self.pageParameter, $0) })
  }
}
