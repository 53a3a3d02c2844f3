import FHIRModel
import Wearables

/// What a person's metric comes to by days, weeks or months.
extension Call {
  func summary() throws -> Plan {
    let asked = try SummaryCall(parameters, metrics: .shared)
    return .perform(asked.interaction) { call, outcome in
      guard case .searchset(let page) = outcome else { throw UnexpectedOutcome(outcome) }
      return Response(200, json: asked.answer(page.digest ?? []), as: call.plainFormat)
    }
  }
}
