"""What derive_metrics.py knows beside the mapping: names, ranges, parts, values of categories."""

LOINC = "http://loinc.org"

METRICS_HEADER = """\
# What a phone's or a watch's values may be of. Derived by derive_metrics.py.
#
# metric          its name, and the part of the stable identifier that names it
# also            further names under which a phone may send it, separated by ;
# title           Observation.code.text
# unit, ucum      the unit in which it is sent and stored: human form, UCUM code; nothing for what is
#                 coded, has parts or is an event without a number
# least, most     no person's value lies outside (generous: these catch a wrong unit, not a rare day);
#                 nothing where that isn't sure
# aggregation     what makes a day's value of its samples: sum, average, last, maximum, count, duration
#                 (of the union of intervals); perEvent and once are no day's value; part is only part
#                 of another metric
# category        system|code|display of Observation.category
# profile         R4 profile that every such Observation meets, or nothing
# codings         system|code|display of Observation.code, separated by ;. The origin's own name of the
#                 type always follows, and stands alone where LOINC has no right code
# minimum, maximum  system|code|display of the components; nothing where a day has no extremes
# parts           metrics that are its components, separated by ;
#
# LOINC and UCUM: see NOTICE.md beside this folder.
"""
METRICS_COLUMNS = ("metric", "also", "title", "unit", "ucum", "least", "most", "aggregation", "category",
                   "profile", "codings", "minimum", "maximum", "parts")

TYPES_HEADER = """\
# The types of HealthKit and Health Connect, and what each is a metric of. Derived by derive_metrics.py.
#
# origin    apple-health or health-connect
# type      its name; what follows # is a stage, a field or a value of it
# matched   the type's string in an export, where that is not the name before #
# metric    of metrics.tsv; nothing for a type that is no value: a goal, a plan, a summary
# values    sets of category-values.tsv that its values may be of, separated by ;
# counted   the values that count for the metric, separated by ;. Nothing: all of them
"""
TYPES_COLUMNS = ("origin", "type", "matched", "metric", "values", "counted")

VALUES_HEADER = """\
# The values that categories may have, those of a set from the least to the worst. Derived by
# derive_metrics.py.
#
# set    the platform's name of the set
# raw    the number that stands for it
# code   the platform's name of the value, as an export writes it and an Observation has it
# text   the same for a reader
#
# HKCategoryValueNotApplicable is the word for a type that has no values: the event itself says all.
"""
VALUES_COLUMNS = ("set", "raw", "code", "text")

# The metrics that were there first, in their order: positions in the table may be kept.
FIRST = ["heart_rate", "resting_heart_rate", "heart_rate_variability_sdnn", "heart_rate_variability_rmssd",
         "oxygen_saturation", "respiratory_rate", "steps", "active_energy", "distance_walking_running",
         "flights_climbed", "body_weight", "sleep_duration"]

ALSO = {
    "heart_rate_variability_sdnn": ["hrv_sdnn"], "heart_rate_variability_rmssd": ["hrv_rmssd"],
    "steps": ["step_count"], "active_energy": ["active_energy_burned"],
    "distance_walking_running": ["walking_running_distance"], "flights_climbed": ["flights"],
    "body_weight": ["body_mass"], "body_height": ["height"], "body_mass_index": ["bmi"],
}

# One type under the name of its old constant and of its new one.
SAME_METRIC = {"audio_exposure_event": "environmental_audio_exposure_event"}

TITLES = {
    "heart_rate_variability_sdnn": "Heart rate variability (SDNN)",
    "heart_rate_variability_rmssd": "Heart rate variability (RMSSD)",
    "forced_expiratory_volume_1": "Forced expiratory volume in 1 second",
    "vo2_max": "VO2 max", "uv_exposure": "UV exposure", "ecg": "Electrocardiogram",
    "distance_walking_running": "Walking and running distance", "phq9": "PHQ-9 total score", "gad7": "GAD-7 total score", "nike_fuel": "Nike Fuel",
    "sleep_in_bed": "Time in bed", "sleep_asleep_unspecified": "Sleep of unknown stage",
    "sleep_awake": "Time awake during the night", "sleep_asleep_core": "Light sleep",
    "sleep_asleep_deep": "Deep sleep", "sleep_asleep_rem": "REM sleep",
    "sleep_out_of_bed": "Time out of bed during the night",
    "handwashing_event": "Handwashing time", "toothbrushing_event": "Toothbrushing time",
    "activity_intensity_moderate": "Time in moderate activity",
    "activity_intensity_vigorous": "Time in vigorous activity",
    "dietary_vitamin_a": "Dietary vitamin A", "dietary_vitamin_b6": "Dietary vitamin B6",
    "dietary_vitamin_b12": "Dietary vitamin B12", "dietary_vitamin_c": "Dietary vitamin C",
    "dietary_vitamin_d": "Dietary vitamin D", "dietary_vitamin_e": "Dietary vitamin E",
    "dietary_vitamin_k": "Dietary vitamin K",
}


def title(name):
    return TITLES.get(name) or name.replace("_", " ").capitalize()


