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
      Work(interactions: values.interactions, sourceSystem: values.call.source.uri) { results in
        try refuseIfNothingWasTried(results)
        let report = DailyValuesReport(values, results)
        return Response(200, json: report.bytes, as: plainFormat)
      })
  }

  /// If every value was refused for who asks, or failed because the store can't write now, then that
  /// is the answer to the request, not to its values.
  private func refuseIfNothingWasTried(_ results: Work.Results) throws {
    guard let first = results.first else { return }
    let failures = results.compactMap(\.failure)
    guard failures.count == results.count, let failure = first.failure else { return }
    switch failure as? InteractionError {
    case .forbidden, .unauthenticated, .storageFull, .unavailable, nil: throw failure
    default: return
    }
  }
}

/// What became of each value of a call, in the call's order.
private struct DailyValuesReport {
  private var lines: [Line] = []

  private struct Line {
    var metric: String?
    var day: String?
    var result: String
    var reason: String?
    var version: StoredVersion?
  }

  /// - Parameter results: those of the values that were not refused before.
  init(_ values: DailyValues, _ results: Work.Results) {
    var rest = results[...]
    for entry in values.entries {
      var line = Line(metric: entry.metric, day: entry.day, result: "refused")
      switch entry.content {
      case .failure(let refusal): line.reason = refusal.reason
      case .success:
        switch rest.popFirst() {
        case .success(let outcome)?: (line.result, line.version) = outcome.wordAndVersion
        case .failure(let error)?: line.reason = Verdict(on: error).reason
        case nil: line.reason = "it was not performed"
        }
      }
      lines.append(line)
    }
  }

  var bytes: [UInt8] {
    var writer = JSONWriter(reservingByteCount: 64 + lines.count * 128)
    writer.object { writer in
      writer.member(
        "values",
        array: { writer in
          for line in lines { Self.write(line, to: &writer) }
        })
    }
    return writer.bytes
  }

  private static func write(_ line: Line, to writer: inout JSONWriter) {
    writer.object { writer in
      if let metric = line.metric { writer.member("metric", metric) }
      if let day = line.day { writer.member("day", day) }
      writer.member("result", line.result)
      if let reason = line.reason { writer.member("reason", reason) }
      guard let version = line.version else { return }
      writer.member("observation", version.id.description)
      writer.member("version", String(version.version.number))
    }
  }
}

extension Outcome {
  fileprivate var wordAndVersion: (String, StoredVersion?) {
    switch self {
    case .created(let version): ("created", version)
    case .updated(let version): ("updated", version)
    case .unchanged(let version), .found(let version): ("unchanged", version)
    case .deleted(let version?): ("withdrawn", version)
    case .deleted(nil), .searchset, .history: ("unchanged", nil)
    }
  }
}

extension Result {
  fileprivate var failure: Failure? {
    guard case .failure(let failure) = self else { return nil }
    return failure
  }
}
