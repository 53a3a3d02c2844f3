import FHIRModel
import Testing

@testable import Wearables

/// 2026-11-15T10:00:00Z.
private let later = Instant(second: 1_794_736_800)

private func parsed(_ value: String, origin: String = "apple-health") throws -> DailyValues.Entry {
  try call(value, origin: origin).entries[0]
}

private func call(_ values: String, origin: String = "apple-health") throws -> DailyValues {
  let body = """
    {"patient":"Patient/ana","origin":"\(origin)","timeZone":"Europe/Budapest","values":[\(values)]}
    """
  return try DailyValues(parsing: Array(body.utf8), metrics: .shared, now: later)
}

private func document(_ entry: DailyValues.Entry) throws -> JSONValue {
  guard let resource = try entry.content.get().written() else {
    throw DailyValues.Refusal(reason: "no update")
  }
  return resource.document.root
}

extension JSONValue {
  fileprivate var items: [JSONValue] { Array(elements) }
}

@Suite("A daily value that is not one number")
struct DailyValueKindsTests {
  @Test("is a blood pressure: one panel, each pressure once, then the day's extremes")
  func bloodPressure() throws {
    let observation = try document(
      try parsed(
        """
        {"metric":"blood_pressure","day":"2026-10-25","value":{"systolic":121.5,"diastolic":78},
         "min":{"systolic":110,"diastolic":70},"max":{"systolic":135,"diastolic":85}}
        """))
    #expect(observation["valueQuantity"] == nil)
    let codings = observation["code"]?["coding"]?.items ?? []
    #expect(
      codings.map { $0["code"]?.string } == ["85354-9", "HKCorrelationTypeIdentifierBloodPressure"])
    #expect(
      observation["meta"]?["profile"]?.items.map(\.string)
        == ["http://hl7.org/fhir/StructureDefinition/bp"])
    let components = (observation["component"]?.items ?? []).map {
      let quantity = $0["valueQuantity"]
      return [
        $0["code"]?["coding"]?.items.first?["code"]?.string, quantity?["value"]?.numberText,
        quantity?["code"]?.string,
      ]
    }
    #expect(
      components == [
        ["8480-6", "121.5", "mm[Hg]"], ["8462-4", "78", "mm[Hg]"], ["8495-4", "110", "mm[Hg]"],
        ["8485-5", "135", "mm[Hg]"], ["8477-2", "70", "mm[Hg]"], ["8467-3", "85", "mm[Hg]"],
      ])
  }

  /// The codes of components with their values, or with the reason why there is none.
  private func pressures(_ values: DailyValues) throws -> [[String?]] {
    #expect(values.interactions.count == 1)
    #expect(values.entries.allSatisfy { $0.place == 0 })
    let observation = try document(values.entries[0])
    #expect(
      observation["identifier"]?.items.first?["value"]?.string
        == "ana/blood_pressure/2026-10-25/apple-health")
    #expect(
      observation["meta"]?["profile"]?.items.map { $0.string }
        == ["http://hl7.org/fhir/StructureDefinition/bp"])
    #expect(observation["code"]?["coding"]?.items.first?["code"]?.string == "85354-9")
    return (observation["component"]?.items ?? []).map { component in
      let reason = component["dataAbsentReason"]?["coding"]?.items.first?["code"]?.string
      let number = component["valueQuantity"]?["value"]?.numberText
      return [component["code"]?["coding"]?.items.first?["code"]?.string, number ?? reason]
    }
  }

  @Test("is one pressure alone: the same panel, of which the other is not known")
  func onePressure() throws {
    #expect(
      try pressures(
        call(
          #"{"metric":"blood_pressure_diastolic","day":"2026-10-25","value":78,"min":70,"max":85}"#)
      )
        == [["8480-6", "unknown"], ["8462-4", "78"], ["8477-2", "70"], ["8467-3", "85"]])
  }

  @Test("is both pressures one by one: the panel of both, whichever comes first")
  func bothPressures() throws {
    #expect(
      try pressures(
        call(
          """
          {"metric":"blood_pressure_diastolic","day":"2026-10-25","value":78},
          {"metric":"blood_pressure_systolic","day":"2026-10-25","value":121}
          """)) == [["8480-6", "121"], ["8462-4", "78"]])
    #expect(
      try pressures(
        call(
          """
          {"metric":"blood_pressure_systolic","day":"2026-10-25","value":121},
          {"metric":"blood_pressure_diastolic","day":"2026-10-25","value":null}
          """)) == [["8480-6", "121"], ["8462-4", "unknown"]])
  }

  @Test("is withdrawn with the pressures that are, and stands once in a call")
  func pressureOnce() throws {
    let withdrawn = try call(
      """
      {"metric":"blood_pressure_systolic","day":"2026-10-25","value":null},
      {"metric":"blood_pressure_diastolic","day":"2026-10-25","value":null}
      """)
    guard case .conditionalDelete(let query)? = withdrawn.interactions.first else {
      throw DailyValues.Refusal(reason: "nothing is withdrawn")
    }
    #expect(
      query.parameters.first?.value
        == "urn:kiln:daily-value|ana/blood_pressure/2026-10-25/apple-health")
    #expect(withdrawn.interactions.count == 1)
    let both = try call(
      """
      {"metric":"blood_pressure","day":"2026-10-25","value":{"systolic":121,"diastolic":78}},
      {"metric":"blood_pressure_systolic","day":"2026-10-25","value":120}
      """)
    #expect(both.interactions.count == 1)
    #expect(throws: DailyValues.Refusal.self) { try both.entries[1].content.get() }
  }

  @Test(
    "is a name, by the platform's text or number",
    arguments: [
      (
        "apple-health", "headache", #""HKCategoryValueSeverityMild""#,
        "HKCategoryValueSeverityMild",
        "Mild"
      ),
      ("apple-health", "headache", "1", "HKCategoryValueSeverityNotPresent", "Not present"),
      ("apple-health", "mood_changes", "0", "HKCategoryValuePresencePresent", "Present"),
      (
        "apple-health", "menstrual_flow", #""HKCategoryValueVaginalBleedingLight""#,
        "HKCategoryValueVaginalBleedingLight", "Light"
      ),
      ("apple-health", "menstrual_flow", "2", "HKCategoryValueMenstrualFlowLight", "Light"),
      ("health-connect", "menstrual_flow", "2", "FLOW_MEDIUM", "Medium"),
      ("health-connect", "cervical_mucus_quality", "5", "APPEARANCE_EGG_WHITE", "Egg white"),
    ])
  func names(origin: String, metric: String, value: String, code: String, text: String) throws {
    let entry = try parsed(
      #"{"metric":"\#(metric)","day":"2026-10-25","value":\#(value)}"#, origin: origin)
    let concept = try document(entry)["valueCodeableConcept"]
    let coding = concept?["coding"]?.items.first
    #expect(coding?["code"]?.string == code)
    #expect(coding?["system"]?.string == Origin(rawValue: origin)?.typeSystem)
    #expect(concept?["text"]?.string == text)
  }

  @Test("is marked when the person typed it in")
  func manual() throws {
    for (manual, tag) in [("true", "PATRPT"), ("false", "DEVRPT"), ("null", "DEVRPT")] {
      let value = #"{"metric":"steps","day":"2026-10-25","value":1,"manual":\#(manual)}"#
      let tags = try document(try parsed(value))["meta"]?["tag"]?.items.map {
        $0["code"]?.string
      }
      #expect(tags == [tag])
    }
  }

  @Test("has at least its own name as a code where the origin has no such type")
  func otherOrigin() throws {
    let value = #"{"metric":"running_power","day":"2026-10-25","value":250}"#
    let codings = try document(try parsed(value, origin: "health-connect"))["code"]?["coding"]
    let texts = (codings?.items ?? []).map { ($0["system"]?.string, $0["code"]?.string) }
    #expect(texts.count == 1)
    #expect(texts.first?.0 == "urn:kiln:metric")
    #expect(texts.first?.1 == "running_power")
  }

  @Test(
    "is refused with the reason",
    arguments: [
      (#""metric":"blood_pressure","value":120"#, "systolic and diastolic"),
      (#""metric":"blood_pressure","value":{"systolic":120}"#, "diastolic: value is missing"),
      (
        #""metric":"blood_pressure","value":{"systolic":120,"diastolic":80,"pulse":60}"#,
        "systolic and diastolic"
      ),
      (#""metric":"blood_pressure","value":{"systolic":16,"diastolic":80}"#, "systolic: 16"),
      (
        #""metric":"blood_pressure","value":{"systolic":120,"diastolic":80},"min":90"#,
        "systolic and diastolic"
      ),
      (#""metric":"headache","value":"bad""#, "HKCategoryValueSeverityMild (2)"),
      (#""metric":"headache","value":9"#, "HKCategoryValueSeverityMild (2)"),
      (#""metric":"headache","value":2,"max":4"#, "no min and max"),
      (#""metric":"high_heart_rate_event","value":1"#, "no value of a day"),
      (#""metric":"workout_energy","value":1"#, "no value of a day"),
      (#""metric":"underwater_depth","value":3,"max":4"#, "one value"),
      (#""metric":"blood_glucose","value":5.5"#, "outside"),
      (#""metric":"body_height","value":1.73"#, "outside"),
      (#""metric":"steps","value":1,"manual":"yes""#, "manual"),
    ])
  func refusals(members: String, reason: String) throws {
    let entry = try parsed(#"{\#(members),"day":"2026-10-25"}"#)
    let refusal = #expect(throws: DailyValues.Refusal.self) { try entry.content.get() }
    #expect(refusal?.reason.contains(reason) == true, "\(refusal?.reason ?? "")")
  }

  @Test("of a category is refused from an origin without that type")
  func missingType() throws {
    let value = #"{"metric":"headache","day":"2026-10-25","value":2}"#
    let entry = try parsed(value, origin: "health-connect")
    #expect(throws: DailyValues.Refusal(reason: "health-connect has no headache.")) {
      try entry.content.get()
    }
  }

  @Test("of a percentage that can be below 1 is taken as it is")
  func percentages() throws {
    for (metric, sent, stored) in [
      ("walking_asymmetry", "0.8", "0.8"), ("blood_alcohol_content", "0.05", "0.05"),
      ("body_fat_percentage", "0.195", "19.5"), ("body_fat_percentage", "19.5", "19.5"),
    ] {
      let value = #"{"metric":"\#(metric)","day":"2026-10-25","value":\#(sent)}"#
      #expect(try document(try parsed(value))["valueQuantity"]?["value"]?.numberText == stored)
    }
  }
}
