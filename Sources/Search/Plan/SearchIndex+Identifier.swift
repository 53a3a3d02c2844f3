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
      unit.dataTypes == [.identifier],
      let match = try? TokenMatch(parsing: asked.value), case .named = match.system,
      match.code != nil
    else { return false }
    return try match.selections(in: unit, terms: terms, reader: reader).allSatisfy { selection in
      guard case .key(let key) = selection.place else { return false }
      return try reader.count(at: key, in: .postings) == 0
    }
  }

  /// What separates values or takes another's meaning.
  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\\")
  }
}
