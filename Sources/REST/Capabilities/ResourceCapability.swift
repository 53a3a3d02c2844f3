import FHIRModel

/// What can be done with resources of one type.
struct ResourceCapability: Sendable {
  var type: ResourceType
  /// Only this server itself writes resources of the type.
  var isReadOnly: Bool
  var searchParameters: [SearchParameterRow]

  private static let writingCodes: Set<String> = ["create", "update", "delete"]

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("type", type.name)
      writer.member("profile", "http://hl7.org/fhir/StructureDefinition/\(type.name)")
      writer.member("interaction", array: writeInteractions)
      writer.member("versioning", "versioned-update")
      writer.member("readHistory", Routes.serves("GET", .version))
      writer.member("updateCreate", !isReadOnly && Routes.serves("PUT", .instance))
      writer.member("conditionalCreate", !isReadOnly && Routes.serves("POST", .type))
      writer.member("conditionalRead", "full-support")
      writer.member("conditionalUpdate", !isReadOnly && Routes.serves("PUT", .type))
      let isDeletedByCriteria = !isReadOnly && Routes.serves("DELETE", .type)
      writer.member("conditionalDelete", isDeletedByCriteria ? "single" : "not-supported")
      guard !searchParameters.isEmpty else { return }
      writer.member("searchParam", array: writeSearchParameters)
    }
  }

  private func writeInteractions(to writer: inout JSONWriter) {
    for code in Routes.typeCodes where !(isReadOnly && Self.writingCodes.contains(code)) {
      writer.object { $0.member("code", code) }
    }
  }

  private func writeSearchParameters(to writer: inout JSONWriter) {
    var names: Set<String> = []
    for parameter in searchParameters where names.insert(parameter.code).inserted {
      writer.object { writer in
        writer.member("name", parameter.code)
        writer.member("definition", parameter.url)
        writer.member("type", parameter.kind.rawValue)
      }
    }
  }
}
