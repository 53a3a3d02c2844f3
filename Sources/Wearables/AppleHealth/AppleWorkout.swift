import FHIRModel

/// A workout of an export: its totals from the attributes of older exports or the statistics of newer
/// ones, and the time spent in zones.
struct AppleWorkout {
  let type: String
  let start: AppleStamp
  let end: AppleStamp
  let minutes: Double?
  let source: Source
  let deviceName: String?
  let isManual: Bool
  let timeZone: String?
  let statistics: [Statistic]
  let zones: [Zone]
  /// The files of its routes, as the export names them.
  let routes: [String]

  struct Statistic: Equatable {
    enum Kind: String, CaseIterable { case sum, average, minimum, maximum }
    let type: String
    let kind: Kind
    let value: Double
    let unit: String
  }

  struct Zone: Equatable {
    let type: String
    let minimum: Double?
    let maximum: Double?
    let unit: String
    let minutes: Double
  }

  /// `nil` if it has no type, or no start and end in that order.
  init?(_ element: AppleElement) {
    guard let type = element["workoutActivityType"], !type.isEmpty,
      let start = element.stamp("startDate"), let end = element.stamp("endDate"),
      start.milliseconds <= end.milliseconds
    else { return nil }
    self.type = type
    self.start = start
    self.end = end
    minutes = element.number("duration").flatMap {
      Self.minutes($0, in: element["durationUnit"] ?? "min")
    }
    source = Source(appleName: element["sourceName"] ?? "", device: element["device"])
    deviceName = element["device"].flatMap { AppleDevice(describedBy: $0)?.display }
    isManual = element.isManual
    timeZone = element.metadata("HKTimeZone")
    let own = element.children(named: "WorkoutStatistics").flatMap(Self.statistics)
    statistics =
      own + Self.totals(of: element).filter { total in !own.contains { $0.type == total.type } }
    zones = element.children(named: "WorkoutZoneGroup").flatMap(Self.zones)
    routes = element.children(named: "WorkoutRoute")
      .flatMap { $0.children(named: "FileReference") }.compactMap { $0["path"] }
  }

  static func minutes(_ value: Double, in unit: String) -> Double? {
    switch unit {
    case "min": value
    case "s": value / 60
    case "hr", "h": value * 60
    default: nil
    }
  }

  private static func statistics(_ element: AppleElement) -> [Statistic] {
    guard let type = element["type"], let unit = element["unit"] else { return [] }
    return Statistic.Kind.allCases.compactMap { kind in
      element.number(kind.rawValue).map {
        Statistic(type: type, kind: kind, value: $0, unit: unit)
      }
    }
  }

  /// The attributes of exports before statistics, which say nothing of how the distance was covered.
  private static func totals(of element: AppleElement) -> [Statistic] {
    let names = [
      ("totalDistance", distanceType),
      ("totalEnergyBurned", "HKQuantityTypeIdentifierActiveEnergyBurned"),
      ("totalSwimmingStrokeCount", "HKQuantityTypeIdentifierSwimmingStrokeCount"),
      ("totalFlightsClimbed", "HKQuantityTypeIdentifierFlightsClimbed"),
    ]
    let hasDistance = element.children(named: "WorkoutStatistics")
      .contains { $0["type"]?.hasPrefix(distanceType) == true }
    return names.compactMap { name, type in
      guard !(type == distanceType && hasDistance), let value = element.number(name), value > 0
      else { return nil }
      return Statistic(
        type: type, kind: .sum, value: value, unit: element[name + "Unit"] ?? "count")
    }
  }

  /// What the names of all kinds of distance begin with.
  static let distanceType = "HKQuantityTypeIdentifierDistance"

  private static func zones(_ group: AppleElement) -> [Zone] {
    guard let type = group["type"] else { return [] }
    return group.children(named: "WorkoutZone").compactMap { zone in
      guard let duration = zone.number("duration"),
        let minutes = minutes(duration, in: zone["durationUnit"] ?? "min")
      else { return nil }
      // Exports differ in what they call the bounds and where the unit stands.
      return Zone(
        type: type, minimum: zone.number("minimum") ?? zone.number("lowerBound"),
        maximum: zone.number("maximum") ?? zone.number("upperBound"),
        unit: zone["unit"] ?? group["unit"] ?? "", minutes: minutes)
    }
  }
}
