/// A metric of Kiln, and how a day's number of it is read from the health store.
public struct HealthMetric: Hashable, Sendable {
  /// Kiln's name of it, such as `steps`.
  public let name: String
  /// Where it is kept.
  public let type: HealthType
  /// How a day's number is made.
  public let reading: Reading

  /// The ways to a day's number.
  public enum Reading: Hashable, Sendable {
    /// Statistics of a quantity, in HealthKit's text of a unit, times `scale`.
    case statistic(HealthStatistic, unit: String, scale: Double)
    /// The mean of blood pressures, whose systolic numbers are the metric's type.
    case pressure(diastolic: HealthType, unit: String)
    /// The time covered by samples with one of these values, in `unitSeconds`. Nights as a whole
    /// belong to the day on which they end.
    case duration(values: Set<Int>, unitSeconds: Double, ofNights: Bool)
    /// The number of samples with one of these values that begin on the day.
    case count(values: Set<Int>)
    /// The value of the samples that begin on the day, of several the one that comes last in `order`,
    /// which goes from the least to the worst.
    case worst(order: [Int])
    /// The value of the sample with one of these values that begins last on the day.
    case last(values: Set<Int>)
  }

  /// A metric that this library doesn't know yet. HealthKit stops an app that asks for a unit or a
  /// statistic which the type doesn't have.
  public init(_ name: String, from type: HealthType, reading: Reading) {
    self.name = name
    self.type = type
    self.reading = reading
  }
}

extension HealthMetric {
  /// The metrics that are read unless an app chooses others.
  public static var all: [HealthMetric] {
    statistics + food + durations + counts + symptoms + cycle + [bloodPressure]
  }

  /// The metric of that name; `nil` if there is none.
  public static func named(_ name: String) -> HealthMetric? { all.first { $0.name == name } }

  /// HealthKit's percentages are fractions of 1, Kiln's are of 100.
  static func quantity(
    _ name: String, _ identifier: String, _ statistic: HealthStatistic, _ unit: String
  ) -> HealthMetric {
    HealthMetric(
      name, from: HealthType("HKQuantityTypeIdentifier" + identifier),
      reading: .statistic(statistic, unit: unit, scale: unit == "%" ? 100 : 1))
  }

  /// What must be readable for it.
  var types: [HealthType] {
    if case .pressure(let diastolic, _) = reading { [type, diastolic] } else { [type] }
  }

  static let bloodPressure = HealthMetric(
    "blood_pressure", from: HealthType("HKQuantityTypeIdentifierBloodPressureSystolic"),
    reading: .pressure(
      diastolic: HealthType("HKQuantityTypeIdentifierBloodPressureDiastolic"), unit: "mmHg"))

  static func category(
    _ name: String, _ identifier: String, _ reading: Reading
  ) -> HealthMetric {
    HealthMetric(name, from: HealthType("HKCategoryTypeIdentifier" + identifier), reading: reading)
  }

  /// Numbers of HKCategoryValueSleepAnalysis: 0 in bed, 1 asleep, 2 awake, 3 core, 4 deep, 5 REM.
  private static func night(
    _ name: String, _ values: Set<Int>, unitSeconds: Double = 60
  ) -> HealthMetric {
    category(
      name, "SleepAnalysis", .duration(values: values, unitSeconds: unitSeconds, ofNights: true))
  }

  private static func duration(
    _ name: String, _ identifier: String, unitSeconds: Double
  ) -> HealthMetric {
    // HKCategoryValue knows 0 alone, “not applicable”.
    category(
      name, identifier, .duration(values: [0], unitSeconds: unitSeconds, ofNights: false))
  }

  static let durations: [HealthMetric] = [
    night("sleep_duration", [1, 3, 4, 5], unitSeconds: 3_600),
    night("sleep_in_bed", [0], unitSeconds: 3_600),
    night("sleep_asleep_unspecified", [1], unitSeconds: 3_600),
    night("sleep_awake", [2]),
    night("sleep_asleep_core", [3]),
    night("sleep_asleep_deep", [4]),
    night("sleep_asleep_rem", [5]),
    duration("mindful_minutes", "MindfulSession", unitSeconds: 60),
    duration("handwashing_event", "HandwashingEvent", unitSeconds: 1),
    duration("toothbrushing_event", "ToothbrushingEvent", unitSeconds: 1),
  ]

  /// HKCategoryValueAppleStandHour: 0 stood, 1 idle.
  static let counts: [HealthMetric] = [
    category("stand_hours", "AppleStandHour", .count(values: [0])),
    category("intermenstrual_bleeding", "IntermenstrualBleeding", .count(values: [0])),
    category("sexual_activity", "SexualActivity", .count(values: [0])),
  ]
}
