import FHIRModel

/// How an answer is written.
///
/// - SeeAlso: https://hl7.org/fhir/R4/http.html#mime-type
struct Format: Hashable, Sendable {
  var contentType = "application/fhir+json; charset=utf-8"
  /// With line breaks and indentation (`_pretty=true`).
  var isPretty = false

  /// The types an answer can have, the preferred first. `application/json+fhir` is what FHIR said
  /// before STU3, and is answered with what it is called now.
  private static let offers: [(asked: String, given: String)] = [
    ("application/fhir+json", "application/fhir+json; charset=utf-8"),
    ("application/json", "application/json; charset=utf-8"),
    ("application/json+fhir", "application/fhir+json; charset=utf-8"),
    ("text/json", "text/json; charset=utf-8"),
  ]

  init() {}

  /// The best of what `Accept` asks for.
  ///
  /// - Throws: `Refusal.notAcceptable` if that is nothing that can be given.
  init(accept: String) throws {
    let ranges = accept.split(separator: ",").compactMap { MediaType($0) }
    let weighed = Self.offers.map { (quality: Self.quality(of: $0.asked, in: ranges), offer: $0) }
    var best: (quality: Double, offer: (asked: String, given: String))?
    for entry in weighed where entry.quality > best?.quality ?? 0 { best = entry }
    guard let best else { throw Refusal.notAcceptable(asked: accept) }
    contentType = best.offer.given
  }

  /// What the parameter `_format` names; it wins over `Accept`.
  ///
  /// - Throws: as `init(accept:)`.
  init(parameter: String) throws {
    // Many clients leave the plus of `fhir+json` as it is, and then it reads as a space.
    let asked = parameter.trimmed.split(separator: " ").joined(separator: "+").lowercased()
    if asked == "json" { return }
    guard let type = MediaType(asked), type.isOfR4,
      let offer = Self.offers.first(where: { $0.asked == type.name })
    else { throw Refusal.notAcceptable(asked: parameter) }
    contentType = offer.given
  }

  /// The weight that the most specific of the ranges gives to a type.
  private static func quality(of name: String, in ranges: [MediaType]) -> Double {
    let mainType = name.prefix { $0 != "/" }
    for wanted in [name, "\(mainType)/*", "*/*"] {
      let fitting = ranges.filter { $0.name == wanted && $0.isOfR4 }
      if let best = fitting.compactMap(\.quality).max() { return best }
    }
    return 0
  }
}

extension Format {
  static let parameterNames = ["_format", "_pretty"]

  /// Whether nothing else than the preferred type is asked for, as in most requests.
  private static func isUsual(_ accept: ArraySlice<UInt8>) -> Bool {
    accept.elementsEqual("*/*".utf8) || accept.elementsEqual("application/fhir+json".utf8)
  }

  /// - Parameter parameters: those of `parameterNames`; the last of a name counts.
  /// - Throws: as `init(accept:)`, and `InteractionError.invalidParameter` for another `_pretty`
  ///   than `true` and `false`.
  init(parameters: [QueryParameter], headers: Headers) throws {
    if let asked = parameters.last(where: { $0.name == "_format" && !$0.value.isEmpty }) {
      try self.init(parameter: asked.value)
    } else if let accept = headers.firstValue("Accept"), !Self.isUsual(accept),
      let ranges = headers["Accept"]
    {
      try self.init(accept: ranges)
    } else {
      self.init()
    }
    for pretty in parameters where pretty.name == "_pretty" {
      guard let value = Bool(pretty.value) else {
        throw InteractionError.invalidParameter(
          name: "_pretty", reason: "'\(pretty.value)' is neither true nor false")
      }
      isPretty = value
    }
  }
}
