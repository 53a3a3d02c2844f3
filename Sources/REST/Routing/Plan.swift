import Access
import FHIRModel

/// What a route makes of a call.
enum Plan: Sendable {
  /// The answer stands already.
  case answer(Response)
  /// These are to be performed, all in one commit, and their results answered.
  case perform(Work)

  /// One interaction, whose refusal is the request's.
  static func perform(
    _ interaction: Interaction, answer: @escaping @Sendable (Call, Outcome) throws -> Response
  ) -> Plan {
    .perform(Work(interactions: [interaction], answer: .one(answer)))
  }
}

/// Interactions to be performed together, and how their results are answered.
struct Work: Sendable {
  typealias Results = [Result<Outcome, any Error>]

  enum Answer: Sendable {
    /// There is one interaction: its outcome is answered, or its refusal thrown.
    case one(@Sendable (Call, Outcome) throws -> Response)
    /// The results stand in the order of the interactions.
    case all(@Sendable (Call, Results) throws -> Response)
  }

  var interactions: [Interaction]
  /// What was to be written and for whom: judged where nothing that was sent can be, so that there
  /// is no interaction.
  var untried: (type: ResourceType, patient: ResourceID)?
  /// Whether there is no interaction because what was sent is yet to be read.
  var isBeginning = false
  /// A question about an import, or its end, which is no interaction either.
  var importAccess: ImportAccess?
  /// Whether the answer waits for a disk, which the writer's thread must not do.
  var isSlow = false
  /// Where written data comes from: an absolute URI, for the Provenance.
  var sourceSystem: String?
  /// The program of that system which sent it.
  var sourceProgram: SourceProgram?
  var answer: Answer

  /// - Throws: what the request is to be refused with.
  func response(to call: Call, _ results: Results) throws -> Response {
    switch answer {
    case .all(let answer): return try answer(call, results)
    case .one(let answer):
      guard let result = results.first else { throw MissingResult() }
      return try answer(call, try result.get())
    }
  }
}

/// The guard answered an interaction with no result: a fault of this program.
struct MissingResult: Error {}
