import FHIRModel
import Testing

@testable import Wearables

/// 2026-11-15T10:00:00Z, after every day of the fixtures.
private let later = Instant(second: 1_794_736_800)

private func parsed(
  _ body: String, _ parameters: [QueryParameter] = [], now: Instant = later
) throws -> DailyValues {
  try DailyValues(parsing: Array(body.utf8), parameters: parameters, metrics: .shared, now: now)
}

private func call(_ values: String, zone: String = "Europe/Budapest") -> String {
  """
  {"patient":"Patient/ana","origin":"apple-health","timeZone":"\(zone)","values":[\(values)]}
  """
}

private func refusals(_ values: String, now: Instant = later) throws -> [String?] {
  try parsed(call(values), now: now).entries.map { entry in
    switch entry.content {
    case .success: nil
    case .failure(let refusal): refusal.reason
    }
  }
}

private func observation(_ entry: DailyValues.Entry) throws -> String {
  guard case .conditionalUpdate(let resource, _, _) = try entry.content.get() else {
    throw DailyValues.Refusal(reason: "no update")
  }
  return String(decoding: resource.document.bytes, as: UTF8.self)
}

@Suite("Daily values")
struct DailyValuesTests {
  @Test("become the Observations that the mapping names, to the letter")
  func observations() throws {
    let values = try DailyValues(
      parsing: try Fixture.bytes("fixtures/wearables/call.json"), metrics: .shared, now: later)
    let expected = try Fixture.lines("fixtures/wearables/observations.ndjson")
    #expect(values.entries.count == 12)
    #expect(try values.entries.map(observation) == expected)
    #expect(values.call.source.uri == "urn:kiln:source:com.apple.health.7A1C")
  }

