import FHIRModel

extension AppleWorkout {
  /// A quantity of a HealthKit type from an export's unit to the metric's; `nil` where type or unit is
  /// unknown.
  typealias Convert = (
    _ type: String, _ value: Double, _ unit: String
  ) -> ObservationDraft.Component.Value?

  /// What tells it from other workouts.
  var identity: [String] {
    [
      type, Instant(milliseconds: start.milliseconds).description,
      Instant(milliseconds: end.milliseconds).description, source.name,
    ]
  }

  /// - Parameter offset: of local time from UTC, in seconds, at a second since 1970.
  func period(_ offset: (Int) -> Int) -> LocalPeriod {
    LocalPeriod(
      start: start.milliseconds, end: end.milliseconds, startOffset: offset(start.seconds),
      endOffset: offset(end.seconds))
  }

  /// Writes the activity as the value, and the totals as components.
  func write(to draft: inout ObservationDraft, _ table: MetricTable, convert: Convert) {
    draft.value = .code(type, text: Self.words(type, without: "HKWorkoutActivityType"))
    if let duration = table["workout_duration"], let number = minutes.flatMap({ DecimalText($0) }) {
      draft.parts = [.init(duration, Numbers(value: number))]
    }
    for statistic in statistics {
      guard let value = convert(conversionType(statistic.type), statistic.value, statistic.unit)
      else { continue }
      draft.components.append(component(statistic, value, table))
    }
    draft.components += zones.compactMap(component)
  }

  /// Any kind of distance is a length.
  private func conversionType(_ type: String) -> String {
    type == Self.distanceType ? "HKQuantityTypeIdentifierDistanceWalkingRunning" : type
  }

  private func component(
    _ statistic: Statistic, _ value: ObservationDraft.Component.Value, _ table: MetricTable
  ) -> ObservationDraft.Component {
    let name = Self.words(statistic.type, without: "HKQuantityTypeIdentifier")
    return .init(
      codings(of: statistic, table),
      text: statistic.kind == .sum ? name : "\(name), \(statistic.kind.rawValue)", value)
  }

  /// The codes of the metric's parts; else the platform's name of a total, or ours of a statistic.
  private func codings(of statistic: Statistic, _ table: MetricTable) -> [Coding] {
    let rate = table["workout_heart_rate"]
    let distance = table["workout_distance"]?.codings ?? []
    let own = Coding.healthKit(statistic.type)
    switch (statistic.type, statistic.kind) {
    case ("HKQuantityTypeIdentifierHeartRate", .average): return rate?.codings ?? []
    case ("HKQuantityTypeIdentifierHeartRate", .maximum):
      return [rate?.extremes?.maximum].compactMap(\.self)
    case ("HKQuantityTypeIdentifierHeartRate", .minimum):
      return [rate?.extremes?.minimum].compactMap(\.self)
    case ("HKQuantityTypeIdentifierActiveEnergyBurned", .sum):
      return (table["workout_energy"]?.codings ?? []) + [own]
    case (Self.distanceType, .sum): return distance
    case (let type, .sum) where type.hasPrefix(Self.distanceType): return distance + [own]
    case (_, .sum): return [own]
    case (let type, let kind):
      return [
        Coding(system: "urn:kiln:statistic", code: "\(type).\(kind.rawValue)", display: nil)
      ]
    }
  }

  private func component(_ zone: Zone) -> ObservationDraft.Component? {
    guard let minutes = DecimalText(zone.minutes) else { return nil }
    let bounds = [
      zone.minimum.map { "from \(decimalText($0))" }, zone.maximum.map { "to \(decimalText($0))" },
    ].compactMap(\.self).joined(separator: " ")
    let group = "HKWorkoutZoneGroupType"
    let prefix = zone.type.hasPrefix(group) ? group : "HKQuantityTypeIdentifier"
    let name = Self.words(zone.type, without: prefix)
    let code = [zone.minimum, zone.maximum].map { $0.map { decimalText($0) } ?? "" }
      .joined(separator: "..")
    return .init(
      [Coding(system: "urn:kiln:zone", code: "\(zone.type):\(code)", display: nil)],
      text: "Time with \(name.lowercased()) \(bounds) \(zone.unit)",
      .quantity(minutes, unit: "min", ucum: "min"))
  }

  /// `HKWorkoutActivityTypeTraditionalStrengthTraining`: “Traditional strength training”.
  static func words(_ identifier: String, without prefix: String) -> String {
    let name =
      identifier.hasPrefix(prefix) ? String(identifier.dropFirst(prefix.count)) : identifier
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

extension Coding {
  /// A type or value of HealthKit by its own name.
  static func healthKit(_ code: String) -> Coding {
    Coding(system: Origin.appleHealth.typeSystem, code: code, display: nil)
  }
}
