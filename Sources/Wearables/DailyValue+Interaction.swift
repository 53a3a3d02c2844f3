import FHIRModel

extension DailyValue {
  /// The conditional update that writes the value, the revision that writes a part of it, or the
  /// conditional delete that withdraws it.
  ///
  /// - SeeAlso: https://hl7.org/fhir/R4/http.html#cond-update
  func interaction(in call: DailyCall) throws(DailyValues.Refusal) -> Interaction {
    guard let draft = draft(in: call) else {
      return .conditionalDelete(matching: identifier(in: call).query)
    }
    guard case .someParts(_, let told) = content else { return try draft.interaction() }
    return .conditionalRevision(
      PanelRevision(draft, told: told), matching: draft.identifier.query)
  }

  /// The value as an Observation; `nil` if it is withdrawn.
  private func draft(in call: DailyCall) -> ObservationDraft? {
    var draft = ObservationDraft(
      of: metric, for: call.patient, from: call.origin, source: call.source,
      identifier: identifier(in: call))
    switch content {
    case .withdrawn: return nil
    case .numbers(let numbers): draft.value = .numbers(numbers)
    case .coded(let value): draft.value = .coded(value)
    case .parts(let parts), .someParts(let parts, _): draft.parts = parts
    }
    draft.isPreliminary = call.isUnfinished || !call.isOver(seconds)
    draft.effective = .period(
      start: call.zone.dateTime(seconds.lowerBound, on: day),
      end: call.lastZone.dateTime(seconds.upperBound - 1, on: day))
    draft.device = call.device
    draft.reporters = isManual ? [.patientReported] : call.reporters
    return draft
  }

  static let identifierSystem = "urn:kiln:daily-value"

  /// `<Patient id>/<metric>/<day>/<origin>`: no zone and no source in it, so that a trip or another
  /// watch corrects the same day.
  private func identifier(in call: DailyCall) -> ObservationDraft.Identifier {
    Self.identifier(of: metric, on: day, for: call.patient, from: call.origin)
  }

  static func identifier(
    of metric: Metric, on day: LocalDay, for patient: ResourceID, from origin: Origin
  ) -> ObservationDraft.Identifier {
    let parts = [patient.id.text, metric.name, day.text, origin.rawValue]
    return ObservationDraft.Identifier(
      system: Self.identifierSystem, value: parts.joined(separator: "/"))
  }
}
