import FHIRModel

extension HealthConnectReader {
  /// An event as an Observation; `nil` for one that the options leave out, which is counted.
  mutating func draft(
    of event: HealthConnectEvent, for options: HealthConnectOptions
  ) -> ObservationDraft? {
    let reading = event.reading
    if reading.isManual, options.withoutManual {
      report.skip(.manual, event.type)
      return nil
    }
    let zone = zone(of: reading)
    let start = engine.zones.dateTime(reading.start, in: zone)
    if let since = options.since, since.isAfter(start) {
      report.skip(.before, event.type)
      return nil
    }
    var draft = ObservationDraft(
      of: event.metric, for: options.patient, from: .healthConnect, source: .healthConnect,
      identifier: .event(
        event.metric, of: options.patient, from: .healthConnect, key: event.key))
    draft.effective =
      reading.start == reading.end
      ? .dateTime(start) : .period(start: start, end: engine.zones.dateTime(reading.end, in: zone))
    draft.value =
      event.coded.map { .coded($0) } ?? event.kind.map { .code($0, text: words(of: $0)) }
    draft.parts = parts(of: event)
    draft.device = DeviceMention(names: [source(of: reading).name])
    draft.reporters = [reading.isManual ? .patientReported : .deviceReported]
    return draft
  }

  /// `EXERCISE_SESSION_TYPE_STRENGTH_TRAINING`: “Strength training”.
  private func words(of kind: String) -> String {
    let words = kind.split(separator: "_").dropFirst(3).joined(separator: " ")
    return words.prefix(1) + words.dropFirst().lowercased()
  }

  private func parts(of event: HealthConnectEvent) -> [ObservationDraft.Part] {
    guard let minutes = event.minutes.flatMap({ DecimalText($0.roundedForDay) }),
      let duration = MetricTable.shared.parts(of: event.metric).first(where: { $0.ucum == "min" })
    else { return [] }
    return [.init(duration, Numbers(value: minutes))]
  }
}

extension ZoneList {
  /// A moment as FHIR writes it where the person was, to the second: `2026-10-25T08:00:00+01:00`.
  ///
  /// - Parameter instant: milliseconds since 1970.
  mutating func dateTime(_ instant: Int64, in position: UInt16) -> String {
    let zone = zone(position, at: instant)
    let second = Int(instant.flooredQuotient(by: 1_000))
    let local = (second + zone.offset(at: second)).flooredQuotient(by: 86_400)
    guard let day = LocalDay(number: local) else { return "" }
    return zone.dateTime(second, on: day)
  }
}
