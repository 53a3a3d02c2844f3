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
    var bytes = head
    // R4's JSON has no empty arrays.
    guard !page.matches.isEmpty || !page.warnings.isEmpty else { return bytes }
    let contentByteCount = page.matches.reduce(0) { $0 + $1.bytes.count + 192 }
    bytes.reserveCapacity(bytes.count + contentByteCount + page.matches.count * base.utf8.count)
    bytes.removeLast()
    bytes.append(contentsOf: #","entry":["#.utf8)
    append(matchesTo: &bytes)
    append(warningsTo: &bytes)
    bytes.append(contentsOf: "]}".utf8)
    return bytes
  }

  /// The Bundle without its entries.
  private var head: [UInt8] {
    var writer = JSONWriter(reservingByteCount: 1024)
    writer.object { writer in
      writer.member("resourceType", "Bundle")
      writer.member("type", "searchset")
      if let total = page.total { writer.member("total", total) }
      links.write(to: &writer)
    }
    return writer.bytes
  }

  private var links: Links {
    Links(
      address: type.map { "\(base)/\($0.name)" } ?? base,
      parameters: page.used + formatParameters + (place.map { [$0] } ?? []),
      next: page.next.map { (Self.pageParameter, $0) })
  }

  private func append(matchesTo bytes: inout [UInt8]) {
    let resource = Array(#"","resource":"#.utf8)
    let end = Array(#","search":{"mode":"match"}}"#.utf8)
    var start: [UInt8] = []
    var type: ResourceType?
    var isFirst = true
    for match in page.matches {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      if match.id.type != type {
        type = match.id.type
        start = entryStart(of: match.id.type)
      }
      bytes.append(copying: start.span)
      // The letters of ids are themselves in JSON.
      match.id.id.append(to: &bytes)
      bytes.append(copying: resource.span)
      bytes.append(copying: match.bytes.span)
      bytes.append(copying: end.span)
    }
  }

  /// `{"fullUrl":"https://store.example.org/fhir/Observation/`
  private func entryStart(of type: ResourceType) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { $0.member("fullUrl", "\(base)/\(type.name)/") }
    return Array(writer.bytes.dropLast(2))
  }

  private func append(warningsTo bytes: inout [UInt8]) {
    guard !page.warnings.isEmpty else { return }
    if !page.matches.isEmpty { bytes.append(UInt8(ascii: ",")) }
    bytes.append(contentsOf: #"{"resource":"#.utf8)
    bytes.append(contentsOf: OperationOutcome.bytes(page.warnings))
    bytes.append(contentsOf: #","search":{"mode":"outcome"}}"#.utf8)
  }
}
