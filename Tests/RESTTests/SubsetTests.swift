import FHIRModel
import Testing

@testable import REST

/// What is in a summary is what http://hl7.org/fhir/R4/observation.html and attachment.html mark
/// with Σ, mandatory or as modifying.
///
/// - SeeAlso: https://hl7.org/fhir/R4/search.html#summary
@Suite("A subset of a resource")
struct SubsetTests {
  private static let observation = """
    {"resourceType":"Observation","id":"o","meta":{"versionId":"3","lastUpdated":\
    "2026-11-30T08:00:00.000Z","tag":[{"code":"mine"}]},"text":{"status":"generated","div":\
    "<div xmlns=\\"http://www.w3.org/1999/xhtml\\">72</div>"},"contained":[{"resourceType":\
    "Device","id":"d"}],"extension":[{"url":"urn:x","valueBoolean":true}],\
    "modifierExtension":[{"url":"urn:m","valueBoolean":true}],"status":"final","_status":{"id":\
    "s"},"category":[{"text":"vital"}],"code":{"id":"c","coding":[{"system":"http://loinc.org",\
    "code":"8867-4"}],"text":"Heart rate"},"subject":{"reference":"Patient/a","extension":[{"url":\
    "urn:x","valueBoolean":true}]},"valueQuantity":{"value":72.50,"code":"/min"},"note":[{"text":\
    "n"}],"device":{"reference":"#d"},"component":[{"code":{"text":"c"},"valueString":"v",\
    "interpretation":[{"text":"high"}]}]}
    """

  private func subset(_ query: String, of text: String = observation) throws -> String {
    let parameters = try Query(parsing: query, type: nil).parameters
    let type = try JSONDocument(parsing: Array(text.utf8)).root["resourceType"]?.string
    let subset = try Subset(parameters, of: type.flatMap { ResourceType($0) }, isLenient: false)
    return String(decoding: try subset.applied(to: Array(text.utf8)), as: UTF8.self)
  }

  private static let head = """
    {"resourceType":"Observation","id":"o","meta":{"versionId":"3","lastUpdated":\
    "2026-11-30T08:00:00.000Z","tag":[{"code":"mine"},{"system":\
    "http://terminology.hl7.org/CodeSystem/v3-ObservationValue","code":"SUBSETTED","display":\
    "subsetted"}]},
    """

  @Test("is a summary: what the definitions mark, at every depth, to the letter")
  func summary() throws {
    let expected =
      Self.head + """
        "modifierExtension":[{"url":"urn:m","valueBoolean":true}],"status":"final","_status":{"id":\
        "s"},"code":{"coding":[{"system":"http://loinc.org","code":"8867-4"}],"text":"Heart rate"},\
        "subject":{"reference":"Patient/a"},"valueQuantity":{"value":72.50,"code":"/min"},\
        "component":[{"code":{"text":"c"},"valueString":"v"}]}
        """
    #expect(try subset("_summary=true") == expected)
  }

  @Test("is the text with what is mandatory, or all but the text")
  func textAndData() throws {
    let text = try subset("_summary=text")
    #expect(
      text.hasSuffix(
        #"</div>"},"status":"final","_status":{"id":"s"},"code":{"id":"c","coding":[{"#
          + #""system":"http://loinc.org","code":"8867-4"}],"text":"Heart rate"}}"#))
    #expect(text.contains("SUBSETTED"))
    let data = try subset("_summary=data")
    #expect(!data.contains(#""text":{"#) && data.contains(#""note""#) && data.contains("SUBSETTED"))
    #expect(try subset("_summary=false") == Self.observation)
  }

  @Test("is of the elements that were named, with what is mandatory")
  func elements() throws {
    let status = #""status":"final","_status":{"id":"s"},"#
    let code =
      #""code":{"id":"c","coding":[{"system":"http://loinc.org","code":"8867-4"}],"text":"#
      + #""Heart rate"}"#
    let value = #","valueQuantity":{"value":72.50,"code":"/min"}}"#
    for name in ["value", "valueQuantity"] {
      #expect(try subset("_elements=id,\(name)") == Self.head + status + code + value)
    }
    #expect(try subset("_elements=note") == Self.head + status + code + #","note":[{"text":"n"}]}"#)
  }

  @Test("is refused where it can't be understood")
  func refusals() {
    for query in ["_elements=nonsense", "_elements=component.code", "_elements=note&_summary=true"]
    {
      #expect(throws: InteractionError.self, "\(query)") { try subset(query) }
    }
  }

  @Test("has a tag also where there was no meta, each element as far as it says something")
  func others() throws {
    let document = """
      {"resourceType":"DocumentReference","status":"current","content":[{"attachment":{"data":"QQ==",\
      "title":"a"}},{"attachment":{"data":"QQ=="}}]}
      """
    #expect(
      try subset("_summary=true", of: document) == """
        {"meta":{"tag":[{"system":"http://terminology.hl7.org/CodeSystem/v3-ObservationValue",\
        "code":"SUBSETTED","display":"subsetted"}]},"resourceType":"DocumentReference","status":\
        "current","content":[{"attachment":{"title":"a"}},{"attachment":{"data":"QQ=="}}]}
        """)
  }
}
