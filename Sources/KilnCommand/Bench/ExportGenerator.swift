import FHIRModel
import Foundation

/// Writes a synthetic export of Apple Health: a phone, a watch and a scale, as many days as make
/// about the size that is wanted.
///
/// A day takes 1.1 MB, about 2,600 records, whatever the size, so that a greater export is of a
/// longer time: 4 GB are ten years. It is the density of someone who wears a watch day and night. An
/// export of 3.1 GB and 7.4 million records, which its owner described, would be of eight such years;
/// exports of a phone alone are far smaller.
///
/// - SeeAlso: https://github.com/neiltron/apple-health-mcp/pull/27
struct ExportGenerator {
  private static let bytesOfDay = 1_095_000
  /// What comes once a day: the night, the rings, now and then a workout.
  private static let bytesOnceADay = 6_900
  private static let bytesOfRecord = 418
  /// 31 October 2026, in days since 1970.
  private static let lastDay = 20_757
  /// About fifty years.
  static let megabytes = 1...20_000

  private var text: ExportText
  private let days: [String]
  private(set) var recordCount = 0
  private var state: UInt64 = 1

  init(byteCount: Int, to file: FileHandle) {
    text = ExportText(to: file)
    let dayCount = max(1, (byteCount + Self.bytesOfDay / 2) / Self.bytesOfDay)
    days = (Self.lastDay - dayCount + 1...Self.lastDay).map {
      String("\(Instant(ticks: Int64($0) * 86_400 * Instant.ticksPerSecond))".prefix(10))
    }
  }

  /// Writes all of it and tells its size.
  mutating func run() throws -> (byteCount: Int, recordCount: Int) {
    text.put(Self.prolog)
    text.put(" <ExportDate value=\"\(days[days.count - 1]) 20:00:00 +0100\"/>\n")
    for kind in ExportKind.all { try putRecords(of: kind) }
    try putDaily()
    text.put("</HealthData>\n")
    try text.flush(isLast: true)
    return (text.byteCount, recordCount)
  }

  /// Records of one type stand together, by day, as in real exports.
  private mutating func putRecords(of kind: ExportKind) throws {
    let recordsADay = Double(Self.bytesOfDay - Self.bytesOnceADay) / Double(Self.bytesOfRecord)
    var due = 0.0
    for day in days {
      due += recordsADay * Double(kind.share) / 1000
      let count = Int(due)
      due -= Double(count)
      for position in 0..<count {
        let span = (86_399 - kind.seconds) / max(1, count)
        let second = position * span + random(below: max(1, span))
        let isOfPhone = random(below: 4) < kind.phoneShare
        putStart(
          type: kind.type, source: isOfPhone ? Self.phone : Self.watch, unit: kind.unit, day: day,
          second, second + kind.seconds)
        put(kind.value)
        putEnd(inside: position % 2 == 0 ? kind.metadata : "")
      }
      try text.flush()
    }
  }

  /// What a day has once: rest, weight, the night's stages, rings and now and then a workout.
  private mutating func putDaily() throws {
    for (position, day) in days.enumerated() {
      putStart(
        type: "HKQuantityTypeIdentifierRestingHeartRate", source: Self.watch, unit: "count/min",
        day: day, 60, 86_000)
      put(.whole(48...63))
      putEnd(inside: "")
      if position % 7 == 0 {
        putStart(
          type: "HKQuantityTypeIdentifierBodyMass", source: Self.scale, unit: "kg", day: day,
          25_000,
          25_000)
        put(.thousandths(70_000...74_000))
        putEnd(inside: "  <MetadataEntry key=\"HKWasUserEntered\" value=\"1\"/>\n")
      }
      putNight(day)
      if position % 3 == 0 { putWorkout(day) }
      try text.flush()
    }
    for day in days { putSummary(day) }
  }

