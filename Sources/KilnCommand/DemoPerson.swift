import FHIRModel

/// The made-up person of the demo: nobody, and named so.
enum DemoPerson {
  static let id = "synthetic"
  static let clientID = "demo-app"
  private static let dayCount = 31

  static func reference() throws -> ResourceID {
    guard let id = ResourceID("Patient/\(id)") else { throw CommandError("no id: \(id)") }
    return id
  }

  static func client() throws -> LogicalID {
    guard let id = LogicalID(clientID) else { throw CommandError("no id: \(clientID)") }
    return id
  }

  /// The person, the app, and the Consent that lets the app see heart rates and steps.
  static let resources = [
    """
    {"resourceType":"Patient","id":"\(id)","meta":{"tag":[{
      "system":"http://terminology.hl7.org/CodeSystem/v3-ActReason","code":"HTEST",
      "display":"test health data"}]},
      "active":true,"name":[{"text":"Synthetic Person"}],"birthDate":"1990-01-01"}
    """,
    """
    {"resourceType":"Device","id":"\(clientID)",
      "deviceName":[{"name":"Demo App","type":"user-friendly-name"}]}
    """,
    """
    {"resourceType":"Consent","id":"\(id)-\(clientID)","status":"active",
      "patient":{"reference":"Patient/\(id)"},
      "scope":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/consentscope",
        "code":"patient-privacy"}]},
      "category":[{"coding":[{"system":"http://loinc.org","code":"59284-0"}]}],
      "policyRule":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/v3-ActCode",
        "code":"OPTIN"}]},
      "provision":{"type":"permit",
        "actor":[{"role":{"coding":[{
          "system":"http://terminology.hl7.org/CodeSystem/v3-ParticipationType","code":"IRCP"}]},
          "reference":{"reference":"Device/\(clientID)"}}],
        "code":[{"coding":[{"system":"http://loinc.org","code":"8867-4"}]},
          {"coding":[{"system":"http://loinc.org","code":"41950-7"}]}]}}
    """,
  ]

  /// A call with the person's daily values of the month up to `now`, as a phone sends it.
  static func month(upTo now: Instant) -> [UInt8] {
    let today = Int(now.ticks / (86_400 * Instant.ticksPerSecond))
    var json = JSONWriter(reservingByteCount: 32_768)
    json.object { json in
      json.member("patient", "Patient/\(id)")
      json.member("origin", "apple-health")
      json.member("timeZone", "Europe/Budapest")
      json.member("source", object: { $0.member("bundleIdentifier", "org.example.synthetic") })
      json.member("device", object: { $0.member("name", "Synthetic Watch") })
      json.member(
        "values",
        array: { json in
          for day in (today - dayCount + 1)...today { writeValues(of: day, to: &json) }
        })
    }
    return json.bytes
  }

  /// Numbers that go up and down with the week, the same on every run.
  private static func writeValues(of day: Int, to json: inout JSONWriter) {
    let wave = day * 5 % 7
    write(
      "heart_rate", day, "\(66 + wave).5", extremes: ("\(47 + wave)", "\(128 + 3 * wave)"), &json)
    write("resting_heart_rate", day, "\(54 + wave)", &json)
    write("heart_rate_variability_sdnn", day, "\(41 + wave).25", &json)
    write("oxygen_saturation", day, "0.9\(6 + wave % 3)", &json)
    write("respiratory_rate", day, "14.\(wave)", &json)
    write("steps", day, "\(6_200 + 713 * wave)", &json)
    write("active_energy", day, "\(380 + 21 * wave).4", &json)
    write("distance_walking_running", day, "\(4_300 + 509 * wave)", &json)
    write("flights_climbed", day, "\(3 + wave)", &json)
    write("body_weight", day, "68.\(wave)", &json)
    write("sleep_duration", day, "7.\(wave)", &json)
  }

  private static func write(
    _ metric: String, _ day: Int, _ value: String, extremes: (String, String)? = nil,
    _ json: inout JSONWriter
  ) {
    json.object { json in
      json.member("metric", metric)
      json.member("day", String("\(CivilDay(daysSince1970: day).startAtUTC)".prefix(10)))
      json.name("value")
      json.raw(value.utf8)
      guard let (least, most) = extremes else { return }
      json.name("min")
      json.raw(least.utf8)
      json.name("max")
      json.raw(most.utf8)
    }
  }
}