  @Test("update the one Observation of that person, metric, day and origin")
  func identity() throws {
    let entry = try parsed(call(#"{"metric":"steps","day":"2026-10-25","value":1}"#)).entries[0]
    guard case .conditionalUpdate(let resource, let query, let condition) = try entry.content.get()
    else { return #expect(Bool(false), "no update") }
    #expect(resource.id == nil)
    #expect(condition == .none)
    #expect(query.type?.name == "Observation")
    #expect(
      query.parameters == [
        QueryParameter(
          name: "identifier", value: "urn:kiln:daily-value|ana/steps/2026-10-25/apple-health")
      ])
  }

  @Test("withdraw a day with null")
  func withdrawal() throws {
    let entry = try parsed(call(#"{"metric":"steps","day":"2026-10-25","value":null}"#)).entries[0]
    guard case .conditionalDelete(let query) = try entry.content.get() else {
      return #expect(Bool(false), "no delete")
    }
    #expect(
      query.parameters.map(\.value) == ["urn:kiln:daily-value|ana/steps/2026-10-25/apple-health"])
  }

  @Test("come as a bare array with the rest in the address too")
  func bareArray() throws {
    let body = #"[{"metric":"heart_rate","day":"2026-10-01","value":60.5,"min":50,"max":70}]"#
    let parameters = [
      ("patient", "Patient/ana"), ("origin", "apple-health"), ("timeZone", "Europe/Budapest"),
      ("source.bundleIdentifier", "com.example.app"), ("device", "Device/watch"),
      ("_format", "json"),
    ].map { QueryParameter(name: $0.0, value: $0.1) }
    let text = try observation(try parsed(body, parameters).entries[0])
    let object = """
      {"patient":"Patient/ana","origin":"apple-health","timeZone":"Europe/Budapest",\
      "source":{"bundleIdentifier":"com.example.app"},"device":{"reference":"Device/watch"},\
      "values":\(body)}
      """
    #expect(text == (try observation(try parsed(object).entries[0])))
    #expect(text.contains(#""source":"urn:kiln:source:com.example.app""#))
    #expect(text.contains(#""device":{"reference":"Device/watch"}"#))
  }

  @Test("are preliminary until the person's day is over, and then final")
  func status() throws {
    // 2026-10-25 in Budapest ends at 23:00Z.
    let value = call(#"{"metric":"steps","day":"2026-10-25","value":1}"#)
    let midnight = 1_792_969_200
    for (second, status) in [(midnight - 1, "preliminary"), (midnight, "final")] {
      let text = try observation(try parsed(value, now: Instant(second: second)).entries[0])
      #expect(text.contains("\"status\":\"\(status)\""), "\(second)")
    }
  }

  @Test("keep their digits, and the same values make the same text")
  func digits() throws {
    for digits in ["60", "60.0", "60.50", "6.05e1", "71.333333333333329"] {
      let body = call(#"{"metric":"heart_rate","day":"2026-10-25","value":\#(digits)}"#)
      let text = try observation(try parsed(body).entries[0])
      #expect(text.contains("\"value\":\(digits),"))
      let nextYear = Instant(second: 1_826_272_800)
      #expect(text == (try observation(try parsed(body, now: nextYear).entries[0])))
    }
  }

  @Test("of saturation are taken as fractions or as percentages")
  func fractions() throws {
    let cases = [
      ("0.97", "97"), ("0.9700", "97.00"), ("0.968", "96.8"), ("1", "100"), ("1.0", "100"),
      ("9.7e-1", "970e-1"), ("97", "97"), ("97.5", "97.5"),
    ]
    for (sent, stored) in cases {
      let body = call(#"{"metric":"oxygen_saturation","day":"2026-10-25","value":\#(sent)}"#)
      let text = try observation(try parsed(body).entries[0])
      #expect(text.contains("\"value\":\(stored),"), "\(sent)")
    }
  }

  @Test("may be none")
  func none() throws {
    #expect(try parsed(call("")).entries.isEmpty)
    #expect(try parsed(call("").replacing("[]", with: "[ ]")).entries.isEmpty)
  }

  @Test("know a metric by its further names, and count it once")
  func furtherNames() throws {
    let body = """
      {"metric":"body_mass","day":"2026-10-25","value":70},
      {"metric":"body_weight","day":"2026-10-25","value":71}
      """
    let entries = try parsed(call(body)).entries
    #expect(try observation(entries[0]).contains("ana/body_weight/2026-10-25/apple-health"))
    #expect(try refusals(body)[1] == "body_weight on 2026-10-25 stands twice.")
  }
}

@Suite("A daily value that can't be taken")
struct DailyValueRefusalTests {
  @Test(
    "is refused by name, and the others go in",
    arguments: [
      (#"{"metric":"mood","day":"2026-10-25","value":1}"#, "mood"),
      (#"{"metric":"steps","day":"2026-02-30","value":1}"#, "2026-02-30"),
      (#"{"metric":"steps","day":"2026-11-16","value":1}"#, "still to come"),
      (#"{"metric":"steps","day":20261025,"value":1}"#, "day"),
      (#"{"metric":"steps","day":"2026-10-25","value":NaN}"#, "value is not a number"),
      (#"{"metric":"steps","day":"2026-10-25","value":-Infinity}"#, "value is not a number"),
      (#"{"metric":"steps","day":"2026-10-25","value":"NaN"}"#, "value is not a number"),
      (#"{"metric":"steps","day":"2026-10-25","value":"12"}"#, "value is not a number"),
      (#"{"metric":"steps","day":"2026-10-25","value":true}"#, "value is not a number"),
      (#"{"metric":"steps","day":"2026-10-25","value":1e400}"#, "no phone"),
      (#"{"metric":"steps","day":"2026-10-25","value":1e-99999999999999999999}"#, "no phone"),
      (#"{"metric":"steps","day":"2026-10-25"}"#, "value is missing"),
      (#"{"metric":"steps","day":"2026-10-25","value":-1}"#, "outside"),
      (#"{"metric":"steps","day":"2026-10-25","value":1,"min":0}"#, "total"),
      (#"{"metric":"steps","day":"2026-10-25","value":1,"unit":"km"}"#, "unit"),
      (#"{"metric":"heart_rate","day":"2026-10-25","value":60,"min":70,"max":50}"#, "above max"),
      (#"{"metric":"heart_rate","day":"2026-10-25","value":49.4,"min":50,"max":70}"#, "below min"),
      (#"{"metric":"heart_rate","day":"2026-10-25","value":70.6,"min":50,"max":70}"#, "above max"),
      (#"{"metric":"heart_rate","day":"2026-10-25","value":60,"min":"50"}"#, "min is not a number"),
      (#"{"metric":"heart_rate","day":"2026-10-25","value":0}"#, "outside"),
      (#"{"metric":"oxygen_saturation","day":"2026-10-25","value":1.2}"#, "outside"),
      (#"{"metric":"oxygen_saturation","day":"2026-10-25","value":101}"#, "outside"),
      (#"{"metric":"oxygen_saturation","day":"2026-10-25","value":97,"min":0.9}"#, "outside"),
      ("7", "object"),
    ])
  func refused(value: String, reason: String) throws {
    let good = #"{"metric":"steps","day":"2026-10-24","value":1}"#
    let reasons = try refusals("\(value),\(good)")
    #expect(try #require(reasons[0]).contains(reason), "\(reasons)")
    #expect(reasons[1] == nil)
  }

  @Test("is not one whose mean lies past an extreme by rounding alone")
  func rounding() throws {
    let values = """
      {"metric":"heart_rate","day":"2026-10-25","value":60.4,"min":50,"max":60},
      {"metric":"heart_rate","day":"2026-10-24","value":49.96,"min":50.0,"max":60}
      """
    #expect(try refusals(values) == [nil, nil])
  }

  @Test("is one of a day that its zone left out")
  func leftOut() throws {
    let value = #"{"metric":"steps","day":"2011-12-30","value":1}"#
    let entry = try parsed(call(value, zone: "Pacific/Apia")).entries[0]
    #expect(throws: DailyValues.Refusal.self) { try entry.content.get() }
  }
}

@Suite("A call with daily values")
struct DailyCallTests {
  @Test(
    "is refused as a whole when what holds for all of it is missing or wrong",
    arguments: [
      (#"{"origin":"apple-health","timeZone":"UTC","values":[]}"#, "patient"),
      (#"{"patient":"ana","origin":"apple-health","timeZone":"UTC","values":[]}"#, "patient"),
      (#"{"patient":"Device/a","origin":"apple-health","timeZone":"UTC","values":[]}"#, "patient"),
      (#"{"patient":"Patient/a","origin":"fitbit","timeZone":"UTC","values":[]}"#, "origin"),
      (
        #"{"patient":"Patient/a","origin":"apple-health","timeZone":"Mars/X","values":[]}"#,
        "timeZone"
      ),
      (#"{"patient":"Patient/a","origin":"apple-health","timeZone":1,"values":[]}"#, "timeZone"),
      (#"{"patient":"Patient/a","origin":"apple-health","timeZone":"UTC"}"#, "values"),
      (#"{"patient":"Patient/a","origin":"apple-health","timeZone":"UTC","values":{}}"#, "values"),
      (
        #"{"patient":"Patient/a","origin":"apple-health","timeZone":"UTC","zone":"x","values":[]}"#,
        "zone"
      ),
      (
        #"{"patient":"Patient/a","origin":"apple-health","timeZone":"UTC","source":{"bundleIdentifier":"a b"},"values":[]}"#,
        "source.bundleIdentifier"
      ),
      (
        #"{"patient":"Patient/a","origin":"apple-health","timeZone":"UTC","device":{"reference":"Patient/b"},"values":[]}"#,
        "device"
      ),
      (#""values""#, "values"),
    ])
  func refused(body: String, place: String) throws {
    let error = #expect(throws: InteractionError.self) { try parsed(body) }
    guard case .invalid(let issues) = error else { return #expect(Bool(false), "\(body)") }
    #expect(issues.map(\.expression) == [place], "\(issues)")
  }

  @Test("that is no JSON is refused, whatever it holds")
  func broken() {
    for body in ["", "{", "[1,]", "{\"a\":1,\"a\":2}", "NaNa", "[NaN", "\u{0}"] {
      #expect(throws: InteractionError.self, "\(body)") { try parsed(body) }
    }
  }

  @Test("may not say two things at once")
  func contradiction() {
    let other = [QueryParameter(name: "patient", value: "Patient/eva")]
    #expect(throws: InteractionError.self) { try parsed(call(""), other) }
  }
}
