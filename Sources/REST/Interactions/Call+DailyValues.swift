import Access
import FHIRModel
import Wearables

/// A phone's daily values, each answered for itself.
extension Call {
  /// One commit holds them all, and other writers wait for it.
  private static let dailyValueCountMaximum = 20_000

  func dailyValues() throws -> Plan {
    try ContentType.check(request.headers, isOneOf: ["application/json"] + ContentType.jsonTypes)
    let values = try DailyValues(
      parsing: request.body, parameters: parameters, metrics: .shared, now: configuration.clock())
    guard values.entries.count <= Self.dailyValueCountMaximum else {
      throw Refusal.tooMany(limit: Self.dailyValueCountMaximum)
    }
    return .perform(
      Work(
        interactions: values.interactions, untried: (.observation, values.call.patient),
        sourceSystem: values.call.source.uri,
        sourceProgram: values.call.source.program,
        answer: .all { call, results in
          try Self.refuseIfNothingWasTried(results)
          return Response(200, json: values.answer(to: results), as: call.plainFormat)
        }))
  }

  /// If every value was refused for who asks, or failed because the store can't write now, then that
  /// is the answer to the request, not to its values.
  private static func refuseIfNothingWasTried(_ results: Work.Results) throws {
    guard let first = results.first else { return }
    let failures = results.compactMap(\.failure)
    guard failures.count == results.count, let failure = first.failure else { return }
    switch failure as? InteractionError {
    case .forbidden, .unauthenticated, .storageFull, .unavailable, nil: throw failure
    default: return
    }
  }
}

extension DailyValues {
  /// What became of each value, in the words in which requests are refused.
  ///
  /// - Parameter results: of `interactions`, one each and in their order.
  package func answer(to results: [Result<Outcome, any Error>]) -> [UInt8] {
    answer(to: results) { Verdict(on: $0).reason }
  }
}

extension SourceSystem {
  /// The program as Access keeps it.
  var program: SourceProgram? { SourceProgram(name: name, version: version) }
}

extension Result {
  fileprivate var failure: Failure? {
    guard case .failure(let failure) = self else { return nil }
    return failure
  }
}