# http://hl7.org/fhir/R4/codesystem-observation-category.html
CATEGORIES = {
    "social-history": "Social History", "vital-signs": "Vital Signs", "laboratory": "Laboratory",
    "procedure": "Procedure", "survey": "Survey", "exam": "Exam", "therapy": "Therapy",
    "activity": "Activity",
}

CODINGS = {
    # It has no LOINC code, and its own must be told from SDNN's wherever it comes from.
    "heart_rate_variability_rmssd":
        "urn:kiln:metric|heart_rate_variability_rmssd|Heart rate variability (RMSSD)",
    # 94122-9 is measured at the peak of an exercise test; what a watch gives is an estimate.
    "vo2_max": "",
    # The duration is a component: the value is the kind of exercise.
    "workout": LOINC + "|73985-4|Exercise activity",
}

# Their further codings are alternatives, of which a day's value can't choose one.
ALTERNATIVES = ["skin_temperature"]

# Day values of which phones send the extremes as well.
LAST_WITH_EXTREMES = ["resting_heart_rate", "body_weight"]

PARTS = {
    "blood_pressure": ["blood_pressure_systolic", "blood_pressure_diastolic"],
    "workout": ["workout_duration", "workout_energy", "workout_distance", "workout_heart_rate"],
}

_ACTIVITY = "http://terminology.hl7.org/CodeSystem/observation-category|activity|Activity"
WORKOUT_PARTS = [
    ("workout_duration", "", "Workout duration", "min", "min", "0", "", "part", _ACTIVITY, "",
     LOINC + "|55411-3|Exercise duration"),
    ("workout_energy", "", "Workout energy", "kcal", "kcal", "0", "50000", "part", _ACTIVITY, "",
     LOINC + "|41981-2|Calories burned"),
    ("workout_distance", "", "Workout distance", "m", "m", "0", "", "part", _ACTIVITY, "",
     LOINC + "|103208-5|Distance traveled"),
    ("workout_heart_rate", "", "Workout heart rate", "beats/minute", "/min", "1", "500", "part", _ACTIVITY, "",
     LOINC + "|55425-3|Heart rate unspecified time mean by Pedometer",
     LOINC + "|96935-2|Heart rate unspecified time minimum by Pedometer",
     LOINC + "|55426-1|Heart rate unspecified time maximum by Pedometer"),
]

# What no living person exceeds. A day may have 26 hours where the clocks or the person moved.
RANGES = {
    "heart_rate": ("1", "500"), "resting_heart_rate": ("1", "500"),
    "walking_heart_rate_average": ("1", "500"), "heart_rate_recovery_one_minute": ("-300", "500"),
    "heart_rate_variability_sdnn": ("0", "5000"), "heart_rate_variability_rmssd": ("0", "5000"),
    "oxygen_saturation": ("10", "100"), "respiratory_rate": ("1", "200"), "steps": ("0", "500000"),
    "active_energy": ("0", "50000"), "basal_energy": ("0", "50000"), "total_energy": ("0", "100000"),
    "distance_walking_running": ("0", "1000000"), "flights_climbed": ("0", "10000"),
    "body_weight": ("0.1", "1000"), "sleep_duration": ("0", "26"), "sleep_in_bed": ("0", "26"),
    "sleep_asleep_unspecified": ("0", "26"), "body_temperature": ("10", "50"),
    "basal_body_temperature": ("10", "50"), "sleeping_wrist_temperature": ("-20", "60"),
    "skin_temperature": ("-20", "60"), "water_temperature": ("-10", "110"),
    "blood_pressure_systolic": ("20", "400"), "blood_pressure_diastolic": ("5", "350"),
    "blood_glucose": ("10", "5000"), "body_height": ("20", "300"), "body_mass_index": ("3", "300"),
    "body_fat_percentage": ("1.5", "100"), "lean_body_mass": ("0.1", "1000"),
    "body_water_mass": ("0.1", "1000"), "waist_circumference": ("10", "500"), "vo2_max": ("1", "150"),
    "forced_vital_capacity": ("0", "20"), "forced_expiratory_volume_1": ("0", "20"),
    "phq9": ("0", "27"), "gad7": ("0", "21"), "stand_hours": ("0", "26"),
    "estimated_workout_effort_score": ("0", "10"), "workout_effort_score": ("0", "10"),
    "environmental_sound_reduction": ("-200", "200"), "power": ("0", "5000"),
}
RANGE_OF_UNIT = {"%": ("0", "100"), "min": ("0", "1560"), "s": ("0", "93600"), "dB[SPL]": ("-50", "250"),
                 "W": ("0", "5000"), "kcal/d": ("0", "50000")}

# Sets of values by the string of the type, where the mapping names none or not all.
VALUE_SETS = {
    # Since iOS 18 exports may write either set's names.
    "HKCategoryTypeIdentifierMenstrualFlow": ["HKCategoryValueMenstrualFlow", "HKCategoryValueVaginalBleeding"],
    "HKCategoryTypeIdentifierAudioExposureEvent": ["HKCategoryValueEnvironmentalAudioExposureEvent"],
    "HKCharacteristicTypeIdentifierBloodType": ["HKBloodType"],
    "SleepSessionRecord": ["SleepSessionRecord.stageType"],
    "ActivityIntensityRecord": ["ActivityIntensityRecord.activityIntensityType"],
    "MenstruationFlowRecord": ["MenstruationFlowRecord.flow"],
    "OvulationTestRecord": ["OvulationTestRecord.result"],
    "CervicalMucusRecord": ["CervicalMucusRecord.appearance"],
}

