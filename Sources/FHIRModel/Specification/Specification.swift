/// What R4 defines, read from the embedded tables once.
package final class Specification: Sendable {
  package static let shared = Specification()

  private let parameters: [String: [SearchParameterRow]]
  private let compartments: [String: [String: [String]]]

  private init() {
    parameters = Dictionary(
      grouping: EmbeddedTable.searchParameters.rows.map { SearchParameterRow($0) }, by: \.resource)
    var compartments: [String: [String: [String]]] = [:]
    for row in EmbeddedTable.compartments.rows {
      compartments[String(row[0]), default: [:]][String(row[1])] =
        row.column(2).split(separator: ",").map(String.init)
    }
    self.compartments = compartments
  }

  /// The search parameters of a type: its own and those that every resource has.
  package func searchParameters(of type: ResourceType) -> [SearchParameterRow] {
    ["Resource", "DomainResource", type.name].flatMap { parameters[$0] ?? [] }
  }

  /// The parameters by which a resource of `type` belongs to the compartment `name` (`Patient`);
  /// empty if the type is not in it.
  ///
  /// - SeeAlso: https://hl7.org/fhir/R4/compartmentdefinition.html
  package func compartmentParameters(of type: ResourceType, in name: String) -> [String] {
    compartments[name]?[type.name] ?? []
  }
}

/// A search parameter of a resource type.
package struct SearchParameterRow: Hashable, Sendable {
  /// The type, or `Resource` or `DomainResource` for those of every type.
  package let resource: String
  package let code: String
  /// `token`, `reference`, `date`, `string`, `uri`, `number`, `quantity`, `composite`, `special`.
  package let type: String
  /// The FHIRPath of its values, kept to this type.
  package let expression: String
  /// For a reference: the types it may lead to.
  package let targets: [String]
  /// For a composite: `code:type=expression` of each part.
  package let components: [String]
  /// The last part of the definition's canonical address.
  package let definition: String

  init(_ row: [Substring]) {
    resource = String(row[0])
    code = String(row[1])
    type = String(row[2])
    expression = String(row.column(3))
    targets = row.column(4).split(separator: ",").map(String.init)
    components = row.column(5).split(separator: ";").map {
      String($0.drop { $0 == " " })
    }
    definition = String(row.column(6))
  }

  package var definitionURL: String { "http://hl7.org/fhir/SearchParameter/" + definition }
}
