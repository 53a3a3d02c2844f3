import Access
import FHIRModel
import Wearables

/// What became of one daily value.
public enum DailyValueResult: Hashable, Sendable {
  /// It is stored, withdrawn, or stood like that already.
  case taken(WriteResult)
  /// It could not be; the others went in.
  case refused(reason: String)
}

extension FHIRStore {
  /// Takes the values that a phone measured, all in one commit: each becomes one Observation of that
  /// person, metric, day and origin, and the same values again change nothing.
  ///
  /// - Parameters:
  ///   - json: `{"patient":"Patient/1","origin":"apple-health","timeZone":"Europe/Budapest",
  ///     "source":{…},"values":[{"metric":"steps","day":"2026-10-25","value":8342}]}`.
  ///   - caller: who sends them, and may write for the person.
  /// - Returns: a result for each value, in their order.
  /// - Throws: ``StoreFailure/invalid(_:)`` if what holds for all values is missing or wrong,
  ///   ``StoreFailure/forbidden(reason:)`` if none can be taken and the caller may write none.
  public func takeDailyValues(
    _ json: [UInt8], as caller: StoreCaller
  ) throws -> [DailyValueResult] {
    let values = try StoreFailure.translating {
      try DailyValues(parsing: json, metrics: .shared, now: Assembly.clock())
    }
    if values.interactions.isEmpty {
      let untried = UntriedWrite(
        of: .observation, for: values.call.patient, by: Caller(try caller.principal))
      try StoreFailure.translating { try assembly.guarded.perform(untried) }
    }
    let source = values.call.source
    let results = try perform(
      values.interactions, as: caller, sourceSystem: source.uri,
      sourceProgram: SourceProgram(name: source.name, version: source.version))
    return try values.entries.map { entry in
      switch entry.content {
      case .failure(let refusal): .refused(reason: refusal.reason)
      case .success:
        try Self.result(
          entry.place.flatMap { results.indices.contains($0) ? results[$0] : nil })
      }
    }
  }

  private static func result(_ result: Result<Outcome, any Error>?) throws -> DailyValueResult {
    switch result {
    case .success(let outcome): .taken(try WriteResult(outcome))
    case .failure(let error as InteractionError): .refused(reason: "\(StoreFailure(error))")
    case .failure(let error): .refused(reason: "\(error)")
    case nil: .refused(reason: "It was not performed.")
    }
  }
}
