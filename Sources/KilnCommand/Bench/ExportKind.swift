/// What one type of record is like in a synthetic export.
struct ExportKind {
  enum Value {
    case whole(ClosedRange<Int>)
    case thousandths(ClosedRange<Int>)
  }

  let type: String
  let unit: String
  /// Of a thousand records, how many are of this type.
  let share: Int
  let value: Value
  /// How long a record lasts, in seconds.
  let seconds: Int
  /// Of four records, how many are the phone's; the others are the watch's.
  let phoneShare: Int
  /// What stands inside of every other record.
  var metadata = ""

  /// Shares as in exports of people who wear a watch: most records are heart rates and energies.
  static let all: [ExportKind] = [
    ExportKind(
      type: "HKQuantityTypeIdentifierHeartRate", unit: "count/min", share: 300,
      value: .whole(44...171), seconds: 0, phoneShare: 0,
      metadata: "  <MetadataEntry key=\"HKMetadataKeyHeartRateMotionContext\" value=\"1\"/>\n"),
    ExportKind(
      type: "HKQuantityTypeIdentifierActiveEnergyBurned", unit: "kcal", share: 230,
      value: .thousandths(40...4200), seconds: 61, phoneShare: 0),
    ExportKind(
      type: "HKQuantityTypeIdentifierBasalEnergyBurned", unit: "kcal", share: 140,
      value: .thousandths(300...1900), seconds: 62, phoneShare: 0),
    ExportKind(
      type: "HKQuantityTypeIdentifierStepCount", unit: "count", share: 95,
      value: .whole(1...940), seconds: 311, phoneShare: 2),
    ExportKind(
      type: "HKQuantityTypeIdentifierDistanceWalkingRunning", unit: "km", share: 95,
      value: .thousandths(1...740), seconds: 311, phoneShare: 2),
    ExportKind(
      type: "HKQuantityTypeIdentifierEnvironmentalAudioExposure", unit: "dBASPL", share: 40,
      value: .thousandths(38_000...89_000), seconds: 1800, phoneShare: 0),
    ExportKind(
      type: "HKQuantityTypeIdentifierPhysicalEffort", unit: "kcal/hr·kg", share: 30,
      value: .thousandths(900...8000), seconds: 60, phoneShare: 0),
    ExportKind(
      type: "HKQuantityTypeIdentifierAppleStandTime", unit: "min", share: 20,
      value: .whole(1...5), seconds: 300, phoneShare: 0),
    ExportKind(
      type: "HKQuantityTypeIdentifierRespiratoryRate", unit: "count/min", share: 15,
      value: .thousandths(11_000...19_000), seconds: 0, phoneShare: 0,
      metadata: "  <MetadataEntry key=\"HKTimeZone\" value=\"Europe/Budapest\"/>\n"),
    ExportKind(
      type: "HKQuantityTypeIdentifierOxygenSaturation", unit: "%", share: 12,
      value: .thousandths(920...1000), seconds: 0, phoneShare: 0,
      metadata: "  <MetadataEntry key=\"HKMetadataKeyBarometricPressure\" value=\"100.4 kPa\"/>\n"),
    ExportKind(
      type: "HKQuantityTypeIdentifierWalkingSpeed", unit: "km/hr", share: 10,
      value: .thousandths(2400...6400), seconds: 20, phoneShare: 4),
    ExportKind(
      type: "HKQuantityTypeIdentifierFlightsClimbed", unit: "count", share: 8,
      value: .whole(1...6), seconds: 120, phoneShare: 4),
    ExportKind(
      type: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", unit: "ms", share: 5,
      value: .thousandths(18_000...96_000), seconds: 60, phoneShare: 0, metadata: beats),
  ]

  private static let beats =
    "  <HeartRateVariabilityMetadataList>\n"
    + (0..<40).map {
      "   <InstantaneousBeatsPerMinute bpm=\"\(58 + $0 % 9)\" time=\"12:21:\($0 + 10),30\"/>\n"
    }.joined() + "  </HeartRateVariabilityMetadataList>\n"
}
