import FHIRModel
import FoundationEssentials
import Testing

@testable import Wearables

/// What a hospital gave to the person's phone goes into the record.
struct ClinicalRecordTests {
  private let server = "https://fhir.example.org/dstu2"

  private func patient() throws -> ResourceID {
    try #require(ResourceID("Patient/synthetic-1"))
  }

  private func content(_ record: ClinicalRecord) throws -> JSONTree {
    guard case .conditionalUpdate(let resource, _, _) = record.interaction else {
      throw ClinicalRecord.Refusal(reason: "no update")
    }
    return JSONTree(resource.document.root)
  }

  private func tree(_ text: String) throws -> JSONTree {
    JSONTree(try JSONDocument(parsing: Array(text.utf8)).root)
  }

  @Test("a resource in DSTU2 becomes the one in R4 that says the same", arguments: 0..<23)
  func converts(line: Int) throws {
    let old = try Fixture.lines("fixtures/clinical/dstu2.ndjson")
    let new = try Fixture.lines("fixtures/clinical/r4.ndjson")
    try #require(old.count == new.count && line < old.count)
    let sent = try tree(old[line])
    let type = try #require(sent["resourceType"]?.text)
    let id = try #require(sent["id"]?.text)
    let record = try ClinicalRecord(
      parsing: Array(old[line].utf8),
      from: .init(url: "\(server)/\(type)/\(id)", name: "A hospital", fhirVersion: "1.0.2"),
      for: try patient())
    #expect(record.isConverted)
    #expect(record.sourceSystem == server)
    let made = try content(record)
    let expected = try tree(new[line])
    #expect(made.sorted.bytes.elementsEqual(expected.sorted.bytes), "\(made.text(of: expected))")
  }

  @Test("an attachment that only the hospital has is named by its address there")
  func attachments() throws {
    let text = """
      {"resourceType":"DocumentReference","id":"d1","status":"current",\
      "extension":[{"url":"http://example.org/Thing/1","valueString":"Binary/1"}],\
      "subject":{"reference":"Patient/h1"},"content":[{"attachment":{"url":"Binary/1"}},\
      {"attachment":{"url":"https://other.example.org/Binary/2"}}]}
      """
    let record = try ClinicalRecord(
      parsing: Array(text.utf8), from: .init(url: "https://h.example.org/r4", fhirVersion: "4.0.1"),
      for: try patient())
    let made = try content(record)
    let addresses = made["content"]?.elements.map { $0["attachment"]?["url"]?.text }
    #expect(
      addresses == ["https://h.example.org/r4/Binary/1", "https://other.example.org/Binary/2"])
    let extended = made["extension"]?.elements.first
    #expect(extended?["url"]?.text == "http://example.org/Thing/1")
    #expect(extended?["valueString"]?.text == "Binary/1")
  }

  @Test("a resource in R4 stays as it is, but for the person and what names the hospital")
  func keepsR4() throws {
    let text = """
      {"resourceType":"Observation","id":"o1","status":"final","code":{"text":"Haemoglobin"},\
      "subject":{"reference":"Patient/h1"},"performer":[{"reference":"Practitioner/13"}],\
      "valueQuantity":{"value":13.20,"unit":"g/dL"},"effectiveDateTime":"2017-02-03"}
      """
    let record = try ClinicalRecord(
      parsing: Array(text.utf8), from: .init(url: "https://h.example.org/r4", fhirVersion: "4.0.1"),
      for: try patient())
    #expect(!record.isConverted)
    let expected = try tree(
      """
      {"resourceType":"Observation","status":"final","code":{"text":"Haemoglobin"},\
      "subject":{"reference":"Patient/synthetic-1"},\
      "performer":[{"reference":"https://h.example.org/r4/Practitioner/13"}],\
      "valueQuantity":{"value":13.20,"unit":"g/dL"},"effectiveDateTime":"2017-02-03",\
      "identifier":[{"system":"urn:kiln:clinical-record",\
      "value":"synthetic-1/https://h.example.org/r4/Observation/o1"}],\
      "meta":{"source":"https://h.example.org/r4/Observation/o1"}}
      """)
    #expect(try content(record) == expected)
  }

  @Test("without an index the release is told from the content")
  func tellsRelease() throws {
    let lines = try Fixture.lines("fixtures/clinical/dstu2.ndjson")
    let record = try ClinicalRecord(
      parsing: Array(lines[5].utf8), from: .init(name: "St. Ann’s"), for: try patient())
    #expect(record.isConverted)
    #expect(record.sourceSystem == "urn:kiln:clinical-source:St.%20Ann%E2%80%99s")
    let made = try content(record)
    #expect(
      made["requester"]?["reference"]?.text
        == "urn:kiln:clinical-source:St.%20Ann%E2%80%99s:Practitioner:p1")
  }

  @Test("records of no known place are told apart by their files")
  func files() throws {
    let text = Array(
      #"{"resourceType":"Observation","id":"o","status":"final","code":{"text":"x"}}"#.utf8)
    let places = try ["Observation-1.json", "Observation-2.json"].map { file in
      let record = try ClinicalRecord(
        parsing: text, from: .init(fhirVersion: "4.0.1", file: file), for: try patient())
      return try content(record)["meta"]?["source"]?.text
    }
    #expect(
      places == [
        "urn:kiln:clinical-source:unknown:Observation:o:Observation-1.json",
        "urn:kiln:clinical-source:unknown:Observation:o:Observation-2.json",
      ])
  }

  @Test("what can't be taken says why")
  func refuses() throws {
    let patient = try patient()
    func reason(_ text: String, version: String? = nil) -> String? {
      do throws(ClinicalRecord.Refusal) {
        _ = try ClinicalRecord(
          parsing: Array(text.utf8), from: .init(fhirVersion: version), for: patient)
        return nil
      } catch {
        return error.reason
      }
    }
    #expect(reason("{") == "line 1, column 2: the JSON ends too early")
    #expect(reason("{}") == "it has no resourceType")
    #expect(
      reason(#"{"resourceType":"Observation"}"#, version: "3.0.1")
        == "it is in FHIR 3.0.1, and R4 and DSTU2 are understood")
    #expect(
      reason(#"{"resourceType":"Observation","status":"final"}"#, version: "4.0.1")?
        .hasPrefix("it is no valid resource of R4: Observation") == true)
    #expect(reason(#"{"resourceType":"Patient"}"#)?.contains("Patient") == true)
  }
}

extension JSONTree {
  fileprivate func text(of other: JSONTree) -> String {
    String(decoding: bytes + Array(" is not ".utf8) + other.bytes, as: UTF8.self)
  }

  /// The same with members in the order of their names.
  fileprivate var sorted: JSONTree {
    switch self {
    case .scalar: self
    case .array(let elements): .array(elements.map(\.sorted))
    case .object(let members):
      .object(
        members.sorted { $0.name < $1.name }.map { Member(name: $0.name, value: $0.value.sorted) })
    }
  }
}
