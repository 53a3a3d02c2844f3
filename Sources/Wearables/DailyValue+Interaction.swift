import FHIRModel

extension DailyValue {
  /// The conditional update that writes the value, or the conditional delete that withdraws it.
  ///
  /// - SeeAlso: https://hl7.org/fhir/R4/http.html#cond-update
  func interaction(in call: DailyCall) throws(DailyValues.Refusal) -> Interaction {
    let query = Query(
      type: .observation,
      parameters: [
        QueryParameter(
          name: "identifier", value: "\(Self.identifierSystem)|\(identifier(in: call))")
      ])
    guard let numbers else { return .conditionalDelete(matching: query) }
    do {
      let resource = try Resource(
        parsing: observation(of: numbers, in: call), expecting: .observation)
      return .conditionalUpdate(resource, matching: query, if: .none)
    } catch {
      throw .init(reason: "It makes no valid Observation: \(error).")
    }
  }

  static let identifierSystem = "urn:kiln:daily-value"

  /// `<Patient id>/<metric>/<day>/<origin>`: no zone and no source in it, so that a trip or another
  /// watch corrects the same day.
  func identifier(in call: DailyCall) -> String {
    [call.patient.id.text, metric.name, day.text, call.origin.rawValue].joined(separator: "/")
  }
}

extension ResourceType {
  /// What values become.
  package static let observation: ResourceType = {
    guard let type = ResourceType("Observation") else { preconditionFailure("R4 has the type") }
    return type
  }()
}
