import FHIRModel

extension AppleWorkout {
  /// The workout as an Observation whose value is the activity.
  ///
  /// - Parameters:
  ///   - convert: a quantity of a HealthKit type from an export's unit to the metric's: the value,
  ///     the unit for a reader, its UCUM code; `nil` where type or unit is unknown.
  ///   - offset: of local time from UTC, in seconds, at a second since 1970.
  func event(
    convert: (_ type: String, _ value: Double, _ unit: String) -> Measured?, offset: (Int) -> Int
  ) -> EventObservation {
    var event = EventObservation(
      metric: "workout",
      identity: [
        type, Instant(milliseconds: start.milliseconds).description,
        Instant(milliseconds: end.milliseconds).description, source.name,
      ],
      title: "Workout", codings: [.exercise, .healthKit("HKWorkoutTypeIdentifier")],
      category: .activity,
      period: LocalPeriod(
        start: start.milliseconds, end: end.milliseconds, startOffset: offset(start.seconds),
        endOffset: offset(end.seconds)),
      source: source, deviceName: deviceName, isManual: isManual)
    event.value = { [type] json in
      json.member(
        "valueCodeableConcept",
        object: {
          $0.codings([.healthKit(type)])
          $0.member("text", Self.words(type, without: "HKWorkoutActivityType"))
        })
    }
    if let minutes {
      event.components.append(
        .quantity([.duration], Measured(value: minutes, unit: "min", ucum: "min")))
    }
    for statistic in statistics {
      guard let measured = convert(conversionType(statistic.type), statistic.value, statistic.unit)
      else { continue }
      event.components.append(component(statistic, measured))
    }
    for zone in zones { event.components.append(component(zone)) }
    return event
  }

  /// Any kind of distance is a length.
  private func conversionType(_ type: String) -> String {
    type == Self.distanceType ? "HKQuantityTypeIdentifierDistanceWalkingRunning" : type
  }

  private func component(
    _ statistic: Statistic, _ measured: Measured
  ) -> EventObservation.Component {
    let name = Self.words(statistic.type, without: "HKQuantityTypeIdentifier")
    var component = EventObservation.Component.quantity(codings(of: statistic), measured)
    component.text = statistic.kind == .sum ? name : "\(name), \(statistic.kind.rawValue)"
    return component
  }

  /// LOINC's where one is right; else the platform's name of a total, or ours of a statistic.
  private func codings(of statistic: Statistic) -> [Coding] {
    switch (statistic.type, statistic.kind) {
    case ("HKQuantityTypeIdentifierHeartRate", .average): [.heartRateMean]
    case ("HKQuantityTypeIdentifierHeartRate", .maximum): [.heartRateMaximum]
    case ("HKQuantityTypeIdentifierHeartRate", .minimum): [.heartRateMinimum]
    case ("HKQuantityTypeIdentifierActiveEnergyBurned", .sum):
      [.energy, .healthKit(statistic.type)]
    case (Self.distanceType, .sum): [.distance]
    case (let type, .sum) where type.hasPrefix(Self.distanceType):
      [.distance, .healthKit(type)]
    case (let type, .sum): [.healthKit(type)]
    case (let type, let kind):
      [Coding(system: "urn:kiln:statistic", code: "\(type).\(kind.rawValue)", display: nil)]
    }
  }

  private func component(_ zone: Zone) -> EventObservation.Component {
    let bounds = [
      zone.minimum.map { "from \(decimalText($0))" }, zone.maximum.map { "to \(decimalText($0))" },
    ].compactMap(\.self).joined(separator: " ")
    let name = Self.words(zone.type, without: "HKQuantityTypeIdentifier")
    let code = [zone.minimum, zone.maximum].map { $0.map { decimalText($0) } ?? "" }
      .joined(separator: "..")
    var component = EventObservation.Component.quantity(
      [Coding(system: "urn:kiln:zone", code: "\(zone.type):\(code)", display: nil)],
      Measured(value: zone.minutes, unit: "min", ucum: "min"))
    component.text = "Time with \(name.lowercased()) \(bounds) \(zone.unit)"
    return component
  }

  /// `HKWorkoutActivityTypeTraditionalStrengthTraining`: “Traditional strength training”.
  static func words(_ identifier: String, without prefix: String) -> String {
    let name = identifier.hasPrefix(prefix) ? String(identifier.dropFirst(prefix.count)) : identifier
    let spaced = name.reduce(into: "") { words, letter in
      if letter.isUppercase, let last = words.last, last.isLowercase {
        words += " " + letter.lowercased()
      } else {
        words.append(letter)
      }
    }
    return spaced
  }
}

/// A number in the unit in which it is stored.
struct Measured: Equatable {
  let value: Double
  let unit: String
  let ucum: String
}

extension EventObservation.Component {
  static func quantity(_ codings: [Coding], _ measured: Measured) -> Self {
    Self(codings: codings) {
      $0.quantity(
        "valueQuantity", measured.value, unit: measured.unit, code: measured.ucum)
    }
  }
}

extension Coding {
  private static func loinc(_ code: String, _ display: String) -> Coding {
    Coding(system: "http://loinc.org", code: code, display: display)
  }

  fileprivate static let exercise = loinc("73985-4", "Exercise activity")
  fileprivate static let duration = loinc("55411-3", "Exercise duration")
  fileprivate static let energy = loinc("41981-2", "Calories burned")
  fileprivate static let distance = loinc("103208-5", "Distance traveled")
  fileprivate static let heartRateMean = loinc(
    "55425-3", "Heart rate unspecified time mean by Pedometer")
  fileprivate static let heartRateMaximum = loinc(
    "55426-1", "Heart rate unspecified time maximum by Pedometer")
  fileprivate static let heartRateMinimum = loinc(
    "96935-2", "Heart rate unspecified time minimum by Pedometer")
}
