import FHIRModel
import Kiln
import Testing

/// What a call of a person's phone makes of the blood pressure of 2026-10-25, in a store of its own.
private struct Phone {
  private let store: FHIRStore
  private let patient = "Patient/synthetic-1"

  init() throws {
    store = try FHIRStore()
    let person = #"{"resourceType":"Patient","id":"synthetic-1"}"#
    try store.update(Array(person.utf8), as: .operator(name: "setup"))
  }

  /// - Parameter fields: members of the call beside its values.
  func sends(_ values: String..., fields: String = "") throws -> [DailyValueResult] {
    let values = values.map { #"{"metric":"blood_pressure\#($0),"day":"2026-10-25"}"# }
    let call = """
      {"patient":"\(patient)","origin":"apple-health","timeZone":"Europe/Budapest",\(fields)
       "values":[\(values.joined(separator: ","))]}
      """
    return try store.takeDailyValues(Array(call.utf8), as: .person(patient))
  }

  /// The one panel that stands; `nil` if none does.
  func panel() throws -> (version: Int, root: JSONValue)? {
    let found = try store.search("Observation?patient=\(patient)", as: .person(patient)).matches
    #expect(found.count < 2)
    return try found.first.map {
      ($0.version, try JSONDocument(parsing: Array($0.text.utf8)).root)
    }
  }

  /// The components' codes with their numbers, `?` where one isn't known.
  func components() throws -> [String] {
    let components = try panel()?.root["component"]
    return (components.map { Array($0.elements) } ?? []).map { component in
      let codings = component["code"].flatMap { $0["coding"] }.map { Array($0.elements) } ?? []
      let number = component["valueQuantity"]?["value"]?.numberText ?? "?"
      return "\(codings.first?["code"]?.string ?? "") \(number)"
    }
  }
}

private let systolic = #"_systolic","value":121,"min":110,"max":135"#
private let diastolic = #"_diastolic","value":78"#

@Suite("A blood pressure of which a call tells one number")
struct PanelTests {
  @Test("keeps the other that an earlier call told, in the order of a panel told at once")
  func keepsTheOther() throws {
    let phone = try Phone()
    _ = try phone.sends(diastolic)
    #expect(try phone.components() == ["8480-6 ?", "8462-4 78"])
    let results = try phone.sends(systolic)
    guard case .taken(.updated) = results.first else { throw Unexpected(results) }
    #expect(
      try phone.components() == ["8480-6 121", "8462-4 78", "8495-4 110", "8485-5 135"])
    // Told at once it is the same panel, to the letter.
    let together = try phone.sends(systolic, diastolic)
    guard case .taken(.unchanged) = together.first else { throw Unexpected(together) }
    #expect(try phone.panel()?.version == 2)
  }

  @Test("makes no version when it is told again, from whichever device")
  func repeated() throws {
    let phone = try Phone()
    _ = try phone.sends(systolic, fields: #""device":{"name":"Cuff A"},"#)
    _ = try phone.sends(diastolic, fields: #""device":{"name":"Cuff B"},"#)
    for _ in 0..<2 {
      _ = try phone.sends(systolic, fields: #""device":{"name":"Cuff A"},"#)
      _ = try phone.sends(diastolic, fields: #""device":{"name":"Cuff B"},"#)
    }
    #expect(try phone.panel()?.version == 2)
  }

  @Test("changes its own number alone, and its least and greatest with it")
  func changesItself() throws {
    let phone = try Phone()
    _ = try phone.sends(systolic, diastolic)
    _ = try phone.sends(#"_systolic","value":122.50"#)
    #expect(try phone.components() == ["8480-6 122.50", "8462-4 78"])
  }

  @Test("is withdrawn without the other, and with it when nothing is left")
  func withdrawal() throws {
    let phone = try Phone()
    _ = try phone.sends(systolic, diastolic)
    let results = try phone.sends(#"_systolic","value":null"#)
    guard case .taken(.updated) = results.first else { throw Unexpected(results) }
    #expect(try phone.components() == ["8480-6 ?", "8462-4 78"])
    let again = try phone.sends(#"_systolic","value":null"#)
    guard case .taken(.unchanged) = again.first else { throw Unexpected(again) }
    let last = try phone.sends(#"_diastolic","value":null"#)
    guard case .taken(.deleted(_?)) = last.first else { throw Unexpected(last) }
    #expect(try phone.panel() == nil)
    let nothing = try phone.sends(#"_diastolic","value":null"#)
    guard case .taken(.deleted(nil)) = nothing.first else { throw Unexpected(nothing) }
    // A panel that was withdrawn keeps nothing.
    _ = try phone.sends(systolic)
    #expect(
      try phone.components() == ["8480-6 121", "8462-4 ?", "8495-4 110", "8485-5 135"])
  }

  @Test("says who measured and told what stands")
  func reporters() throws {
    let phone = try Phone()
    func words() throws -> [String?] {
      let root = try phone.panel()?.root
      let tags = root?["meta"]?["tag"].map { Array($0.elements) } ?? []
      return [root?["meta"]?["source"]?.string, root?["device"]?["display"]?.string]
        + tags.map { $0["code"]?.string }
    }
    _ = try phone.sends(
      #"_diastolic","manual":true,"value":78"#,
      fields: #""source":{"bundleIdentifier":"app.typed"},"#)
    #expect(try words() == ["urn:kiln:source:app.typed", nil, "PATRPT"])
    _ = try phone.sends(
      systolic, fields: #""source":{"bundleIdentifier":"app.cuff"},"device":{"name":"Cuff"},"#)
    #expect(try words() == ["urn:kiln:source:app.cuff", "Cuff", "DEVRPT", "PATRPT"])
    // A withdrawal tells nothing of who measured the rest.
    _ = try phone.sends(
      #"_diastolic","value":null"#, fields: #""source":{"bundleIdentifier":"app.typed"},"#)
    #expect(try words() == ["urn:kiln:source:app.cuff", "Cuff", "DEVRPT", "PATRPT"])
  }
}

private struct Unexpected: Error {
  let results: [DailyValueResult]

  init(_ results: [DailyValueResult]) { self.results = results }
}
