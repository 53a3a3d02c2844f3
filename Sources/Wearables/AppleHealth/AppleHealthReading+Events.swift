import FHIRModel

extension AppleHealthReading {
  /// Local time's offset from UTC, in seconds, in a zone of the engine's list.
  func offset(in zone: UInt16) -> (Int) -> Int {
    let zones = engine.zones
    return { second in zones.zone(zone, at: Int64(second) * 1_000).offset(at: second) }
  }

  mutating func takeEvent(
    _ metric: Metric, _ value: CategoryValue, _ record: AppleRecord, _ start: AppleStamp,
    _ end: AppleStamp
  ) throws {
    report.events.read += 1
    if record.isManual, options.withoutManual { return skip(record, .manual) }
    let source = engine.sources[record.source.position ?? 0]
    let offset = offset(in: zone(named: record.timeZone, start))
    var event = EventObservation(
      metric: metric.name,
      identity: [
        Instant(milliseconds: start.milliseconds).description,
        Instant(milliseconds: end.milliseconds).description, source.name, value.code,
      ],
      title: metric.title,
      codings: metric.codings + [metric.sourceTypes[.appleHealth]?.coding].compactMap(\.self),
      category: metric.category,
      period: LocalPeriod(
        start: start.milliseconds, end: end.milliseconds, startOffset: offset(start.seconds),
        endOffset: offset(end.seconds)),
      source: source, isManual: record.isManual)
    // The platform's word for a type that has no values: the event itself says all.
    if value.code != "HKCategoryValueNotApplicable" {
      event.value = { json in
        json.member(
          "valueCodeableConcept",
          object: {
            $0.codings([.healthKit(value.code)])
            $0.member("text", value.text)
          })
      }
    }
    if put(event, at: record.byteOffset, "\(record.type.identifier)") { report.events.taken += 1 }
  }

  mutating func takeWorkout(_ element: AppleElement, at byteOffset: Int) throws {
    report.workouts.read += 1
    guard let workout = AppleWorkout(element) else {
      return report.skip(
        element["workoutActivityType"] == nil ? .noType : .badDate, at: byteOffset, "Workout")
    }
    guard workout.end.milliseconds >= sinceMilliseconds else {
      return report.skip(.before, at: byteOffset, workout.type)
    }
    if workout.isManual, options.withoutManual {
      return report.skip(.manual, at: byteOffset, workout.type)
    }
    let zone = zone(named: workout.timeZone, workout.start)
    let table = table
    var unknown: [String] = []
    let event = workout.event(
      convert: { type, value, unit in
        let metric = table[.appleHealth, type]
        guard let metric, let stored = metric.unit, let converted = metric.converted(value, from: unit)
        else {
          unknown.append(metric == nil ? "type \(type)" : "unit “\(unit)” of \(type)")
          return nil
        }
        return Measured(value: converted, unit: stored.text, ucum: stored.ucum)
      }, offset: offset(in: zone))
    for each in unknown { report.noteUnknown(each) }
    for route in workout.routes {
      routeIndex[Self.fileName(route)] = event.identifier(for: options.patient)
    }
    if put(event, at: byteOffset, workout.type) { report.workouts.taken += 1 }
  }

  /// The start of the first day that was asked for, at home.
  var sinceMilliseconds: Int64 {
    guard let since = options.since else { return .min }
    return Int64(options.home.seconds(of: since).lowerBound) * 1_000
  }

  mutating func noteClinicalRecord(_ element: AppleElement) {
    guard let path = element["resourceFilePath"] else { return }
    clinicalIndex[Self.fileName(path)] = ClinicalRecord.Provider(
      url: element["sourceURL"], name: element["sourceName"], fhirVersion: element["fhirVersion"])
  }

  /// The last part of a path as an export writes it.
  static func fileName(_ path: String) -> String {
    String(path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? "")
  }

  /// Queues an event, or counts why it can't be.
  mutating func put(_ event: EventObservation, at byteOffset: Int?, _ name: String) -> Bool {
    do {
      pending.append(try event.interaction(for: options.patient))
      return true
    } catch {
      report.skip(.invalid, at: byteOffset, "\(name): \(error.reason)")
      return false
    }
  }
}
