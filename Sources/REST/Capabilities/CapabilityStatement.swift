import Access
import FHIRModel

/// What this server can do, made of the tables that route and search, so that it can't claim what
/// isn't there.
///
/// - SeeAlso: https://hl7.org/fhir/R4/capabilitystatement.html
struct CapabilityStatement: Sendable {
  /// The day on which what is claimed last changed.
  private static let date = "2026-11-30"

  private let softwareVersion: String
  /// The member `resource`'s value, by far the largest part.
  private let resources: [UInt8]

  /// - Parameter offer: what the store offers of a type.
  init(softwareVersion: String, offer: (ResourceType) -> TypeOffer) {
    self.softwareVersion = softwareVersion
    var writer = JSONWriter()
    writer.array { writer in
      for type in ResourceType.all {
        ResourceCapability(type: type, offer: offer(type)).write(to: &writer)
      }
    }
    resources = writer.bytes
  }

  /// - Parameter base: the address of FHIR's base as the client sees it.
  func bytes(at base: String) -> [UInt8] {
    var writer = JSONWriter(reservingByteCount: resources.count + 2048)
    writer.object { writer in
      writer.member("resourceType", "CapabilityStatement")
      writer.member("status", "active")
      writer.member("date", Self.date)
      writer.member("kind", "instance")
      writer.member(
        "software",
        object: { writer in
          writer.member("name", "Kiln")
          writer.member("version", softwareVersion)
        })
      writer.member(
        "implementation",
        object: { writer in
          writer.member("description", "Kiln, a FHIR store for a person's wearable values")
          writer.member("url", base)
        })
      writer.member("fhirVersion", "4.0.1")
      writer.member(
        "format",
        array: { writer in
          writer.string("application/fhir+json")
          writer.string("json")
        })
      writer.member("rest", array: writeRest)
    }
    return writer.bytes
  }

  private func writeRest(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("mode", "server")
      writer.member(
        "security",
        object: { writer in
          writer.member("cors", true)
          writer.member(
            "description",
            "Every request but this one needs a token: Authorization: Bearer. An app sees what its "
              + "scopes and the person's Consents allow; what is not allowed does not exist for it."
          )
        })
      writer.name("resource")
      writer.raw(resources)
      writer.member(
        "interaction",
        array: { writer in
          for code in Routes.systemCodes { writer.object { $0.member("code", code) } }
        })
    }
  }
}

extension Routes {
  /// The codes of the interactions that are about everything.
  static var systemCodes: [String] {
    all.filter { $0.shape == .systemHistory }.compactMap(\.code)
  }

  /// The codes of the interactions with one resource type.
  static var typeCodes: [String] {
    all.filter { $0.shape != .systemHistory }.compactMap(\.code)
  }

  static func serves(_ method: String, _ shape: Place.Shape) -> Bool {
    all.contains { $0.method == method && $0.shape == shape }
  }
}
