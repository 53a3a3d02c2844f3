import Access
import FHIRModel
import HTTPFixtures
import REST
import Testing

/// - SeeAlso: https://hl7.org/fhir/R4/capabilitystatement.html
@Suite("The CapabilityStatement")
struct CapabilityTests {
  private func statement(of scene: Scene) async throws -> JSONValue {
    let response = await scene.response(
      to: Request(method: "GET", target: Array("/fhir/metadata".utf8)))
    // It must be valid itself.
    return try Resource(parsing: response.body, expecting: ResourceType("CapabilityStatement"))
      .document.root
  }

  private func rest(of scene: Scene) async throws -> JSONValue {
    try #require(try await statement(of: scene)["rest"]?.elements.first { _ in true })
  }

  private func resources(of scene: Scene) async throws -> [JSONValue] {
    Array(try #require(try await rest(of: scene)["resource"]).elements)
  }

  private func parameters(_ owner: JSONValue) -> [(name: String, kind: String)] {
    owner["searchParam"].map { list in
      list.elements.map { ($0["name"]?.string ?? "", $0["type"]?.string ?? "") }
    } ?? []
  }

  private func codes(_ resource: JSONValue) -> Set<String> {
    Set(resource["interaction"].map { $0.elements.compactMap { $0["code"]?.string } } ?? [])
  }

  @Test("names each type once and each of its parameters once")
  func uniqueNames() async throws {
    let rest = try await rest(of: try Scene())
    let common = parameters(rest).map(\.name)
    // What all types have stands once, beside them.
    #expect(
      Set(common) == ["_id", "_lastUpdated", "_profile", "_security", "_source", "_tag"])
    let resources = Array(try #require(rest["resource"]).elements)
    let types = resources.compactMap { $0["type"]?.string }
    // http://hl7.org/fhir/ValueSet/resource-types has 148, of which Resource and DomainResource
    // are abstract.
    #expect(types.count == 146)
    #expect(Set(types).count == types.count)  // cpb-9
    for resource in resources {
      let names = parameters(resource).map(\.name) + common
      #expect(Set(names).count == names.count)  // cpb-12
    }
  }

  @Test("says all of that in few bytes, and the same ones again")
  func size() async throws {
    let scene = try Scene()
    let request = Request(method: "GET", target: Array("/fhir/metadata".utf8))
    let first = await scene.response(to: request)
    #expect(first.body.count < 130_000)
    #expect(await scene.response(to: request).body == first.body)
  }

  @Test("says at each address what it is called there, with a tag of its own")
  func addresses() async throws {
    let scene = try Scene(address: .loopback(otherwise: "http://localhost/fhir"))
    var tags: Set<String> = []
    for host in ["localhost:1", "127.0.0.1:1", "localhost:1"] {
      let response = await scene.response(
        to: Request(
          method: "GET", target: Array("/fhir/metadata".utf8), headers: Headers(["Host": host])))
      let root = try JSONDocument(parsing: response.body).root
      #expect(root["implementation"]?["url"]?.string == "http://\(host)/fhir")
      tags.insert(try #require(response.headers["ETag"]))
    }
    #expect(tags.count == 2)
  }

  @Test("claims what is served, and of the server's own resources only reading")
  func interactions() async throws {
    let resources = try await resources(of: try Scene())
    let patient = try #require(resources.first { $0["type"]?.string == "Patient" })
    #expect(
      codes(patient) == [
        "read", "vread", "update", "delete", "history-instance", "history-type", "create",
        "search-type",
      ])
    #expect(patient["conditionalUpdate"]?.bool == true)
    #expect(patient["conditionalDelete"]?.string == "single")
    for name in ["AuditEvent", "Provenance"] {
      let resource = try #require(resources.first { $0["type"]?.string == name })
      #expect(codes(resource).isDisjoint(with: ["create", "update", "delete"]))
      #expect(codes(resource).isSuperset(of: ["read", "search-type"]))
      #expect(resource["conditionalCreate"]?.bool == false)
      #expect(resource["conditionalDelete"]?.string == "not-supported")
    }
  }

  @Test("claims no search parameter that a search refuses")
  func parametersAreTrue() async throws {
    let scene = try Scene()
    let caller = Caller(.operator(name: "tester"))
    let values = [
      "token": "a", "reference": "Patient/p", "date": "2026-11-30", "string": "a",
      "uri": "urn:a", "number": "1", "quantity": "1",
    ]
    let rest = try await rest(of: scene)
    for resource in try #require(rest["resource"]).elements {
      let typeName = try #require(resource["type"]?.string)
      let type = try #require(ResourceType(typeName))
      for (name, kind) in parameters(resource) + parameters(rest) {
        let value = try #require(values[kind], "\(type) \(name) is a \(kind)")
        let query = Query(
          type: type, parameters: [QueryParameter(name: name, value: value)], handling: .strict)
        let result = scene.store.perform(AccessRequest([.search(query)], by: caller)).first
        guard case .failure(let error)? = result else { continue }
        Testing.Issue.record("\(type)?\(name)=\(value): \(error)")
      }
    }
  }
}
