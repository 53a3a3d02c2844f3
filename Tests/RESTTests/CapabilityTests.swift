import FHIRModel
import Testing

@testable import REST

/// - SeeAlso: https://hl7.org/fhir/R4/capabilitystatement.html#invs
@Suite("The CapabilityStatement")
struct CapabilityTests {
  private let auditEvent = ResourceType("AuditEvent")

  private func statement() throws -> JSONValue {
    let capabilities = CapabilityStatement(
      softwareVersion: "1.2.3",
      searchParameters: { Specification.shared.searchParameters(of: $0) },
      isReadOnly: { $0 == auditEvent })
    let bytes = capabilities.bytes(at: "https://store.example.org/fhir")
    // It must be valid itself.
    return try Resource(parsing: bytes, expecting: ResourceType("CapabilityStatement"))
      .document.root
  }

  private func resources() throws -> [JSONValue] {
    let rest = try #require(try statement()["rest"]?.elements.first { _ in true })
    return Array(try #require(rest["resource"]).elements)
  }

  private func codes(_ resource: JSONValue) -> [String] {
    resource["interaction"].map { $0.elements.compactMap { $0["code"]?.string } } ?? []
  }

  @Test("says what an instance must say")
  func invariants() throws {
    let root = try statement()
    // cpb-14: an instance has an implementation.
    #expect(root["kind"]?.string == "instance")
    #expect(root["implementation"]?["url"]?.string == "https://store.example.org/fhir")
    #expect(root["fhirVersion"]?.string == "4.0.1")
    #expect(root["software"]?["version"]?.string == "1.2.3")
  }

  @Test("names each type once and each of its parameters once")
  func uniqueNames() throws {
    let resources = try resources()
    let types = resources.compactMap { $0["type"]?.string }
    // R4 has 148 resource types, of which Resource and DomainResource are abstract.
    #expect(types.count == 146)
    #expect(Set(types).count == types.count)  // cpb-9
    for resource in resources {
      let names = resource["searchParam"]?.elements.compactMap { $0["name"]?.string } ?? []
      #expect(!names.isEmpty)
      #expect(Set(names).count == names.count)  // cpb-12
    }
  }

  @Test("claims what the routes serve, and of the server's own resources only reading")
  func interactions() throws {
    let resources = try resources()
    let patient = try #require(resources.first { $0["type"]?.string == "Patient" })
    #expect(
      Set(codes(patient)) == [
        "read", "vread", "update", "delete", "history-instance", "history-type", "create",
        "search-type",
      ])
    #expect(patient["conditionalUpdate"]?.bool == true)
    #expect(patient["conditionalDelete"]?.string == "single")
    let audit = try #require(resources.first { $0["type"]?.string == "AuditEvent" })
    #expect(Set(codes(audit)).isDisjoint(with: ["create", "update", "delete"]))
    #expect(audit["conditionalCreate"]?.bool == false)
    #expect(audit["conditionalDelete"]?.string == "not-supported")
  }

  @Test("has the codes that R4 knows")
  func codesAreKnown() {
    // http://hl7.org/fhir/ValueSet/type-restful-interaction and system-restful-interaction
    let known: Set<String> = [
      "read", "vread", "update", "patch", "delete", "history-instance", "history-type", "create",
      "search-type",
    ]
    #expect(Set(Routes.typeCodes).isSubset(of: known))
    #expect(
      Set(Routes.systemCodes).isSubset(of: [
        "transaction", "batch", "search-system", "history-system",
      ]))
  }
}
