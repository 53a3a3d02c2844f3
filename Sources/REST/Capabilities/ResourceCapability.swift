import Access
import FHIRModel

/// What can be done with resources of one type: what the routes serve and the store offers.
struct ResourceCapability: Sendable {
  var type: ResourceType
  var offer: TypeOffer

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("type", type.name)
      writer.member("profile", "http://hl7.org/fhir/StructureDefinition/\(type.name)")
      writer.member("interaction", array: writeInteractions)
      writer.member("versioning", "versioned-update")
      writer.member("readHistory", can(.vread, by: "GET", .version))
      writer.member("updateCreate", can(.update, by: "PUT", .instance))
      writer.member("conditionalCreate", can(.create, by: "POST", .type))
      writer.member("conditionalRead", "full-support")
      writer.member("conditionalUpdate", can(.update, by: "PUT", .type))
      let isDeletedByCriteria = can(.delete, by: "DELETE", .type)
      writer.member("conditionalDelete", isDeletedByCriteria ? "single" : "not-supported")
      guard !offer.searchParameters.isEmpty else { return }
      writer.member("searchParam", array: writeSearchParameters)
    }
  }

  private func can(_ code: InteractionCode, by method: String, _ shape: Place.Shape) -> Bool {
    offer.codes.contains(code) && Routes.serves(method, shape)
  }

  private func writeInteractions(to writer: inout JSONWriter) {
    let offered = Set(offer.codes.map(\.text))
    for code in Routes.typeCodes where offered.contains(code) {
      writer.object { $0.member("code", code) }
    }
  }

  private func writeSearchParameters(to writer: inout JSONWriter) {
    var names: Set<String> = []
    for parameter in offer.searchParameters where names.insert(parameter.code).inserted {
      writer.object { writer in
        writer.member("name", parameter.code)
        writer.member("definition", parameter.url)
        writer.member("type", parameter.kind.rawValue)
      }
    }
  }
}
