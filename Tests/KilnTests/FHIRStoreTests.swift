import FoundationEssentials
import Kiln
import Testing

private let setup = StoreCaller.operator(name: "setup")
private let ana = StoreCaller.person("Patient/ana")
private let lunch = StoreCaller.app("lunch", for: "Patient/ana", scope: "patient/Observation.rs")

private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

/// A store in memory that knows two persons.
private func storeWithPersons() throws -> FHIRStore {
  let store = try FHIRStore()
  for name in ["ana", "eva"] {
    try store.update(bytes(#"{"resourceType":"Patient","id":"\#(name)"}"#), as: setup)
  }
  return store
}

private func day(_ values: String, of patient: String = "ana") -> [UInt8] {
  bytes(
    """
    {"patient":"Patient/\(patient)","origin":"apple-health","timeZone":"Europe/Budapest",\
    "values":[\(values)]}
    """)
}

private let heartRate = #"{"metric":"heart_rate","day":"2026-10-25","value":71.50}"#
private let steps = #"{"metric":"steps","day":"2026-10-25","value":8342}"#

private let consent = bytes(
  """
  {"resourceType":"Consent","status":"active","patient":{"reference":"Patient/ana"},
   "scope":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/consentscope",
     "code":"patient-privacy"}]},
   "category":[{"coding":[{"system":"http://loinc.org","code":"59284-0"}]}],
   "policyRule":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/v3-ActCode",
     "code":"OPTIN"}]},
   "provision":{"type":"permit","actor":[{"role":{"coding":[{
       "system":"http://terminology.hl7.org/CodeSystem/v3-ParticipationType","code":"IRCP"}]},
     "reference":{"reference":"Device/lunch"}}],
     "code":[{"coding":[{"system":"http://loinc.org","code":"8867-4"}]}]}}
  """)

@Suite("An app's own store")
struct FHIRStoreTests {
  @Test("gives back what it was given, to the letter, with its versions")
  func versions() throws {
    let store = try storeWithPersons()
    let json = #"{"resourceType":"Patient","id":"ana","active":true}"#
    let changed = try store.update(bytes(json), as: setup)
    guard case .updated(let second) = changed else { return #expect(Bool(false), "\(changed)") }
    #expect(second.reference == "Patient/ana")
    #expect(second.version == 2)
    #expect(second.text.contains(#""active":true"#))
    #expect(try store.update(bytes(json), as: setup) == .unchanged(second))
    #expect(try store.read("Patient/ana", as: ana) == second)
    #expect(try store.read("Patient/ana/_history/1", as: ana).version == 1)
  }

  @Test("refuses a write that expects another version")
  func conflict() throws {
    let store = try storeWithPersons()
    let json = bytes(#"{"resourceType":"Patient","id":"ana","active":false}"#)
    #expect(throws: StoreFailure.conflict(current: 1)) {
      try store.update(json, ifVersion: 7, as: setup)
    }
    try store.update(json, ifVersion: 1, as: setup)
  }

  @Test("deletes, and remembers that it did")
  func deletion() throws {
    let store = try storeWithPersons()
    guard case .deleted(let marker?) = try store.delete("Patient/eva", as: setup) else {
      return #expect(Bool(false), "nothing was deleted")
    }
    #expect(marker.version == 2)
    let failure = #expect(throws: StoreFailure.self) { try store.read("Patient/eva", as: setup) }
    guard case .gone = failure else {
      return #expect(Bool(false), "\(String(describing: failure))")
    }
  }

  @Test("names the place of what is invalid, and what was asked wrongly")
  func refusals() throws {
    let store = try storeWithPersons()
    let failure = #expect(throws: StoreFailure.self) {
      try store.create(bytes(#"{"resourceType":"Patient","active":"yes"}"#), as: setup)
    }
    guard case .invalid(let problems) = failure else { return #expect(Bool(false)) }
    #expect(problems.map(\.place) == ["Patient.active"])
    for query in ["Person?", "Nothing?x=1", "Patient?nonsense=1", "Patient?active:wrong=true"] {
      #expect(throws: StoreFailure.self, "\(query)") {
        let found = try store.search(query, as: setup)
        if query == "Person?" { throw StoreFailure.wrongUse(reason: "\(found.matches.count)") }
      }
    }
    #expect(throws: StoreFailure.self) { try store.read("Patient", as: setup) }
    #expect(throws: StoreFailure.self) { try store.read("Patient/ana", as: .person("ana")) }
  }

  @Test("makes one resource of what is written to the same identifier")
  func conditionalUpdate() throws {
    let store = try storeWithPersons()
    func observation(_ value: String) -> [UInt8] {
      bytes(
        """
        {"resourceType":"Observation","identifier":[{"system":"urn:x","value":"1"}],\
        "status":"final","code":{"text":"Mood"},"subject":{"reference":"Patient/ana"},\
        "valueString":"\(value)"}
        """)
    }
    let first = try store.update(observation("good"), matching: "identifier=urn:x|1", as: ana)
    let second = try store.update(observation("better"), matching: "identifier=urn:x|1", as: ana)
    #expect(first.resource?.reference == second.resource?.reference)
    #expect(second.resource?.version == 2)
    #expect(try store.search("Observation?patient=ana", as: ana).matches.count == 1)
  }

  @Test("takes a phone's day, and the same day again changes nothing")
  func dailyValues() throws {
    let store = try storeWithPersons()
    let call = day("\(heartRate),\(steps),{\"metric\":\"mood\",\"day\":\"2026-10-25\",\"value\":1}")
    let results = try store.takeDailyValues(call, as: ana)
    #expect(results.count == 3)
    guard case .taken(.created(let observation)) = results[0], case .refused = results[2] else {
      return #expect(Bool(false), "\(results)")
    }
    #expect(observation.text.contains(#""value":71.50"#))
    let again = try store.takeDailyValues(call, as: ana)
    #expect(again[0] == .taken(.unchanged(observation)))
    #expect(again[2] == results[2])
    let others = try store.takeDailyValues(day(steps, of: "eva"), as: ana)
    guard case .refused = others[0] else { return #expect(Bool(false), "\(others)") }
  }

  @Test("gives a search's pages one by one")
  func pages() throws {
    let store = try storeWithPersons()
    let values = (1...9).map { #"{"metric":"steps","day":"2026-10-0\#($0)","value":\#($0)}"# }
    _ = try store.takeDailyValues(day(values.joined(separator: ",")), as: ana)
    var query: String? = "Observation?patient=ana&code=41950-7&_sort=-date&_count=4&_total=accurate"
    var sizes: [Int] = []
    var seen: Set<String> = []
    while let asked = query {
      let page = try store.search(asked, as: ana)
      if sizes.isEmpty { #expect(page.total == 9) }
      sizes.append(page.matches.count)
      seen.formUnion(page.matches.map(\.reference))
      query = page.next
    }
    #expect(sizes == [4, 4, 1])
    #expect(seen.count == 9)
  }

  @Test("shows an app what the person consented to, and the person what the app asked")
  func consentAndLog() throws {
    let store = try storeWithPersons()
    _ = try store.takeDailyValues(day("\(heartRate),\(steps)"), as: ana)
    #expect(try store.search("Observation?patient=ana", as: lunch).matches.isEmpty)
    try store.create(consent, as: ana)
    let seen = try store.search("Observation?patient=ana", as: lunch).matches
    #expect(seen.count == 1)
    #expect(seen.allSatisfy { $0.text.contains("8867-4") })
    let failure = #expect(throws: StoreFailure.self) { try store.read("Patient/ana", as: lunch) }
    guard case .forbidden = failure else { return #expect(Bool(false)) }
    let log = try store.search("AuditEvent?patient=ana&_sort=-date", as: ana).matches
    #expect(log.contains { $0.text.contains("Device/lunch") })
    #expect(throws: StoreFailure.self) { try store.search("AuditEvent?patient=ana", as: lunch) }
  }

  @Test("is the same after it was closed and opened again")
  func reopening() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/kiln-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let written = try FHIRStore(folder: folder).create(
      bytes(#"{"resourceType":"Patient","active":true}"#), as: setup)
    let resource = try #require(written.resource)
    #expect(try FHIRStore(folder: folder).read(resource.reference, as: setup) == resource)
    #expect(throws: StoreFailure.self) { try FHIRStore(folder: "/dev/null/store") }
  }
}
