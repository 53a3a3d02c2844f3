import FHIRModel

/// What a route makes of a call.
enum Plan: Sendable {
  /// The answer stands already.
  case answer(Response)
  /// These are to be performed, all in one commit, and their results answered.
  case perform(Work)
}

/// Interactions to be performed together, and how their results are answered.
struct Work: Sendable {
  typealias Results = [Result<Outcome, any Error>]

  var interactions: [Interaction]
  /// Where written data comes from: an absolute URI, for the Provenance.
  var sourceSystem: String?
  /// Makes the response of the results, which stand in the order of the interactions. It throws what
  /// a single interaction was refused with.
  var answer: @Sendable (Results) throws -> Response
}

extension Plan {
  /// One interaction, whose refusal is the request's.
  static func perform(
    _ interaction: Interaction, answer: @escaping @Sendable (Outcome) throws -> Response
  ) -> Plan {
    .perform(
      Work(interactions: [interaction]) { results in
        guard let result = results.first else { throw Refusal.unreadable(reason: "no result") }
        return try answer(try result.get())
      })
  }
}
