import FHIRModel
import Testing

@Suite("A resource is taken if it is what R4 defines for its type, else refused at its place")
struct ResourceTests {
  /// The issues that reading the text gives, each as `code place`.
  static func issues(_ text: String) -> [String] {
    do throws(InteractionError) {
      _ = try Resource(parsing: Array(text.utf8))
      return []
    } catch {
      guard case .invalid(let issues) = error else { return ["\(error)"] }
      return issues.map { "\($0.code.rawValue) \($0.expression ?? "")" }
    }
  }

  static func observation(_ members: String) -> String {
    #"{"resourceType":"Observation","status":"final","code":{"text":"x"},\#(members)}"#
  }

  static func patient(_ members: String) -> String {
    #"{"resourceType":"Patient",\#(members)}"#
  }

  @Test(
    "taken",
    arguments: [
      #"{"resourceType":"Patient"}"#,
      #"{"status":"final","code":{"text":"x"},"resourceType":"Observation"}"#,
      observation(#""valueQuantity":{"value":1.50,"unit":"kg"}"#),
      observation(#""component":[{"code":{"text":"x"},"valueInteger":-5}]"#),
      observation(#""component":[{"code":{"text":"x"},"referenceRange":[{"text":"y"}]}]"#),
      observation(#""subject":{"reference":"Patient/1"},"performer":[{"display":"someone"}]"#),
      observation(#""subject":{"reference":"http://elsewhere.example/fhir/Patient/1/_history/2"}"#),
      observation(#""subject":{"reference":"urn:uuid:7a9c1dbb-1a3a-4ae5-8f4f-6bd8a2b6e9f1"}"#),
      observation(
        ##""subject":{"reference":"#p"},"contained":[{"resourceType":"Patient","id":"p"}]"##),
      observation(#""focus":[{"reference":"Basic/1"}]"#),
      patient(
        #""birthDate":"1970-03-30","_birthDate":{"extension":[{"url":"u:x","valueCode":"a"}]}"#),
      patient(#""_birthDate":{"id":"x"}"#),
      patient(#""name":[{"given":["A",null],"_given":[null,{"id":"g"}]}]"#),
      patient(#""name":[{"given":["A","B"],"_given":[{"id":"f"},{"id":"g"}]}]"#),
      patient(#""deceasedBoolean":false,"_deceasedBoolean":{"id":"x"}"#),
      patient(#""multipleBirthInteger":2147483647,"photo":[{"data":"YWJj\nZGU="}]"#),
      patient(
        ##""text":{"status":"generated","div":"<div xmlns=\"http://www.w3.org/1999/xhtml\">x</div>"}"##
      ),
      patient(#""extension":[{"url":"u:x","extension":[{"url":"y","valueMarkdown":" a\n\tb "}]}]"#),
      #"{"resourceType":"Patient","\u0067ender":"fem\u0061le"}"#,
      #"{"resourceType":"Bundle","type":"collection","entry":[{"resource":{"resourceType":"Basic","code":{"text":"x"}}}]}"#,
      #"{"resourceType":"Parameters","parameter":[{"name":"a","part":[{"name":"b","resource":{"resourceType":"Patient"}}]}]}"#,
      #"{"resourceType":"Questionnaire","status":"draft","item":[{"linkId":"1","type":"group","item":[{"linkId":"2","type":"string"}]}]}"#,
      // A required element may have an extension in place of its value.
      #"{"resourceType":"Observation","_status":{"extension":[{"url":"u:x","valueCode":"a"}]},"code":{"text":"x"}}"#,
    ])
  func taken(text: String) {
    #expect(Self.issues(text) == [])
  }

  @Test(
    "refused",
    arguments: [
      ("{", "structure "),
      (#"[{"resourceType":"Patient"}]"#, "structure "),
      (#"{"id":"1"}"#, "required resourceType"),
      (#"{"resourceType":"Patients"}"#, "value resourceType"),
      (#"{"resourceType":"DomainResource"}"#, "value resourceType"),
      (#"{"resourceType":"HumanName"}"#, "value resourceType"),
      // Names
      (patient(#""foo":"bar""#), "structure Patient.foo"),
      (patient(#""Active":true"#), "structure Patient.Active"),
      (patient(#""_name":[{"id":"x"}]"#), "structure Patient._name"),
      (
        patient(#""name":[{"resourceType":"HumanName","text":"x"}]"#),
        "structure Patient.name[0].resourceType"
      ),
      (patient(#""value":"x""#), "structure Patient.value"),
      (observation(#""value":1"#), "structure Observation.value"),
      (observation(#""valueDecimal":1.0"#), "structure Observation.valueDecimal"),
      (observation(#""code":{"text":"y"}"#), "structure code"),
      // Cardinality
      (#"{"resourceType":"Observation","code":{"text":"x"}}"#, "required Observation"),
      (
        observation(#""component":[{"code":{"text":"x"}},{"valueString":"x"}]"#),
        "required Observation.component[1]"
      ),
      (patient(#""name":{"family":"x"}"#), "structure Patient.name"),
      (patient(#""gender":["male"]"#), "structure Patient.gender"),
      (patient(#""name":[[{"family":"x"}]]"#), "structure Patient.name[0]"),
      (
        observation(#""valueString":"x","valueInteger":1"#),
        "structure Observation.value.ofType(integer)"
      ),
      (
        observation(#""valueString":"x","_valueInteger":{"id":"x"}"#),
        "structure Observation.value.ofType(integer)"
      ),
      // null and what is empty
      (patient(#""active":null"#), "structure Patient.active"),
      (patient(#""name":[null]"#), "structure Patient.name[0]"),
      (patient(#""name":[{"given":[null]}]"#), "structure Patient.name[0].given[0]"),
      (
        patient(#""name":[{"given":["x",null],"_given":[{"id":"x"},null]}]"#),
        "structure Patient.name[0].given[1]"
      ),
      (
        patient(#""name":[{"given":["x","y"],"_given":[{"id":"x"}]}]"#),
        "structure Patient.name[0].given"
      ),
      (patient(#""name":[{"_given":[null,{"id":"x"}]}]"#), "structure Patient.name[0].given[0]"),
      (patient(#""_birthDate":{"foo":"x"}"#), "structure Patient.birthDate.foo"),
      (patient(#""_birthDate":[{"id":"x"}]"#), "structure Patient.birthDate"),
      (patient(#""name":[]"#), "structure Patient.name"),
      (patient(#""maritalStatus":{}"#), "structure Patient.maritalStatus"),
      (patient(#""_birthDate":{}"#), "structure Patient.birthDate"),
      (patient(#""name":[{"_given":[]}]"#), "structure Patient.name[0].given"),
      (patient(#""language":"""#), "value Patient.language"),
      // Kinds of value
      (patient(#""active":"true""#), "structure Patient.active"),
      (patient(#""birthDate":1970"#), "structure Patient.birthDate"),
      (patient(#""contact":["x"]"#), "structure Patient.contact[0]"),
      (
        observation(#""valueQuantity":{"value":"1.5"}"#),
        "structure Observation.value.ofType(Quantity).value"
      ),
      // Codes and references
      (patient(#""gender":"M""#), "code-invalid Patient.gender"),
      (patient(#""name":[{"use":"Official"}]"#), "code-invalid Patient.name[0].use"),
      (
        observation(#""subject":{"reference":"Organization/1"}"#),
        "value Observation.subject.reference"
      ),
      (
        observation(#""subject":{"reference":"http://x.example/fhir/Organization/1"}"#),
        "value Observation.subject.reference"
      ),
      (
        observation(#""performer":[{"display":"x"},{"type":"Device"}]"#),
        "value Observation.performer[1].type"
      ),
      // Resources within
      (patient(#""contained":[{"id":"x"}]"#), "required Patient.contained[0]"),
      (
        patient(#""contained":[{"resourceType":"Foo"}]"#), "value Patient.contained[0].resourceType"
      ),
      (
        patient(#""contained":[{"resourceType":"Observation","code":{"text":"x"}}]"#),
        "required Patient.contained[0]"
      ),
      (
        #"{"resourceType":"Bundle","type":"batch","entry":[{"resource":{"resourceType":"Patient","foo":1}}]}"#,
        "structure Bundle.entry[0].resource.foo"
      ),
      (patient(#""extension":[{"valueString":"x"}]"#), "required Patient.extension[0]"),
      (
        patient(#""extension":[{"url":"u:x","valueString":"x","valueCode":"x"}]"#),
        "structure Patient.extension[0].value.ofType(code)"
      ),
      (
        #"{"resourceType":"Questionnaire","status":"draft","item":[{"linkId":"1","type":"group","item":[{"type":"string"}]}]}"#,
        "required Questionnaire.item[0].item[0]"
      ),
    ])
  func refused(text: String, issue: String) {
    #expect(Self.issues(text) == [issue])
  }

  @Test("all faults are named, up to twenty")
  func manyFaults() {
    #expect(
      Self.issues(#"{"resourceType":"Observation","status":"x","foo":1,"issued":"2026"}"#) == [
        "code-invalid Observation.status", "structure Observation.foo",
        "value Observation.issued", "required Observation",
      ])
    let unknown = (0..<100).map { "\"x\($0)\":1" }.joined(separator: ",")
    #expect(Self.issues(Self.patient(unknown)).count == 20)
  }

  @Test("another type than the expected one is refused")
  func expected() throws {
    let patient = Array(#"{"resourceType":"Patient"}"#.utf8)
    _ = try Resource(parsing: patient, expecting: ResourceType("Patient"))
    #expect(throws: InteractionError.self) {
      try Resource(parsing: patient, expecting: ResourceType("Observation"))
    }
  }
}
