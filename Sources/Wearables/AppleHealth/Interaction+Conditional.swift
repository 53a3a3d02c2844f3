import FHIRModel

extension Interaction {
  /// The update of the resource that has this identifier, which is created if there is none.
  ///
  /// - Throws: `ClinicalRecord.Refusal` with the first thing that is wrong with the content.
  static func conditional(
    _ content: [UInt8], identifier: String, in system: String
  ) throws(ClinicalRecord.Refusal) -> Interaction {
    do {
      let resource = try Resource(parsing: content)
      let parameter = QueryParameter(
        name: "identifier", value: "\(system)|\(ClinicalRecord.searchText(identifier))")
      return .conditionalUpdate(
        resource, matching: Query(type: resource.type, parameters: [parameter]), if: .none)
    } catch {
      guard case .invalid(let issues) = error, let first = issues.first else {
        throw ClinicalRecord.Refusal(reason: "\(error)")
      }
      let place = first.expression.map { "\($0): " } ?? ""
      throw ClinicalRecord.Refusal(reason: "\(place)\(first.diagnostics)")
    }
  }
}
