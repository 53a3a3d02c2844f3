import FHIRModel
import KeyValue

extension SearchIndex {
  /// Whether a query asks for one identifier with its system and nothing has it: what an import or a
  /// phone writes for the first time is told so by one look, before anything is planned.
  ///
  /// - Returns: `false` also where it asks for anything else, or something may have it.
  package func lacksIdentifier(
    of query: Query, in reader: borrowing Reader
  ) throws -> Bool {
    guard let type = query.type, query.parameters.count == 1, let asked = query.parameters.first,
      asked.name == "identifier", !asked.value.utf8.contains(where: Self.isSpecial),
      let parameter = ParameterTable.shared[type].parameters["identifier"],
      parameter.parts.count == 1, let unit = parameter.parts.first?.unit,
      case .elements(let paths) = unit.source, paths.allSatisfy({ $0.type == .identifier }),
      let match = try? TokenMatch(parsing: asked.value), case .named(let name) = match.system,
      let value = match.code
    else { return false }
    guard let system = try terms.lookup(.system(name), in: reader) else { return true }
    let key = TokenMatch.key(ofIdentifier: value, system: system, in: unit)
    return try reader.count(at: key, in: .postings) == 0
  }

  /// What separates values or takes another's meaning.
  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\\")
  }
}
