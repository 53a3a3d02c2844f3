import FHIRModel
import Testing

@testable import Access

/// - SeeAlso: https://hl7.org/fhir/R4/http.html#search
@Suite("a search over several types")
struct SystemSearchTests {
  let scene: Scene
  /// Created in this order, types mixed.
  private static let order = [
    "Patient/a", "Observation/o1", "Condition/c1", "Observation/o2", "Condition/c2",
  ]

  init() throws {
    scene = try Scene()
    try scene.put(
      Sample.patient("a"), Sample.observation("o1", of: "a", effective: "2026-10-03"),
      Self.condition("c1"), Sample.observation("o2", of: "a", effective: "2026-10-01"),
      Self.condition("c2"))
    scene.clock.advance(seconds: 1)
    try scene.put(Sample.patient("b"))
  }

  private static func condition(_ id: String) -> String {
    """
    {"resourceType":"Condition","id":"\(id)","subject":{"reference":"Patient/a"},\
    "code":{"coding":[{"system":"http://loinc.org","code":"8867-4"}]}}
    """
  }

  private func search(
    _ text: String, _ handling: Query.Handling = .strict
  ) throws -> Interaction {
    let parsed = try Query(parsing: text, type: nil)
    return .search(try Query(overTypes: parsed.parameters, handling: handling))
  }

  private func page(_ text: String, by caller: Caller = Scene.operator) throws -> SearchPage {
    guard case .searchset(let page) = try scene.perform(try search(text), by: caller) else {
      throw TestFailure("not a searchset")
    }
    return page
  }

  /// All pages of two.
  private func found(_ text: String, by caller: Caller = Scene.operator) throws -> [String] {
    var ids: [String] = []
    var next = ""
    repeat {
      let page = try page("\(text)&_count=2\(next)", by: caller)
      #expect(page.matches.count <= 2)
      ids += page.matches.map(\.id.description)
      next = page.next.map { "&_page=\($0)" } ?? ""
    } while !next.isEmpty
    return ids
  }

  private func refusal(_ text: String, by caller: Caller = Scene.operator) throws
    -> InteractionError?
  {
    do { return try scene.refusal(of: try search(text), by: caller) } catch let error
      as InteractionError
    { return error }
  }

  @Test("finds what it finds of each, once and in the order of creation, on pages that fit")
  func pages() throws {
    #expect(try found("_type=Observation,Condition,Patient") == Self.order + ["Patient/b"])
    #expect(
      try found("_type=Condition,Observation&patient=a&code=8867-4")
        == Self.order.filter { !$0.hasPrefix("Patient") })
    let all = try found("_lastUpdated=lt2026-11-30T08:00:01Z")
    #expect(all.filter { !$0.hasPrefix("Provenance") } == Self.order)
    #expect(all.count == Self.order.count * 2)
    #expect(try found("_id=a,c2") == ["Patient/a", "Condition/c2"])
    #expect(try page("_type=Observation,Condition&_summary=count").total == 4)
    #expect(try page("_type=Observation,Condition&_count=1").total == 4)
  }

  @Test("puts all of them into the order asked for")
  func sorted() throws {
    #expect(
      try found("_type=Patient,Condition&_sort=-_id")
        == ["Condition/c2", "Condition/c1", "Patient/b", "Patient/a"])
    #expect(try found("_type=Patient,Observation&_sort=-_lastUpdated").first == "Patient/b")
    #expect(try refusal("_type=Patient,Observation&_sort=birthdate") != nil)
  }

  @Test("takes the parameters that all of the types have, and says so of others")
  func parameters() throws {
    guard
      case .invalidParameter("gender", let reason)? = try refusal(
        "_type=Patient,Observation&gender=male")
    else { throw TestFailure("not refused") }
    #expect(reason.contains("Observation"))
    #expect(
      try refusal("_type=Patient,Observation&nonsense=1") == .unknownParameter(name: "nonsense"))
    for text in ["_type=Patient,Nothing", "_type=Patient&_type=Group", "_type=patient"] {
      guard case .invalidParameter("_type", _)? = try refusal(text) else {
        throw TestFailure("\(text) is not refused")
      }
    }
    guard
      case .searchset(let page) = try scene.perform(
        try search("_type=Patient,Observation&gender=male", .lenient))
    else { throw TestFailure("not a searchset") }
    #expect(page.matches.count == 4)
    #expect(page.warnings.map(\.expression) == ["gender"])
    #expect(page.used == [QueryParameter(name: "_type", value: "Patient,Observation")])
  }

  @Test("has pages that fit no other search")
  func seals() throws {
    let page = try #require(try page("_type=Observation,Condition&_count=1").next)
    #expect(try refusal("_type=Observation,Patient&_page=\(page)") == .invalidPage)
    #expect(try refusal("_page=\(page)") == .invalidPage)
    #expect(
      try scene.refusal(
        of: try Scene.search("Observation?_page=\(page)"), by: Scene.operator) == .invalidPage)
  }

  @Test("shows an app what its Consent permits, within scopes that open all of the types")
  func access() throws {
    try scene.put(
      Sample.consent(
        "k", of: "a",
        Sample.permit(
          "app", #""class":[{"system":"http://hl7.org/fhir/resource-types","code":"Condition"}]"#)))
    let app = try Scene.app("app", for: "a", "patient/Observation.rs patient/Condition.rs")
    #expect(try found("_type=Observation,Condition", by: app) == ["Condition/c1", "Condition/c2"])
    #expect(try page("_type=Observation,Condition&_summary=count", by: app).total == 2)
    for text in ["_id=a", "_type=Observation,Patient"] {
      guard case .forbidden? = try refusal(text, by: app) else {
        throw TestFailure("\(text) is not refused")
      }
    }
    // A limit on one of the types can't be held against the others.
    let limited = try Scene.app(
      "app", for: "a", "patient/Observation.rs?category=vital-signs patient/Condition.rs")
    guard case .forbidden? = try refusal("_type=Observation,Condition", by: limited) else {
      throw TestFailure("not refused")
    }
    let person = try Scene.person("b")
    #expect(try found("_type=Patient,Observation", by: person) == ["Patient/b"])
  }

  @Test("leaves the access log to a search of its own, and is in it")
  func log() throws {
    guard case .invalidParameter("_type", _)? = try refusal("_type=AuditEvent,Patient") else {
      throw TestFailure("not refused")
    }
    #expect(try page("_type=AuditEvent").matches.isEmpty == false)
    _ = try page("_type=Observation,Condition&patient=a")
    let entries = try scene.page("AuditEvent?patient=a&subtype=search-system&outcome=0")
    #expect(entries.matches.count == 1)
    #expect(String(decoding: entries.contents[0], as: UTF8.self).contains("Condition/c2"))
  }
}
