import Access
import FHIRModel
import Synchronization

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
  private let resourcesFingerprint: UInt64

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
    resourcesFingerprint = fingerprint(of: resources)
  }

  /// The entity tag of `bytes(at:)`, without writing those: they are long.
  func entityTag(at base: String) -> String {
    let others = Array("\(base) \(softwareVersion) \(Self.date)".utf8)
    return "W/\"\(String(fingerprint(of: others, after: resourcesFingerprint), radix: 16))\""
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

/// FNV-1a: tells one text from another, and proves nothing.
///
/// - SeeAlso: http://www.isthe.com/chongo/tech/comp/fnv/
private func fingerprint(
  of bytes: [UInt8], after start: UInt64 = 0xcbf2_9ce4_8422_2325
) -> UInt64 {
  bytes.reduce(start) { hash, byte in (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
}

/// The statement, made when it is first asked for: that reads every search parameter of every type,
/// which a server that starts has no time for.
final class Capabilities: Sendable {
  private let made = Mutex<CapabilityStatement?>(nil)
  private let make: @Sendable () -> CapabilityStatement

  init(_ make: @escaping @Sendable () -> CapabilityStatement) { self.make = make }

  var statement: CapabilityStatement {
    made.withLock { made in
      let statement = made ?? make()
      made = statement
      return statement
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
