import FHIRModel
import Testing

@testable import Access

/// What each element of a Consent does, from its definition.
///
/// - SeeAlso: https://hl7.org/fhir/R4/consent-definitions.html
@Suite("a Consent")
struct ConsentTests {
  /// One row: a root provision, and whether the app sees the observation under it.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var provision: String
    var observation = Sample.observation("o", of: "a", category: "vital-signs")
    let isVisible: Bool

    init(
      _ name: String, _ provision: String,
      _ observation: String = Sample.observation(
        "o", of: "a", category: "vital-signs", effective: "2026-06-15T08:00:00Z"),
      sees isVisible: Bool
    ) {
      testDescription = name
      self.provision = provision
      self.observation = observation
      self.isVisible = isVisible
    }
  }

  static let types = #""class":[{"system":"http://hl7.org/fhir/resource-types","code":"#

  static func type(_ name: String) -> String { types + "\"\(name)\"}]" }

  static func code(_ code: String, _ system: String = "http://loinc.org") -> String {
    #""code":[{"coding":[{"system":"\#(system)","code":"\#(code)"}]}]"#
  }

  static func label(_ code: String, _ system: String = confidentiality) -> String {
    #"{"system":"\#(system)","code":"\#(code)"}"#
  }

  static func labels(_ labels: String...) -> String {
    #""securityLabel":[\#(labels.joined(separator: ","))]"#
  }

  static func action(_ code: String) -> String {
    #""action":[{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/consentaction","code":"\#(code)"}]}]"#
  }

  static func inner(_ provisions: String...) -> String {
    #""provision":[\#(provisions.map { "{" + $0 + "}" }.joined(separator: ","))]"#
  }

  static func dataPeriod(_ start: String, _ end: String) -> String {
    #""dataPeriod":{"start":"\#(start)","end":"\#(end)"}"#
  }

  static let confidentiality = "http://terminology.hl7.org/CodeSystem/v3-Confidentiality"
  static let sensitivity = "http://terminology.hl7.org/CodeSystem/v3-ActCode"
  static let categories = "http://terminology.hl7.org/CodeSystem/observation-category"

  static let panel = Sample.observation(
    "o", of: "a", code: "85354-9",
    more:
      #","component":[{"code":{"coding":[{"system":"http://loinc.org","code":"8480-6"}]}}]"#)

  static func timed(_ effective: String) -> String {
    Sample.observation("o", of: "a", more: "," + effective)
  }

  static func labelled(_ label: String) -> String {
    Sample.observation("o", of: "a", label: label)
  }

  static let all = Sample.permit("app")

  static let rows: [Row] = [
    // provision.type
    Row("permits", all, sees: true),
    Row("denies", #""type":"deny",\#(Sample.actor("Device/app"))"#, sees: false),
    Row("without a type at its root permits nothing", Sample.actor("Device/app"), sees: false),
    Row(
      "without a type at its root permits what an exception permits",
      Sample.actor("Device/app") + "," + inner(#""type":"permit","# + type("Observation")),
      sees: true),

    // provision.actor
    Row("for another device permits nothing", Sample.permit("other"), sees: false),
    Row("for nobody in particular permits nothing", #""type":"permit""#, sees: false),
    Row(
      "for an organization permits nothing", #""type":"permit",\#(Sample.actor("Organization/x"))"#,
      sees: false),
    Row(
      "that names the app in an exception alone permits there",
      #""type":"permit","# + inner(Sample.permit("app", type("Observation"))), sees: true),
    Row(
      "denies what a group may stand for", all + "," + inner(Sample.deny(Sample.actor("Group/x"))),
      sees: false),
    Row(
      "denies no other device than the one it names",
      all + "," + inner(Sample.deny(Sample.actor("Device/other"))), sees: true),
    Row(
      "denies no practitioner's app",
      all + "," + inner(Sample.deny(Sample.actor("Practitioner/x"))),
      sees: true),

    // provision.period
    Row("in its period", Sample.permit("app", #""period":{"start":"2026-11-01"}"#), sees: true),
    Row("on the last day", Sample.permit("app", #""period":{"end":"2026-11-30"}"#), sees: true),
    Row("after its period", Sample.permit("app", #""period":{"end":"2026-11-29"}"#), sees: false),
    Row(
      "before its period", Sample.permit("app", #""period":{"start":"2026-11-30T08:00:01Z"}"#),
      sees: false),
    Row(
      "whose denial is over", all + "," + inner(Sample.deny(#""period":{"end":"2026-10"}"#)),
      sees: true),
    Row(
      "whose denial is in force", all + "," + inner(Sample.deny(#""period":{"start":"2026-11"}"#)),
      sees: false),

    // provision.class
    Row("for the type", Sample.permit("app", type("Observation")), sees: true),
    Row("for another type", Sample.permit("app", type("Condition")), sees: false),
    Row("denying the type", all + "," + inner(Sample.deny(type("Observation"))), sees: false),
    Row("denying another type", all + "," + inner(Sample.deny(type("Condition"))), sees: true),
    Row(
      "for documents that can't be told",
      Sample.permit("app", #""class":[{"system":"urn:ietf:bcp:13","code":"application/pdf"}]"#),
      sees: false),
    Row(
      "denying documents that can't be told",
      all + ","
        + inner(Sample.deny(#""class":[{"system":"urn:ietf:bcp:13","code":"application/pdf"}]"#)),
      sees: false),

    // provision.code
    Row("for the code", Sample.permit("app", code("8867-4")), sees: true),
    Row("for another code", Sample.permit("app", code("85354-9")), sees: false),
    Row(
      "for the code of another system", Sample.permit("app", code("8867-4", "urn:x")), sees: false),
    Row("for its category", Sample.permit("app", code("vital-signs", categories)), sees: true),
    Row("for another category", Sample.permit("app", code("laboratory", categories)), sees: false),
    Row("denying the code", all + "," + inner(Sample.deny(code("8867-4"))), sees: false),
    Row("denying another code", all + "," + inner(Sample.deny(code("85354-9"))), sees: true),
    Row(
      "denying its category", all + "," + inner(Sample.deny(code("vital-signs", categories))),
      sees: false),
    Row(
      "for a code in words", Sample.permit("app", #""code":[{"text":"heart rate"}]"#), sees: false),
    Row(
      "denying a code in words", all + "," + inner(Sample.deny(#""code":[{"text":"heart rate"}]"#)),
      sees: false),

    Row("for the code of a part", Sample.permit("app", code("8480-6")), panel, sees: false),
    Row(
      "denying the code of a part", all + "," + inner(Sample.deny(code("8480-6"))), panel,
      sees: false),
    Row("for the code of a whole", Sample.permit("app", code("85354-9")), panel, sees: true),

    // provision.securityLabel: "R" applies to all that is labelled "R" or lower
    Row(
      "for its label", Sample.permit("app", labels(label("R"))), labelled(label("R")), sees: true),
    Row(
      "for a higher label", Sample.permit("app", labels(label("R"))), labelled(label("N")),
      sees: true),
    Row(
      "for a lower label", Sample.permit("app", labels(label("N"))), labelled(label("R")),
      sees: false),
    Row("for a label, on what has none", Sample.permit("app", labels(label("N"))), sees: false),
    Row(
      "denying its label", all + "," + inner(Sample.deny(labels(label("R")))), labelled(label("R")),
      sees: false),
    Row(
      "denying a label, on what has none", all + "," + inner(Sample.deny(labels(label("R")))),
      sees: true),
    Row(
      "for its sensitivity", Sample.permit("app", labels(label("PSY", sensitivity))),
      labelled(label("PSY", sensitivity)), sees: true),
    Row(
      "denying its sensitivity", all + "," + inner(Sample.deny(labels(label("PSY", sensitivity)))),
      labelled(label("PSY", sensitivity)), sees: false),
    Row(
      "denying a sensitivity that may contain its own",
      all + "," + inner(Sample.deny(labels(label("PSY", sensitivity)))),
      labelled(label("SUICIDE", sensitivity)), sees: false),
    Row(
      "for two labels of which it has one",
      Sample.permit("app", labels(label("N"), label("PSY", sensitivity))), labelled(label("N")),
      sees: false),

    // provision.dataPeriod
    Row("for its time", Sample.permit("app", dataPeriod("2026-06", "2026-06")), sees: true),
    Row("for another time", Sample.permit("app", dataPeriod("2026-07", "2026-07")), sees: false),
    Row(
      "denying its time", all + "," + inner(Sample.deny(dataPeriod("2026-06", "2026-06"))),
      sees: false),
    Row(
      "denying another time", all + "," + inner(Sample.deny(dataPeriod("2026-07", "2026-07"))),
      sees: true),
    Row(
      "for a part of its time", Sample.permit("app", dataPeriod("2026-06", "2026-06")),
      timed(#""effectivePeriod":{"start":"2026-06-30T22:00:00Z","end":"2026-07-01T06:00:00Z"}"#),
      sees: false),
    Row(
      "denying a part of its time",
      all + "," + inner(Sample.deny(dataPeriod("2026-06", "2026-06"))),
      timed(#""effectivePeriod":{"start":"2026-06-30T22:00:00Z","end":"2026-07-01T06:00:00Z"}"#),
      sees: false),
    Row(
      "for a time, on what has none", Sample.permit("app", dataPeriod("2026-06", "2026-06")),
      Sample.observation("o", of: "a"), sees: false),
    Row(
      "denying a time, on what has none",
      all + "," + inner(Sample.deny(dataPeriod("2026-06", "2026-06"))),
      Sample.observation("o", of: "a"), sees: false),
    Row(
      "until a day, on what goes on",
      Sample.permit("app", #""dataPeriod":{"end":"2026-12-31"}"#),
      timed(#""effectivePeriod":{"start":"2026-06-30T22:00:00Z"}"#), sees: false),

    // provision.action and provision.purpose
    Row("for access", Sample.permit("app", action("access")), sees: true),
    Row("for correction alone", Sample.permit("app", action("correct")), sees: false),
    Row("for disclosure alone", Sample.permit("app", action("disclose")), sees: false),
    Row("denying access", all + "," + inner(Sample.deny(action("access"))), sees: false),
    Row("denying correction", all + "," + inner(Sample.deny(action("correct"))), sees: true),
    Row(
      "for a purpose, which no caller states",
      Sample.permit(
        "app",
        #""purpose":[{"system":"http://terminology.hl7.org/CodeSystem/v3-ActReason","code":"TREAT"}]"#
      ),
      sees: false),
    Row(
      "denying a purpose",
      all + ","
        + inner(
          Sample.deny(
            #""purpose":[{"system":"http://terminology.hl7.org/CodeSystem/v3-ActReason","code":"HMARKT"}]"#
          )), sees: false),

    // provision.data
    Row("for this instance", Sample.permit("app", data("instance", "Observation/o")), sees: true),
    Row(
      "for another instance", Sample.permit("app", data("instance", "Observation/x")), sees: false),
    Row(
      "for what is related to it", Sample.permit("app", data("related", "Observation/x")),
      sees: false),
    Row(
      "denying this instance", all + "," + inner(Sample.deny(data("instance", "Observation/o"))),
      sees: false),
    Row(
      "denying another instance", all + "," + inner(Sample.deny(data("instance", "Observation/x"))),
      sees: true),
    Row(
      "denying what may be related to it",
      all + "," + inner(Sample.deny(data("related", "Observation/x"))), sees: false),

    // provision.provision: exceptions to the parent, denial wins at one depth
    Row(
      "with an exception to its exception",
      all + ","
        + inner(
          Sample.deny(type("Observation") + "," + inner(#""type":"permit","# + code("8867-4")))),
      sees: true),
    Row(
      "with an exception that doesn't reach this",
      all + ","
        + inner(
          Sample.deny(type("Observation") + "," + inner(#""type":"permit","# + code("85354-9")))),
      sees: false),
    Row(
      "that permits and denies at one depth",
      Sample.actor("Device/app") + ","
        + inner(#""type":"permit","# + type("Observation"), Sample.deny(code("8867-4"))),
      sees: false),
    Row(
      "whose exception goes beyond its parent",
      Sample.permit(
        "app", type("Condition") + "," + inner(#""type":"permit","# + type("Observation"))),
      sees: false),
    Row(
      "with all of an exception's criteria but one",
      all + "," + inner(Sample.deny(type("Observation") + "," + code("85354-9"))), sees: true),

    // modifiers
    Row(
      "whose permission a modifier changes",
      Sample.permit("app", #""modifierExtension":[{"url":"urn:x","valueBoolean":true}]"#),
      sees: false),
    Row(
      "whose denial a modifier changes",
      all + ","
        + inner(Sample.deny(#""modifierExtension":[{"url":"urn:x","valueBoolean":true}]"#)),
      sees: false),
  ]

  static func data(_ meaning: String, _ reference: String) -> String {
    #""data":[{"meaning":"\#(meaning)","reference":{"reference":"\#(reference)"}}]"#
  }

  @Test("opens what its root provision says", arguments: rows)
  func row(_ row: Row) throws {
    let scene = try Scene()
    try scene.put(
      Sample.patient("a"), row.observation, Sample.consent("c", of: "a", row.provision))
    let app = try Scene.app("app", for: "a", "patient/*.rs")
    #expect(try scene.canRead("Observation/o", app) == row.isVisible)
    #expect(
      try scene.found("Observation?patient=a", by: app) == (row.isVisible ? ["Observation/o"] : []))
    // The order in which things came must not matter: a code may be new to the store.
    let again = try Scene()
    try again.put(Sample.patient("a"), Sample.consent("c", of: "a", row.provision))
    _ = try again.canRead("Observation/o", app)
    try again.put(row.observation)
    #expect(try again.canRead("Observation/o", app) == row.isVisible)
  }

  @Test(
    "counts only as an active one about the patient's privacy",
    arguments: [
      Sample.consent("c", of: "a", all, status: "draft"),
      Sample.consent("c", of: "a", all, status: "entered-in-error"),
      Sample.consent("c", of: "a", all, scope: "research"),
      Sample.consent("c", of: "b", all),
      Sample.consent(
        "c", of: "a", all,
        more: #","modifierExtension":[{"url":"urn:x","valueBoolean":true}]"#),
      Sample.consent("c", of: "a", all, more: #","implicitRules":"urn:x""#),
    ])
  func standing(consent: String) throws {
    let scene = try Scene()
    try scene.put(
      Sample.patient("a"), Sample.patient("b"), Sample.observation("o", of: "a"), consent)
    #expect(
      try !scene.canRead("Observation/o", try Scene.app("app", for: "a", "patient/*.rs")))
  }

  @Test("that denies wins over any that permits")
  func several() throws {
    let scene = try Scene()
    let app = try Scene.app("app", for: "a", "patient/*.rs")
    try scene.put(
      Sample.patient("a"), Sample.observation("o", of: "a"),
      Sample.observation("p", of: "a", code: "85354-9"),
      Sample.consent("c", of: "a", Self.all),
      Sample.consent("d", of: "a", Sample.deny(Self.code("8867-4"))))
    #expect(try scene.found("Observation?patient=a", by: app) == ["Observation/p"])
    try scene.perform(.delete(try Scene.id("Consent/d"), if: .none))
    #expect(
      try Set(scene.found("Observation?patient=a", by: app)) == ["Observation/o", "Observation/p"])
  }

  @Test("is looked at again with each change and with the clock")
  func changes() throws {
    let scene = try Scene()
    let app = try Scene.app("app", for: "a", "patient/*.rs")
    let person = try Scene.person("a")
    try scene.put(Sample.patient("a"), Sample.observation("o", of: "a"))
    for _ in 1...2 {
      try scene.put(Sample.consent("c", of: "a", Self.all), by: person)
      #expect(try scene.canRead("Observation/o", app))
      try scene.perform(.delete(try Scene.id("Consent/c"), if: .none), by: person)
      #expect(try !scene.canRead("Observation/o", app))
    }
    let limited = Sample.permit("app", #""period":{"end":"2026-11-30T08:30:00Z"}"#)
    try scene.put(Sample.consent("c", of: "a", limited), by: person)
    #expect(try scene.canRead("Observation/o", app))
    scene.clock.advance(seconds: 1801)
    #expect(try !scene.canRead("Observation/o", app))
  }

  @Test("may name its actor by this server's address, and its patient by a version")
  func references() throws {
    let scene = try Scene(addresses: OwnAddresses(["https://kiln.example/fhir"]))
    let provision = #""type":"permit",\#(Sample.actor("https://kiln.example/fhir/Device/app"))"#
    try scene.put(
      Sample.patient("a"), Sample.observation("o", of: "a"), Sample.consent("c", of: "a", provision)
    )
    let app = try Scene.app("app", for: "a", "patient/*.rs")
    #expect(try scene.canRead("Observation/o", app))
    let foreign = #""type":"permit",\#(Sample.actor("https://else.example/fhir/Device/app"))"#
    try scene.put(Sample.consent("c", of: "a", foreign))
    #expect(try !scene.canRead("Observation/o", app))
  }
}
