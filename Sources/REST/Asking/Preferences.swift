/// What a request's `Prefer` header asks for. What nobody here knows is passed over: a
/// preference is no demand (RFC 7240, section 2).
///
/// - SeeAlso: https://hl7.org/fhir/R4/http.html#ops, https://www.rfc-editor.org/rfc/rfc7240
struct Preferences: Hashable, Sendable {
  enum Return: String, Sendable {
    case minimal, representation
    case operationOutcome = "OperationOutcome"
  }

  /// What a write is answered with.
  var answer = Return.representation
  /// Whether an unknown search parameter is passed over (`handling=lenient`).
  var isLenient = false

  init() {}

  init(_ value: String) {
    for preference in value.split(separator: ",") {
      // What follows a `;` are parameters of the preference, and none are defined.
      let word = preference.prefix { $0 != ";" }.trimmed
      let sides = word.split(separator: "=", maxSplits: 1).map { $0.trimmed }
      guard sides.count == 2 else { continue }
      set(sides[0].lowercased(), String(sides[1].filter { $0 != "\"" }))
    }
  }

  private mutating func set(_ name: String, _ value: String) {
    switch (name, value.lowercased()) {
    case ("return", "minimal"): answer = .minimal
    case ("return", "representation"): answer = .representation
    case ("return", "operationoutcome"): answer = .operationOutcome
    case ("handling", "lenient"): isLenient = true
    case ("handling", "strict"): isLenient = false
    default: break
    }
  }
}
