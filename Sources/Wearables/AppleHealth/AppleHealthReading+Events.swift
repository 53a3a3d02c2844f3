import FHIRModel

extension AppleHealthReading {
  /// How far local time is ahead of UTC at a second since 1970, in seconds.
  ///
  /// - Parameter zone: one that is in the engine's list by now.
  func offset(at second: Int, in zone: UInt16) -> Int {
    engine.zones.zone(zone, at: Int64(second) * 1_000).offset(at: second)
  }

  /// A time where the person was.
  func period(from start: AppleStamp, to end: AppleStamp, in zone: UInt16) -> LocalPeriod {
    LocalPeriod(
      start: start.milliseconds, end: end.milliseconds,
      startOffset: offset(at: start.seconds, in: zone), endOffset: offset(at: end.seconds, in: zone)
    )
  }

  /// Whether a date, as FHIR writes it, is of a day before those that are asked for.
  func isBefore(_ date: String?) -> Bool {
    guard let date, let since = options.since else { return false }
    return since.isAfter(date)
  }

  /// Takes a record that is an event, and says what became of it.
  mutating func takeEvent(
    _ metric: Metric, _ value: CategoryValue, _ record: AppleRecord, _ start: AppleStamp,
    _ end: AppleStamp
  ) -> Fate {
    // The platform's word for a type that has no values: the event itself says all.
    let isPlain = value.code == AppleCategory.notApplicable
    return takeEvent(
      metric, record, start, end, named: value.code, saying: isPlain ? nil : .coded(value))
  }

  /// The same of what is no category.
  ///
  /// - Parameter name: what tells it from others of its time and source.
  mutating func takeEvent(
    _ metric: Metric, _ record: AppleRecord, _ start: AppleStamp, _ end: AppleStamp,
    named name: String? = nil, saying value: ObservationDraft.Value?
  ) -> Fate {
    report.events.read += 1
    if record.isManual, options.withoutManual { return .skipped(.manual) }
    let source = engine.sources[record.source ?? 0]
    let zone = zone(named: record.timeZone, start)
    let period = period(from: start, to: end, in: zone)
    if isBefore(period.startText) { return .skipped(.before) }
    var event = draft(
      of: metric,
      identity: [
        Instant(milliseconds: start.milliseconds).description,
        Instant(milliseconds: end.milliseconds).description, source.name,
      ] + [name].compactMap(\.self), in: period, measuredBy: source.name,
      isManual: record.isManual)
    event.value = value
    do {
      pending.append(try event.interaction())
    } catch {
      return .skipped(.invalid, "\(records.type.identifier): \(error.reason)")
    }
    report.events.taken += 1
    guard known.count < Self.indexCountMaximum else { return .used }
    return known.insert(event.identifier.value.hashValue).inserted ? .used : .merged
  }

  mutating func takeWorkout(_ element: AppleElement, at byteOffset: Int) throws {
    report.workouts.read += 1
    guard let workout = AppleWorkout(element) else {
      let hasType = element["workoutActivityType"]?.isEmpty == false
      return report.leaveOut(
        hasType ? element.faultOfDates ?? .badDate : .noType, at: byteOffset, element.name)
    }
    if workout.isManual, options.withoutManual {
      return report.leaveOut(.manual, at: byteOffset, workout.type)
    }
    let zone = zone(named: workout.timeZone, workout.start)
    let period = workout.period { offset(at: $0, in: zone) }
    if isBefore(period.startText) {
      return report.leaveOut(.before, at: byteOffset, workout.type)
    }
    let table = table
    var unknown: [String] = []
    guard let metric = table["workout"] else { return }
    var event = draft(
      of: metric, identity: workout.identity, in: period,
      measuredBy: workout.deviceName ?? workout.source.name, isManual: workout.isManual)
    workout.write(to: &event, table) { type, value, unit in
      let metric = table[.appleHealth, type]
      guard let stored = metric?.unit, let converted = metric?.converted(value, from: unit),
        let number = DecimalText(converted)
      else {
        unknown.append(metric == nil ? "type \(type)" : "unit “\(unit)” of \(type)")
        return nil
      }
      return .quantity(number, unit: stored.text, ucum: stored.ucum)
    }
    for each in unknown { report.noteUnknown(each) }
    for route in workout.routes where routeIndex.count < Self.indexCountMaximum {
      routeIndex[Self.fileName(route)] = event.identifier.value
    }
    guard put(event, at: byteOffset, workout.type) else { return }
    report.workouts.taken += 1
    if element.isCut {
      report.routes.read += 1
      report.leaveOut(.tooLarge, at: byteOffset, "the places in \(workout.type)")
    }
    for route in element.children(named: "WorkoutRoute") {
      takeRoute(route, of: event.identifier.value, at: byteOffset)
    }
  }

  /// The person's blood type, which is of no day; `nil` if the export doesn't say it.
  func bloodType(_ me: AppleElement) throws(DailyValues.Refusal) -> Interaction? {
    guard let metric = table["blood_type"], let type = metric.sourceTypes[.appleHealth],
      let value = me[type.matched].flatMap(type.value)
    else { return nil }
    var draft = ObservationDraft(
      of: metric, for: options.patient, from: .appleHealth, source: .appleHealth,
      identifier: .event(metric, of: options.patient, from: .appleHealth, key: nil))
    draft.value = .coded(value)
    draft.reporters = [.patientReported]
    return try draft.interaction()
  }

  /// More files than that no phone has.
  static let indexCountMaximum = 500_000

  mutating func noteClinicalRecord(_ element: AppleElement) {
    guard let path = element["resourceFilePath"], clinicalIndex.count < Self.indexCountMaximum
    else { return }
    clinicalIndex[Self.fileName(path)] = ClinicalRecord.Provider(
      url: element["sourceURL"], name: element["sourceName"], fhirVersion: element["fhirVersion"],
      received: element["receivedDate"].map { String($0.prefix(10)) })
  }

  /// The last part of a path as an export writes it.
  static func fileName(_ path: String) -> String {
    String(path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? "")
  }

  /// An event before it is written.
  ///
  /// - Parameters:
  ///   - identity: what tells it from others of its kind: the same again is the same event.
  ///   - device: what measured it; empty if the export doesn't say.
  func draft(
    of metric: Metric, identity: [String], in period: LocalPeriod, measuredBy device: String,
    isManual: Bool = false
  ) -> ObservationDraft {
    var draft = ObservationDraft(
      of: metric, for: options.patient, from: .appleHealth, source: .appleHealth,
      identifier: .event(
        metric, of: options.patient, from: .appleHealth,
        key: identity.map(ObservationDraft.Identifier.plain).joined(separator: "/")))
    draft.effective = period.effective
    draft.device = DeviceMention(names: [device])
    draft.reporters = [isManual ? .patientReported : .deviceReported]
    return draft
  }

  /// Queues an event, or counts why it can't be.
  mutating func put(_ event: ObservationDraft, at byteOffset: Int?, _ name: String) -> Bool {
    do {
      pending.append(try event.interaction())
      return true
    } catch {
      report.leaveOut(.invalid, at: byteOffset, "\(name): \(error.reason)")
      return false
    }
  }
}
