/// One of R4's search parameters for one type, as the specification defines it.
///
/// - SeeAlso: https://hl7.org/fhir/R4/searchparameter-registry.html
package struct SearchParameterRow: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case number, date, string, token, reference, composite, quantity, uri, special
  }

  /// The type that the definition names: a resource type, `DomainResource` or `Resource`.
  package let base: String
  /// The name in a query: `value-quantity`.
  package let code: String
  package let kind: Kind
  /// FHIRPath, restricted to `base`; empty for `_text`, `_content` and `_query`.
  package let expression: String
  package let targets: Targets
  /// The parts of a composite, in the order of their values in a query.
  package let components: [Component]
  /// The canonical address of the definition.
  package var url: String { "http://hl7.org/fhir/SearchParameter/" + name }
  let name: String

  /// The types that a reference parameter may refer to.
  package enum Targets: Hashable, Sendable {
    case any
    /// Empty for a parameter of another kind.
    case types([ResourceType])
  }

  /// One part of a composite parameter.
  package struct Component: Hashable, Sendable {
    package let code: String
    package let kind: Kind
    /// FHIRPath, from each element that the composite's own expression finds.
    package let expression: String
  }

  init(_ row: EmbeddedTables.Row) {
    base = row[0].text
    code = row[1].text
    kind = Self.kind(row[2].text)
    expression = row[3].text
    targets =
      row[4].begins(with: "*")
      ? .any : .types(row[4].parts(by: ",").compactMap { ResourceType($0) })
    components =
      row[5].isEmpty ? [] : row[5].text.split(separator: "; ").map { Component(String($0)) }
    name = row[6].text
  }

  fileprivate static func kind(_ name: some StringProtocol) -> Kind {
    guard let kind = Kind(rawValue: String(name)) else {
      preconditionFailure("the embedded table names an unknown kind of parameter")
    }
    return kind
  }
}

extension SearchParameterRow.Component {
  /// Reads `code:kind=expression`.
  fileprivate init(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1)
    let names = parts[0].split(separator: ":")
    code = String(names[0])
    kind = SearchParameterRow.kind(names[1])
    expression = String(parts[1])
  }
}
