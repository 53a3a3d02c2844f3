/// The facts of R4: types and their elements, search parameters, compartments.
///
/// Read once from the embedded tables, at the first use.
package final class Specification: Sendable {
  package static let shared = Specification()

  let types: TypeTable
  private let parametersByType: [[SearchParameterRow]]
  private let parametersOfAllTypes: [SearchParameterRow]
  private let compartments: [String: [ResourceType: [String]]]

  private init() {
    types = TypeTable(types: EmbeddedTables.types, elements: EmbeddedTables.elements)
    let rows = EmbeddedTables.searchParameters.map(SearchParameterRow.init)
    let byBase = Dictionary(grouping: rows, by: \.base)
    parametersOfAllTypes = byBase["Resource", default: []]
    let typeTable = types
    parametersByType = ResourceType.all.map { type in
      typeTable.ancestry(of: TypeID(type)).flatMap { byBase[typeTable.name(of: $0), default: []] }
    }
    compartments = Dictionary(grouping: EmbeddedTables.compartments, by: { String($0[0]) })
      .mapValues(Self.members)
  }

  /// The search parameters of a type: its own, then those that it has from `DomainResource` and
  /// `Resource` (`_id`, `_lastUpdated` …), each by code.
  package func searchParameters(of type: ResourceType) -> [SearchParameterRow] {
    parametersByType[Int(type.position)]
  }

  /// The search parameters that every type has.
  package var commonSearchParameters: [SearchParameterRow] { parametersOfAllTypes }

  /// The names of R4's compartments: `Patient`, `Device` …
  package var compartmentNames: [String] { compartments.keys.sorted() }

  /// Which types can belong to a compartment, each with the parameters through which it does;
  /// `{def}` means the resource that the compartment is named after itself.
  ///
  /// - SeeAlso: https://hl7.org/fhir/R4/compartmentdefinition.html
  package func compartment(_ name: String) -> [ResourceType: [String]] {
    compartments[name, default: [:]]
  }

  private static func members(_ rows: [EmbeddedTables.Row]) -> [ResourceType: [String]] {
    var members: [ResourceType: [String]] = [:]
    for row in rows {
      guard let type = ResourceType(row[1]) else { continue }
      members[type] = row[2].split(separator: ",").map(String.init)
    }
    return members
  }
}
