extension HealthMetric {
  /// HKCategoryValueSeverity, from the least to the worst: not present, unspecified, mild, moderate,
  /// severe.
  private static let severities = [1, 0, 2, 3, 4]
  /// HKCategoryValueAppetiteChanges: no change, unspecified, decreased, increased.
  private static let appetiteChanges = [1, 0, 2, 3]
  /// HKCategoryValuePresence: not present, present.
  private static let presences = [1, 0]
  /// HKCategoryValueMenstrualFlow and HKCategoryValueVaginalBleeding: unspecified, light, medium,
  /// heavy, none.
  private static let bleedings: Set<Int> = [1, 2, 3, 4, 5]

  /// What a person notes of how they feel; of a day the worst counts.
  static let symptoms: [HealthMetric] = [
    symptom("abdominal_cramps", "AbdominalCramps"),
    symptom("acne", "Acne"),
    symptom("appetite_changes", "AppetiteChanges", appetiteChanges),
    symptom("bladder_incontinence", "BladderIncontinence"),
    symptom("bloating", "Bloating"),
    symptom("breast_pain", "BreastPain"),
    symptom("chest_tightness_or_pain", "ChestTightnessOrPain"),
    symptom("chills", "Chills"),
    symptom("constipation", "Constipation"),
    symptom("coughing", "Coughing"),
    symptom("diarrhea", "Diarrhea"),
    symptom("dizziness", "Dizziness"),
    symptom("dry_skin", "DrySkin"),
    symptom("fainting", "Fainting"),
    symptom("fatigue", "Fatigue"),
    symptom("fever", "Fever"),
    symptom("generalized_body_ache", "GeneralizedBodyAche"),
    symptom("hair_loss", "HairLoss"),
    symptom("headache", "Headache"),
    symptom("heartburn", "Heartburn"),
    symptom("hot_flashes", "HotFlashes"),
    symptom("loss_of_smell", "LossOfSmell"),
    symptom("loss_of_taste", "LossOfTaste"),
    symptom("lower_back_pain", "LowerBackPain"),
    symptom("memory_lapse", "MemoryLapse"),
    symptom("mood_changes", "MoodChanges", presences),
    symptom("nausea", "Nausea"),
    symptom("night_sweats", "NightSweats"),
    symptom("pelvic_pain", "PelvicPain"),
    symptom("rapid_pounding_or_fluttering_heartbeat", "RapidPoundingOrFlutteringHeartbeat"),
    symptom("runny_nose", "RunnyNose"),
    symptom("shortness_of_breath", "ShortnessOfBreath"),
    symptom("sinus_congestion", "SinusCongestion"),
    symptom("skipped_heartbeat", "SkippedHeartbeat"),
    symptom("sleep_changes", "SleepChanges", presences),
    symptom("sore_throat", "SoreThroat"),
    symptom("vaginal_dryness", "VaginalDryness"),
    symptom("vomiting", "Vomiting"),
    symptom("wheezing", "Wheezing"),
  ]

  /// What a person notes of their cycle; of a day the last entry counts.
  static let cycle: [HealthMetric] = [
    category("menstrual_flow", "MenstrualFlow", .last(values: bleedings)),
    // HKCategoryValueCervicalMucusQuality: dry, sticky, creamy, watery, egg white.
    category("cervical_mucus_quality", "CervicalMucusQuality", .last(values: [1, 2, 3, 4, 5])),
    category("bleeding_during_pregnancy", "BleedingDuringPregnancy", .last(values: bleedings)),
    category("bleeding_after_pregnancy", "BleedingAfterPregnancy", .last(values: bleedings)),
  ]

  private static func symptom(
    _ name: String, _ identifier: String, _ order: [Int] = severities
  ) -> HealthMetric {
    category(name, identifier, .worst(order: order))
  }
}