# Health Connect's constants (androidx.health.connect.client.records) and Apple's HKBloodType.
FURTHER_VALUES = {
    "HKBloodType": [
        (1, "HKBloodTypeAPositive", "A positive"), (2, "HKBloodTypeANegative", "A negative"),
        (3, "HKBloodTypeBPositive", "B positive"), (4, "HKBloodTypeBNegative", "B negative"),
        (5, "HKBloodTypeABPositive", "AB positive"), (6, "HKBloodTypeABNegative", "AB negative"),
        (7, "HKBloodTypeOPositive", "O positive"), (8, "HKBloodTypeONegative", "O negative")],
    "SleepSessionRecord.stageType": [
        (0, "STAGE_TYPE_UNKNOWN", "Unknown"), (1, "STAGE_TYPE_AWAKE", "Awake"),
        (2, "STAGE_TYPE_SLEEPING", "Sleeping"), (3, "STAGE_TYPE_OUT_OF_BED", "Out of bed"),
        (4, "STAGE_TYPE_LIGHT", "Light"), (5, "STAGE_TYPE_DEEP", "Deep"), (6, "STAGE_TYPE_REM", "REM"),
        (7, "STAGE_TYPE_AWAKE_IN_BED", "Awake in bed")],
    "ActivityIntensityRecord.activityIntensityType": [
        (0, "ACTIVITY_INTENSITY_TYPE_MODERATE", "Moderate"),
        (1, "ACTIVITY_INTENSITY_TYPE_VIGOROUS", "Vigorous")],
    "MenstruationFlowRecord.flow": [
        (0, "FLOW_UNKNOWN", "Unknown"), (1, "FLOW_LIGHT", "Light"), (2, "FLOW_MEDIUM", "Medium"),
        (3, "FLOW_HEAVY", "Heavy")],
    "OvulationTestRecord.result": [
        (0, "RESULT_INCONCLUSIVE", "Inconclusive"), (3, "RESULT_NEGATIVE", "Negative"),
        (2, "RESULT_HIGH", "High"), (1, "RESULT_POSITIVE", "Positive")],
    "CervicalMucusRecord.appearance": [
        (0, "APPEARANCE_UNKNOWN", "Unknown"), (1, "APPEARANCE_DRY", "Dry"),
        (2, "APPEARANCE_STICKY", "Sticky"), (3, "APPEARANCE_CREAMY", "Creamy"),
        (4, "APPEARANCE_WATERY", "Watery"), (5, "APPEARANCE_EGG_WHITE", "Egg white"),
        (6, "APPEARANCE_UNUSUAL", "Unusual")],
}

_SLEEP = "HKCategoryValueSleepAnalysis"
_UNSPECIFIED = [_SLEEP + "AsleepUnspecified", _SLEEP + "Asleep"]
_APPLE = "HKCategoryTypeIdentifierSleepAnalysis"
_CONNECT = "SleepSessionRecord"
COUNTED = {
    _APPLE: _UNSPECIFIED + [_SLEEP + "AsleepCore", _SLEEP + "AsleepDeep", _SLEEP + "AsleepREM"],
    _APPLE + "#inBed": [_SLEEP + "InBed"], _APPLE + "#asleepUnspecified": _UNSPECIFIED,
    _APPLE + "#awake": [_SLEEP + "Awake"], _APPLE + "#asleepCore": [_SLEEP + "AsleepCore"],
    _APPLE + "#asleepDeep": [_SLEEP + "AsleepDeep"], _APPLE + "#asleepREM": [_SLEEP + "AsleepREM"],
    "HKCategoryTypeIdentifierAppleStandHour": ["HKCategoryValueAppleStandHourStood"],
    _CONNECT: ["STAGE_TYPE_SLEEPING", "STAGE_TYPE_LIGHT", "STAGE_TYPE_DEEP", "STAGE_TYPE_REM"],
    _CONNECT + "#Stage:AWAKE": ["STAGE_TYPE_AWAKE", "STAGE_TYPE_AWAKE_IN_BED"],
    _CONNECT + "#Stage:SLEEPING": ["STAGE_TYPE_SLEEPING"],
    _CONNECT + "#Stage:OUT_OF_BED": ["STAGE_TYPE_OUT_OF_BED"],
    _CONNECT + "#Stage:LIGHT": ["STAGE_TYPE_LIGHT"], _CONNECT + "#Stage:DEEP": ["STAGE_TYPE_DEEP"],
    _CONNECT + "#Stage:REM": ["STAGE_TYPE_REM"],
    "ActivityIntensityRecord#MODERATE": ["ACTIVITY_INTENSITY_TYPE_MODERATE"],
    "ActivityIntensityRecord#VIGOROUS": ["ACTIVITY_INTENSITY_TYPE_VIGOROUS"],
}
