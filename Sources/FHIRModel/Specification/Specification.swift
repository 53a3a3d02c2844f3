/// The facts of R4: types and their elements, search parameters, compartments.
///
/// Read once from the embedded tables, at the first use.
package final class Specification: Sendable {
  package static let shared = Specification()

  let types: TypeTable
  /// The rows of the search parameters by the type that they name: most processes need those of a few.
  private let parameterRows: [TableText: [EmbeddedTables.Row]]
  private let compartments: [String: [ResourceType: [String]]]

  /// Reads all that checking a resource takes, for whoever has a thread that is free for it before the
  /// first comes.
  package static func load() { _ = Structures.shared }

  private init() {
    types = TypeTable(types: EmbeddedTables.types, elements: EmbeddedTables.elements)
    parameterRows = Dictionary(grouping: EmbeddedTables.searchParameters, by: { $0[0] })
    compartments = Dictionary(grouping: EmbeddedTables.compartments, by: { $0[0].text })
      .mapValues(Self.members)
  }

  /// The search parameters of a type: its own, then those that it has from `DomainResource` and
  /// `Resource` (`_id`, `_lastUpdated` …), each by code.
  package func searchParameters(of type: ResourceType) -> [SearchParameterRow] {
    types.ancestry(of: TypeID(type)).flatMap { searchParameters(ofBase: types.name(of: $0)) }
  }

  /// The codes of those: `identifier`, `_id` …
  package func searchParameterCodes(of type: ResourceType) -> Set<String> {
    let codes = types.ancestry(of: TypeID(type)).flatMap { ancestor in
      parameterRows[TableText(types.name(of: ancestor)), default: []].map { $0[1].text }
    }
    return Set(codes)
  }

  private func searchParameters(ofBase name: String) -> [SearchParameterRow] {
    parameterRows[TableText(name), default: []].map(SearchParameterRow.init)
  }

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
      members[type] = row[2].parts(by: ",").map(\.text)
    }
    return members
  }
}
