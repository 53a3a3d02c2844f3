import Access
import FHIRModel

/// What can be done with resources of one type: what the routes serve and the store offers.
///
/// What R4 settles by itself is left out: the profile of a type, and what defines a parameter that
/// has one of the specification's names.
struct ResourceCapability: Sendable {
  var type: ResourceType
  var offer: TypeOffer
  /// The parameters of all types, which the statement lists once.
  var common: Set<String>

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("type", type.name)
      writer.member("interaction", array: writeInteractions)
      writer.member("versioning", "versioned-update")
      writer.member("readHistory", can(.vread, by: "GET", .version))
      writer.member("updateCreate", can(.update, by: "PUT", .instance))
      writer.member("conditionalCreate", can(.create, by: "POST", .type))
      writer.member("conditionalRead", "full-support")
      writer.member("conditionalUpdate", can(.update, by: "PUT", .type))
      let isDeletedByCriteria = can(.delete, by: "DELETE", .type)
      writer.member("conditionalDelete", isDeletedByCriteria ? "single" : "not-supported")
      let own = offer.searchParameters.filter { !common.contains($0.code) }
      guard !own.isEmpty else { return }
      writer.member("searchParam", array: { Self.write(own, to: &$0) })
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

  /// Each name once.
  static func write(_ parameters: [SearchParameterRow], to writer: inout JSONWriter) {
    var names: Set<String> = []
    for parameter in parameters where names.insert(parameter.code).inserted {
      writer.object { writer in
        writer.member("name", parameter.code)
        writer.member("type", parameter.kind.rawValue)
      }
    }
  }
}
