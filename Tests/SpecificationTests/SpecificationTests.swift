import FHIRModel
import Testing

@Suite("The specification's tables")
struct SpecificationTests {
  let specification = Specification.shared

  @Test("hold R4's 146 resource types, each found by its name and its position")
  func resourceTypes() {
    #expect(ResourceType.all.count == 146)
    for type in ResourceType.all {
      #expect(ResourceType(type.name) == type)
      #expect(ResourceType(position: type.position) == type)
    }
    #expect(ResourceType(position: 146) == nil)
  }

  @Test(
    "know no other resource type",
    arguments: [
      "", "observation", "Observations", "Resource", "DomainResource", "HumanName", "Citation",
    ])
  func noResourceType(name: String) {
    #expect(ResourceType(name) == nil)
  }

  @Test("give a type its own elements behind those that it inherits")
  func elements() throws {
    let observation = TypeID(try #require(ResourceType("Observation")))
    let names = specification.elements(of: observation).map(\.name)
    #expect(
      names == [
        "id", "meta", "implicitRules", "language", "text", "contained", "extension",
        "modifierExtension", "identifier", "basedOn", "partOf", "status", "category", "code",
        "subject", "focus", "encounter", "effective", "issued", "performer", "value",
        "dataAbsentReason", "interpretation", "note", "bodySite", "method", "specimen", "device",
        "referenceRange", "hasMember", "derivedFrom", "component",
      ])
    let required = specification.elements(of: observation).filter(\.isRequired).map(\.name)
    #expect(required == ["status", "code"])
  }

  @Test("name a choice by its type in JSON")
  func choice() throws {
    let observation = TypeID(try #require(ResourceType("Observation")))
    let value = try #require(specification.element("value", of: observation))
    #expect(value.isChoice && !value.isRepeating)
    #expect(
      value.properties.map(\.jsonName) == [
        "valueQuantity", "valueCodeableConcept", "valueString", "valueBoolean", "valueInteger",
        "valueRange", "valueRatio", "valueSampledData", "valueTime", "valueDateTime", "valuePeriod",
      ])
    #expect(specification.name(of: value.properties[0].type) == "Quantity")
  }

  @Test("give elements with children, and references to them, a type of their own")
  func backbones() throws {
    let component = try #require(specification.type(named: "Observation.component"))
    let range = try #require(specification.element("referenceRange", of: component))
    #expect(range.isRepeating)
    #expect(specification.name(of: range.properties[0].type) == "Observation.referenceRange")
    let names = specification.elements(of: range.properties[0].type).map(\.name)
    #expect(names.prefix(4) == ["id", "extension", "modifierExtension", "low"])
  }

  @Test("name what a reference may refer to")
  func targets() throws {
    let observation = TypeID(try #require(ResourceType("Observation")))
    let subject = try #require(specification.element("subject", of: observation))
    #expect(
      Set(subject.properties[0].targets.map(\.name)) == ["Patient", "Group", "Device", "Location"])
    let focus = try #require(specification.element("focus", of: observation))
    #expect(focus.properties[0].targets.isEmpty)
  }

  @Test("hold a type's search parameters and those that all types have")
  func searchParameters() throws {
    let observation = try #require(ResourceType("Observation"))
    let parameters = specification.searchParameters(of: observation)
    let codes = Set(parameters.map(\.code))
    #expect(
      codes.isSuperset(of: ["code", "date", "patient", "_id", "_lastUpdated", "_tag", "_text"]))
    #expect(codes.count == parameters.count)
    let patient = try #require(parameters.first { $0.code == "patient" })
    #expect(patient.kind == .reference)
    #expect(patient.expression == "Observation.subject.where(resolve() is Patient)")
    #expect(patient.url == "http://hl7.org/fhir/SearchParameter/clinical-patient")
    let focus = try #require(parameters.first { $0.code == "focus" })
    #expect(focus.targets == .any)
    let id = try #require(parameters.first { $0.code == "_id" })
    #expect(id.base == "Resource" && id.expression == "Resource.id" && id.kind == .token)
  }

  @Test("have an expression that can be read, or none, for every search parameter")
  func expressions() throws {
    var withoutExpression: Set<String> = []
    for type in ResourceType.all {
      for parameter in specification.searchParameters(of: type) {
        if parameter.expression.isEmpty { withoutExpression.insert(parameter.code) }
        guard !parameter.expression.isEmpty, parameter.kind != .composite else { continue }
        let read = try PathExpression(parameter.expression, of: type.name)
        #expect(!read.parts.isEmpty, "\(type) \(parameter.code)")
      }
    }
    #expect(withoutExpression == ["_text", "_content", "_query"])
  }

  @Test("part a composite parameter into its components")
  func composite() throws {
    let observation = try #require(ResourceType("Observation"))
    let parameter = try #require(
      specification.searchParameters(of: observation).first { $0.code == "code-value-date" })
    #expect(parameter.kind == .composite)
    #expect(parameter.components.map(\.code) == ["code", "value-date"])
    #expect(parameter.components.map(\.kind) == [.token, .date])
    #expect(
      parameter.components.map(\.expression) == [
        "code", "value.as(dateTime) | value.as(Period)",
      ])
  }

  @Test("know the Patient compartment")
  func compartment() throws {
    let members = specification.compartment("Patient")
    #expect(members.count == 66)
    #expect(members[try #require(ResourceType("Observation"))] == ["subject", "performer"])
    #expect(members[try #require(ResourceType("Task"))] == nil)
    #expect(
      specification.compartmentNames == [
        "Device", "Encounter", "Patient", "Practitioner", "RelatedPerson",
      ])
  }
}
