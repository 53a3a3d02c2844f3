import FHIRModel

extension DailyValues {
  /// What became of a value.
  package enum Fate: String, CaseIterable, Sendable {
    case created, updated, unchanged, withdrawn, refused
  }

  /// Tells, in the order of the call, what became of each value, and how many had which fate:
  ///
  ///     {"values":[{"metric":"steps","day":"2026-10-25","result":"created",
  ///                 "observation":"Observation/1","version":"1"},
  ///                {"metric":"steps","day":"2026-02-30","result":"refused","reason":"…"}],
  ///      "created":1,"updated":0,"unchanged":0,"withdrawn":0,"refused":1}
  ///
  /// - Parameters:
  ///   - results: of `interactions`, one each and in their order.
  ///   - reason: what an error means, for a person to read.
  package func answer(
    to results: [Result<Outcome, any Error>], reason: (any Error) -> String
  ) -> [UInt8] {
    let fates = entries.map { entry in
      switch entry.content {
      case .failure(let refusal): ValueFate(fate: .refused, reason: refusal.reason)
      case .success:
        ValueFate(
          entry.place.flatMap { results.indices.contains($0) ? results[$0] : nil }, reason: reason)
      }
    }
    var json = JSONWriter(reservingByteCount: 128 * fates.count + 128)
    json.object { json in
      json.member(
        "values",
        array: { json in
          for (entry, fate) in zip(entries, fates) { json.object { fate.write(entry, to: &$0) } }
        })
      for fate in Fate.allCases {
        json.member(fate.rawValue, fates.count { $0.fate == fate })
      }
    }
    return json.bytes
  }
}

/// The fate of one value, with what is to be said about it.
private struct ValueFate {
  let fate: DailyValues.Fate
  var version: StoredVersion?
  var reason: String?

  init(fate: DailyValues.Fate, version: StoredVersion? = nil, reason: String? = nil) {
    self.fate = fate
    self.version = version
    self.reason = reason
  }

  init(_ result: Result<Outcome, any Error>?, reason: (any Error) -> String) {
    switch result {
    case .success(.created(let version)): self.init(fate: .created, version: version)
    case .success(.updated(let version)): self.init(fate: .updated, version: version)
    case .success(.deleted(let version?)): self.init(fate: .withdrawn, version: version)
    case .success(.unchanged(let version)): self.init(fate: .unchanged, version: version)
    case .success(.deleted(nil)), .success(.found), .success(.searchset), .success(.history):
      self.init(fate: .unchanged)
    case .failure(let error): self.init(fate: .refused, reason: reason(error))
    case nil: self.init(fate: .refused, reason: "It was not performed.")
    }
  }

  func write(_ entry: DailyValues.Entry, to json: inout JSONWriter) {
    if let metric = entry.metric { json.member("metric", metric) }
    if let day = entry.day { json.member("day", day) }
    json.member("result", fate.rawValue)
    if let version {
      json.member("observation", "\(version.id)")
      json.member("version", String(version.version.number))
    }
    if let reason { json.member("reason", reason) }
  }
}
