import FHIRModel

/// Makes interactions of day values: what holds for all values of one import.
package struct DayWriter: Sendable {
  package let patient: ResourceID
  package let origin: Origin
  /// The program that handed the samples over.
  package let source: SourceSystem
  private let sources: SourceList
  private let zones: ZoneList
  private let metrics: MetricTable
  private let now: Instant

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
  }

  /// The conditional update that writes the value, as for one that a phone sends.
  ///
  /// - Throws: where no person has such a value, or the day is still to come.
  package func interaction(for value: DayValue) throws(DailyValues.Refusal) -> Interaction {
    let metric = metrics.metrics[Int(value.metric)]
    let seconds = zones.seconds(of: value.day, in: value.zone)
    let call = call(for: value, in: seconds)
    let daily = DailyValue(
      metric: metric, day: value.day, seconds: try call.check(seconds, of: value.day),
      content: .numbers(try value.numbers(of: metric)))
    return try daily.interaction(in: call)
  }

  private func call(for value: DayValue, in seconds: Range<Int>) -> DailyCall {
    DailyCall(
      patient: patient, origin: origin, source: source,
      zone: zones.zone(value.zone, at: Int64(seconds.lowerBound) * 1_000),
      lastZone: zones.zone(value.zone, at: Int64(seconds.upperBound - 1) * 1_000),
      device: DeviceMention(names: value.sources.map { sources[$0].name }),
      reporters: value.reporters, now: now)
  }
}

extension DayValue {
  fileprivate var reporters: [Coding] {
    (isManual ? [] : [.deviceReported]) + (manualCount == 0 ? [] : [.patientReported])
  }

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

extension DecimalText {
  /// The shortest digits that make this number; `nil` for one that JSON can't write.
  init?(_ number: Double) {
    guard number.isFinite else { return nil }
    self.init(json: Int64(exactly: number).map { "\($0)" } ?? "\(number)")
  }
}

extension DeviceMention {
  /// Names of what measured, in one order; `nil` if there are none.
  init?(names: [String]) {
    let names = Set(names).subtracting([""]).sorted()
    guard !names.isEmpty else { return nil }
    reference = nil
    display = names.joined(separator: ", ")
  }
}
