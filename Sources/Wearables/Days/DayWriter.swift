import FHIRModel

/// Makes interactions of day values: what holds for all values of one import.
package struct DayWriter: Sendable {
  package let patient: ResourceID
  package let origin: Origin
  /// The program that handed the samples over.
  package let source: SourceSystem
  private let sources: SourceList
  private let zones: ZoneList
  private let days = DaySeconds()
  let metrics: MetricTable
  private let now: Instant
  /// When the samples were handed out, in seconds since 1970, if that is known.
  private let madeAt: Int?

  /// - Parameters:
  ///   - engine: the one that makes the values, when all samples are in it.
  ///   - now: the moment against which a day is over (`final`) or not yet (`preliminary`).
  package init(
    for patient: ResourceID, origin: Origin, source: SourceSystem, engine: DayEngine,
    metrics: MetricTable = .shared, now: Instant
  ) {
    self.patient = patient
    self.origin = origin
    self.source = source
    self.sources = engine.sources
    self.zones = engine.zones
    self.metrics = metrics
    self.now = now
    madeAt = engine.rule.madeAt
  }

  /// The conditional update that writes the value, as for one that a phone sends.
  ///
  /// - Throws: where no person has such a value, or the day is still to come.
  package func interaction(for value: DayValue) throws(DailyValues.Refusal) -> Interaction {
    let metric = metrics.metrics[Int(value.metric)]
    let known = metric.sourceTypes[origin]?.values ?? []
    guard metric.unit == nil, !known.isEmpty else {
      return try interaction(metric, .numbers(try value.numbers(of: metric)), of: [value])
    }
    // Of what is coded the number is the place among the type's values.
    guard let coded = known.first(where: { Double($0.rank) == value.value }) else {
      throw .init(reason: "\(value.value) is the place of none of its values.")
    }
    return try interaction(metric, .coded(coded), of: [value])
  }

  /// The conditional update that writes the values of a panel as one.
  ///
  /// - Throws: as for one value.
  package func interaction(for panel: DayPanel) throws(DailyValues.Refusal) -> Interaction {
    var parts: [ObservationDraft.Part] = []
    for part in metrics.parts(of: panel.metric) {
      let value = panel.values.first { Int($0.metric) == part.position }
      parts.append(.init(part, try value?.numbers(of: part)))
    }
    return try interaction(panel.metric, .parts(parts), of: panel.values)
  }

  private func interaction(
    _ metric: Metric, _ content: DailyValue.Content, of values: [DayValue]
  ) throws(DailyValues.Refusal) -> Interaction {
    guard let first = values.first else { throw .init(reason: "It has no value.") }
    // Values of several zones are told where the person is at home.
    let zone = values.allSatisfy { $0.zone == first.zone } ? first.zone : 0
    let seconds = days.seconds(of: first.day, in: zone, of: zones)
    var call = call(for: values, in: zone, seconds)
    let daily = DailyValue(
      metric: metric, day: first.day, seconds: try call.check(seconds, of: first.day),
      content: content)
    guard let madeAt, seconds.contains(madeAt) else { return try daily.interaction(in: call) }
    call.isUnfinished = true
    return try daily.interaction(in: call).asUnfinished(by: source)
  }

  private func call(
    for values: [DayValue], in zone: UInt16, _ seconds: Range<Int>
  ) -> DailyCall {
    DailyCall(
      patient: patient, origin: origin, source: source,
      zone: zones.zone(zone, at: Int64(seconds.lowerBound) * 1_000),
      lastZone: zones.zone(zone, at: Int64(seconds.upperBound - 1) * 1_000),
      device: DeviceMention(names: values.flatMap(\.sources).map { sources[$0].name }),
      reporters: values.reporters, now: now)
  }
}

extension [DayValue] {
  fileprivate var reporters: [Coding] {
    (allSatisfy(\.isManual) ? [] : [.deviceReported])
      + (allSatisfy { $0.manualCount == 0 } ? [] : [.patientReported])
  }
}

extension DayValue {
  fileprivate func numbers(of metric: Metric) throws(DailyValues.Refusal) -> Numbers {
    let hasExtremes = metric.extremes != nil
    guard let number = DecimalText(value) else {
      throw .init(reason: "\(value) is no number that can be stored.")
    }
    let numbers = Numbers(
      value: number, minimum: hasExtremes ? minimum.flatMap { DecimalText($0) } : nil,
      maximum: hasExtremes ? maximum.flatMap { DecimalText($0) } : nil)
    try numbers.check(against: metric)
    return numbers
  }
}

extension DeviceMention {
  /// As many are named; nobody wears more at a time.
  private static let nameCountMaximum = 8

  /// Names of what measured, in one order; `nil` if there are none.
  init?(names: [String]) {
    let names = Set(names).subtracting([""]).sorted()
    guard !names.isEmpty else { return nil }
    reference = nil
    let others = names.count - Self.nameCountMaximum
    display =
      names.prefix(Self.nameCountMaximum).joined(separator: ", ")
      + (others > 0 ? " and \(others) others" : "")
  }
}
