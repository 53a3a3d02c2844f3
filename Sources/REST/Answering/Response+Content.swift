import FHIRModel

extension Response {
  /// An answer with JSON in it. Everything that is answered may speak of a person, so nothing is to
  /// be kept on the way.
  init(_ status: Int, json: [UInt8], as format: Format) {
    self.init(status: status)
    headers.append("Content-Type", format.contentType)
    appendNotKept()
    body = format.isPretty ? indented(json) : json
  }

  /// The same of JSON in two pieces, which are sent as they are.
  init(_ status: Int, opening: [UInt8], rest: [UInt8], as format: Format) {
    self.init(status, json: format.isPretty ? opening + rest : rest, as: format)
    if !format.isPretty { self.opening = opening }
  }

  /// An answer without content.
  init(empty status: Int) {
    self.init(status: status)
    appendNotKept()
  }

  private mutating func appendNotKept() {
    headers.append("Cache-Control", "no-store")
    headers.append("X-Content-Type-Options", "nosniff")
  }

  init(_ status: Int, issues: [Issue], as format: Format) {
    self.init(status, json: OperationOutcome.bytes(issues), as: format)
  }

  /// Says which version the answer speaks of.
  mutating func appendVersion(_ version: StoredVersion) {
    headers.append("ETag") { $0.append(entityTagOf: version.version) }
    headers.append("Last-Modified") { $0.append(httpDateOf: version.lastUpdated) }
  }
}
