/// What the body of a request is written in.
///
/// - SeeAlso: https://hl7.org/fhir/R4/http.html#mime-type
enum ContentType {
  static let jsonTypes = [
    "application/fhir+json", "application/json", "application/json+fhir", "text/json",
  ]
  static let formType = "application/x-www-form-urlencoded"

  /// - Throws: `Refusal.unsupportedContent` unless the body is of one of these types, of R4, in
  ///   UTF-8, and not compressed.
  static func check(_ headers: Headers, isOneOf names: [String]) throws {
    if headers["Content-Type"] == names[0], !headers.has("Content-Encoding") { return }
    let taken = Array(names.prefix(2))
    func refused(_ reason: String) -> Refusal {
      .unsupportedContent(reason: reason, taken: taken)
    }
    let expected = "expected is \(taken.joined(separator: " or "))"
    guard let value = headers["Content-Type"] else {
      throw refused("there is no Content-Type; \(expected)")
    }
    guard let type = MediaType(value), names.contains(type.name) else {
      throw refused("'\(value)' is not taken here; \(expected)")
    }
    let charset = type["charset"]?.lowercased() ?? "utf-8"
    guard ["utf-8", "utf8", "us-ascii"].contains(charset) else {
      throw refused("the character set '\(charset)' is not UTF-8")
    }
    guard type.isOfR4 else {
      throw refused("'\(value)' is not of FHIR 4.0")
    }
    if let coding = headers["Content-Encoding"], coding.lowercased() != "identity" {
      throw refused("the content coding '\(coding)' is not taken")
    }
  }
}
