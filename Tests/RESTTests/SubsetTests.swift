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
    let tail =
      Self.modifier + #""status":"final","_status":{"id":"s"},"#
      + #""code":{"id":"c","coding":[{"system":"http://loinc.org","code":"8867-4"}],"#
      + #""text":"Heart rate"}}"#
    #expect(text.hasSuffix(#"</div>"},"# + tail))
    #expect(text.contains("SUBSETTED"))
    let data = try subset("_summary=data")
    #expect(!data.contains(#""text":{"#) && data.contains(#""note""#) && data.contains("SUBSETTED"))
    #expect(try subset("_summary=false") == Self.observation)
  }

  private static let modifier =
    #""modifierExtension":[{"url":"urn:m","valueBoolean":true}],"#

  @Test("holds what modifies the rest: no living person becomes of a dead one")
  func modifiers() throws {
    let patient =
      #"{"resourceType":"Patient","active":false,"gender":"male","deceasedBoolean":true}"#
    #expect(
      try subset("_elements=gender", of: patient)
        .hasSuffix(#""active":false,"gender":"male","deceasedBoolean":true}"#))
  }

  @Test("contains what it refers to, at every remove, and nothing else")
  func contained() throws {
    let contained = #""contained":[{"resourceType":"Device","id":"d"}],"#
    #expect(try subset("_elements=device").contains(contained))
    #expect(try !subset("_elements=note").contains("contained"))
    let provenance = """
      {"resourceType":"Provenance","contained":[{"resourceType":"Device","id":"d","parent":\
      {"reference":"#p"}},{"resourceType":"Device","id":"x"},{"resourceType":"Device","id":"p"}],\
      "target":[{"reference":"Observation/o"}],"recorded":"2026-11-30T08:00:00Z",\
      "agent":[{"who":{"reference":"#d"}}]}
      """
    for query in ["_elements=recorded", "_summary=true", "_summary=text"] {
      #expect(
        try subset(query, of: provenance).contains(
          ##""contained":[{"resourceType":"Device","id":"d","parent":{"reference":"#p"}},"##
            + #"{"resourceType":"Device","id":"p"}],"#), "\(query)")
    }
    #expect(try subset("_summary=data", of: provenance).contains(#""id":"x""#))
  }

  @Test("is of the elements that were named, with what is mandatory")
  func elements() throws {
    let status = Self.modifier + #""status":"final","_status":{"id":"s"},"#
    let code =
      #""code":{"id":"c","coding":[{"system":"http://loinc.org","code":"8867-4"}],"text":"#
      + #""Heart rate"}"#
    let value = #","valueQuantity":{"value":72.50,"code":"/min"}}"#
    for name in ["value", "valueQuantity"] {
      #expect(try subset("_elements=id,\(name)") == Self.head + status + code + value)
    }
    #expect(try subset("_elements=note") == Self.head + status + code + #","note":[{"text":"n"}]}"#)
  }

  @Test("says that it is one, so that it is never written back in the place of the whole")
  func mark() throws {
    func isMarked(_ text: String) throws -> Bool {
      Subset.isMarked(try JSONDocument(parsing: Array(text.utf8)).root)
    }
    #expect(try isMarked(try subset("_elements=status")))
    #expect(try !isMarked(Self.observation))
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
