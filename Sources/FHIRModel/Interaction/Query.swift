/// A search as it was asked: parameters in their order, split into name, modifier, chain and value,
/// with percent-encoding taken off and FHIR's own escapes (`\,`) left in. What the names mean is
/// Search's affair.
///
/// - SeeAlso: https://hl7.org/fhir/R4/search.html
package struct Query: Sendable {
  /// The type that is searched; `nil` for a search over several types.
  package var type: ResourceType?
  /// Where several types are searched, which, by position; empty for all.
  package internal(set) var types: [ResourceType] = []
  package var parameters: [QueryParameter]
  package var handling: Handling
  /// What is wanted of the matches instead of themselves; `nil` for a page of them.
  package var digest: Digest?
  /// What is to stand around the matches of a page; `nil` for nothing.
  package var frame: MatchFrame?

  package enum Handling: Hashable, Sendable {
    /// An unknown parameter is an error.
    case strict
    /// An unknown parameter is left out, with a warning.
    case lenient
  }

  package init(
    type: ResourceType?, parameters: [QueryParameter], handling: Handling = .strict
  ) {
    self.type = type
    self.parameters = parameters
    self.handling = handling
  }
}

/// One `name:modifier=value` of a query.
package struct QueryParameter: Hashable, Sendable {
  /// The name with its modifier or chain, as written: `subject:Patient.name`, `_sort`, `code:not`.
  package var name: String
  /// The value after percent-decoding, commas and backslashes as written.
  package var value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// Parameters that say one thing about the result: one of two would be passed over. Others add up.
  private static let single: Set<String> = ["_count", "_total", "_summary"]

  /// Whether it says a second time what one of `others` has said.
  package func isRepeated(after others: [QueryParameter]) -> Bool {
    Self.single.contains(name) && others.contains { $0.name == name }
  }
}