  private mutating func putNight(_ day: String) {
    let stages = ["AsleepCore", "AsleepDeep", "AsleepREM", "AsleepCore", "Awake"]
    for part in 0..<12 {
      let start = 600 + part * 2000
      putStart(
        type: "HKCategoryTypeIdentifierSleepAnalysis", source: Self.watch, unit: nil, day: day,
        start,
        start + 2000)
      text.put("HKCategoryValueSleepAnalysis" + stages[part % stages.count])
      putEnd(inside: "  <MetadataEntry key=\"HKTimeZone\" value=\"Europe/Budapest\"/>\n")
    }
  }

  private mutating func putWorkout(_ day: String) {
    text.put(
      " <Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"31.4\" "
        + "durationUnit=\"min\" " + Self.watch + "creationDate=\"")
    putStamps(day, 61_200, 63_084)
    text.put("\">\n  <MetadataEntry key=\"HKTimeZone\" value=\"Europe/Budapest\"/>\n")
    text.put(
      "  <WorkoutStatistics type=\"HKQuantityTypeIdentifierActiveEnergyBurned\" startDate=\"")
    text.put(day, second: 61_200)
    text.put("\" endDate=\"")
    text.put(day, second: 63_084)
    text.put("\" sum=\"312.5\" unit=\"kcal\"/>\n </Workout>\n")
  }

  private mutating func putSummary(_ day: String) {
    text.put(
      " <ActivitySummary dateComponents=\"\(day)\" activeEnergyBurned=\"512.4\" "
        + "activeEnergyBurnedGoal=\"500\" activeEnergyBurnedUnit=\"kcal\" appleExerciseTime=\"31\" "
        + "appleExerciseTimeGoal=\"30\" appleStandHours=\"12\" appleStandHoursGoal=\"12\"/>\n")
  }

  // MARK: a record

  private mutating func putStart(
    type: String, source: String, unit: String?, day: String, _ start: Int, _ end: Int
  ) {
    recordCount += 1
    text.put(" <Record type=\"")
    text.put(type)
    text.put("\" ")
    text.put(source)
    if source != Self.scale {
      // An address in memory, another one each time.
      text.put("device=\"&lt;&lt;HKDevice: 0x28")
      text.put(String(random(below: 1 << 28), radix: 16))
      text.put(source == Self.phone ? Self.phoneDevice : Self.watchDevice)
    }
    if let unit {
      text.put("unit=\"")
      text.put(unit)
      text.put("\" ")
    }
    text.put("creationDate=\"")
    putStamps(day, start, end)
    text.put("\" value=\"")
  }

  private mutating func putStamps(_ day: String, _ start: Int, _ end: Int) {
    text.put(day, second: min(86_399, end + 3))
    text.put("\" startDate=\"")
    text.put(day, second: start)
    text.put("\" endDate=\"")
    text.put(day, second: end)
  }

  private mutating func putEnd(inside: String) {
    text.put(inside.isEmpty ? "\"/>\n" : "\">\n" + inside + " </Record>\n")
  }

  private mutating func put(_ value: ExportKind.Value) {
    switch value {
    case .whole(let range): text.put(range.lowerBound + random(below: range.count))
    case .thousandths(let range):
      text.put(thousandths: range.lowerBound + random(below: range.count))
    }
  }

  /// Always the same numbers, so that runs can be compared.
  private mutating func random(below bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }

  private static let phone = "sourceName=\"Synthetic’s iPhone\" sourceVersion=\"26.1\" "
  private static let watch = "sourceName=\"Synthetic’s Apple\u{a0}Watch\" sourceVersion=\"26.1\" "
  private static let scale = "sourceName=\"Synthetic scale\" sourceVersion=\"3\" "
  private static let phoneDevice =
    "&gt;, name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone17,1, "
    + "software:26.1&gt;\" "
  private static let watchDevice =
    "&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,5, "
    + "software:26.1&gt;\" "
  private static let prolog = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!-- HealthKit Export Version: 14 -->
    <!ELEMENT HealthData (ExportDate,Me,(Record|Workout|ActivitySummary)*)>
    <!ATTLIST HealthData
      locale CDATA #REQUIRED
    >
    ]>
    <HealthData locale="hu_HU">

    """
}
