import Testing

@testable import Wearables

@Suite("A platform's type")
struct MetricLookupTests {
  private let table = MetricTable.shared

  @Test("is found by its name, and with a part of it")
  func lookup() throws {
    #expect(table[.appleHealth, "HKQuantityTypeIdentifierStepCount"]?.name == "steps")
    #expect(table[.healthConnect, "StepsRecord"]?.name == "steps")
    #expect(table[.healthConnect, "NutritionRecord#energy"]?.name == "dietary_energy_consumed")
    #expect(table[.healthConnect, "HKQuantityTypeIdentifierStepCount"] == nil)
    #expect(table[.appleHealth, "HKQuantityTypeIdentifierMood"] == nil)
    // The constant was renamed, the export's string was not.
    for name in ["EnvironmentalAudioExposureEvent", "AudioExposureEvent"] {
      let found = table[.appleHealth, "HKCategoryTypeIdentifier" + name]
      #expect(found?.name == "environmental_audio_exposure_event")
      #expect(
        found?.sourceTypes[.appleHealth]?.matched == "HKCategoryTypeIdentifierAudioExposureEvent")
    }
  }

  @Test("that is no value is known, and has no metric")
  func noValue() {
    for name in ["HKDataTypeSleepDurationGoal", "ActivitySummary"] {
      #expect(table.type(name, of: .appleHealth) != nil)
      #expect(table[.appleHealth, name] == nil)
    }
    #expect(table.type("HKQuantityTypeIdentifierMood", of: .appleHealth) == nil)
  }

  @Test(
    "counts a sample for the metrics of its value",
    arguments: [
      (
        "HKCategoryTypeIdentifierSleepAnalysis", "AsleepCore",
        ["sleep_duration", "sleep_asleep_core"]
      ),
      (
        "HKCategoryTypeIdentifierSleepAnalysis", "AsleepREM",
        ["sleep_duration", "sleep_asleep_rem"]
      ),
      (
        "HKCategoryTypeIdentifierSleepAnalysis", "Asleep",
        ["sleep_duration", "sleep_asleep_unspecified"]
      ),
      ("HKCategoryTypeIdentifierSleepAnalysis", "InBed", ["sleep_in_bed"]),
      ("HKCategoryTypeIdentifierSleepAnalysis", "Awake", ["sleep_awake"]),
      ("HKCategoryTypeIdentifierSleepAnalysis", "Dreaming", []),
      ("HKCategoryTypeIdentifierAppleStandHour", "Stood", ["stand_hours"]),
      ("HKCategoryTypeIdentifierAppleStandHour", "Idle", []),
    ])
  func counting(type: String, value: String, names: [String]) {
    let value = "HKCategoryValue" + type.dropFirst("HKCategoryTypeIdentifier".count) + value
    #expect(table.metrics(of: .appleHealth, type: type, value: value).map(\.name) == names)
  }

  @Test("counts a sample by the value's number as well")
  func countingByNumber() {
    let names = { (stage: String) in
      table.metrics(of: .healthConnect, type: "SleepSessionRecord", value: stage).map(\.name)
    }
    #expect(names("5") == ["sleep_duration", "sleep_asleep_deep"])
    #expect(names("7") == ["sleep_awake"])
    #expect(names("3") == ["sleep_out_of_bed"])
    #expect(names("0") == [])
  }

  @Test(
    "has its values converted exactly, and not at all from an unknown unit",
    arguments: [
      ("body_temperature", 98.6, "degF", 37.0), ("body_temperature", 310.15, "K", 37),
      ("body_temperature", 36.6, "degC", 36.6), ("oxygen_saturation", 0.57, "%", 57),
      ("oxygen_saturation", 0.29, "%", 29), ("oxygen_saturation", 97.5, "percent", 97.5),
      ("body_weight", 70_300, "g", 70.3), ("body_weight", 155, "lb", 70.30681735),
      ("body_weight", 11, "st", 69.85322498), ("body_height", 1.73, "m", 173),
      ("body_height", 5.75, "ft", 175.26), ("steps", 12, "count", 12),
      ("distance_walking_running", 5.1, "km", 5_100),
      ("distance_walking_running", 1, "mi", 1_609.344),
      ("active_energy", 2_300_000, "cal", 2_300), ("active_energy", 2_300, "Cal", 2_300),
      ("active_energy", 4.184, "kJ", 1), ("exercise_time", 1, "hr", 60),
      ("sleep_duration", 27_900_000, "ms", 7.75), ("sleep_asleep_rem", 90_000, "ms", 1.5),
      ("heart_rate", 1.2, "count/s", 72),
      ("heart_rate", 71.333333333333329, "count/min", 71.333333333333329),
      ("walking_speed", 3.6, "km/hr", 1), ("blood_pressure_systolic", 101.325, "kPa", 760),
      ("basal_metabolic_rate", 4_184, "W", 86_400), ("dietary_vitamin_b12", 0.0000024, "g", 2.4),
      ("blood_glucose", 5.5, "mmol<180.1558800000541>/L", 99.085734),
      ("dietary_water", 1, "fl_oz_us", 29.5735295625),
    ])
  func conversion(name: String, value: Double, unit: String, expected: Double) throws {
    let metric = try #require(table[name])
    #expect(metric.converted(value, from: unit) == expected)
    #expect(metric.converted(value, from: "furlong") == nil)
    #expect(metric.converted(value, from: "") == nil)
  }

  @Test("orders its values from the least to the worst")
  func severity() throws {
    let headache = try #require(table[.appleHealth, "HKCategoryTypeIdentifierHeadache"])
    let values = try #require(headache.sourceTypes[.appleHealth]).values
    #expect(values.map(\.text) == ["Not present", "Unspecified", "Mild", "Moderate", "Severe"])
    #expect(values.map(\.raw) == [1, 0, 2, 3, 4])
    #expect(values.map(\.rank) == [0, 1, 2, 3, 4])
  }
}
