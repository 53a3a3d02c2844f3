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

  /// The values of the members `resource` and `searchParam`: all that doesn't depend on the address.
  private let resources: [UInt8]
  private let commonParameters: [UInt8]

  /// - Parameter offer: what the store offers of a type.
  init(offer: (ResourceType) -> TypeOffer) {
    let offers = ResourceType.all.map { ($0, offer($0)) }
    let common = Self.common(offers.map(\.1.searchParameters))
    let names = Set(common.map(\.code))
    var writer = JSONWriter()
    writer.array { writer in
      for (type, offer) in offers {
        ResourceCapability(type: type, offer: offer, common: names).write(to: &writer)
      }
    }
    resources = writer.bytes
    var commonWriter = JSONWriter()
    commonWriter.array { ResourceCapability.write(common, to: &$0) }
    commonParameters = commonWriter.bytes
  }

  /// The parameters that every one of the lists has.
  private static func common(_ lists: [[SearchParameterRow]]) -> [SearchParameterRow] {
    let names = lists.map { Set($0.map(\.code)) }
    return lists.first?.filter { row in names.allSatisfy { $0.contains(row.code) } } ?? []
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
          writer.member("name", Software.name)
          writer.member("version", Software.version)
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
      writer.name("searchParam")
      writer.raw(commonParameters)
    }
  }
}

/// The statement as it is answered, made when it is first asked for: that reads every search
/// parameter of every type, which a server that starts has no time for.
final class Capabilities: Sendable {
  /// The statement as clients see it who reach the server at one address.
  struct Prepared: Sendable {
    let base: String
    let bytes: [UInt8]
    let entityTag: String

    init(_ statement: CapabilityStatement, base: String) {
      self.base = base
      bytes = statement.bytes(at: base)
      entityTag = "W/\"\(String(Self.fingerprint(of: bytes), radix: 16))\""
    }

    /// FNV-1a: tells one text from another, and proves nothing.
    ///
    /// - SeeAlso: http://www.isthe.com/chongo/tech/comp/fnv/
    private static func fingerprint(of bytes: [UInt8]) -> UInt64 {
      bytes.reduce(0xcbf2_9ce4_8422_2325) { hash, byte in
        (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
      }
    }
  }

  private let made = Mutex<(statement: CapabilityStatement, last: Prepared)?>(nil)
  private let make: @Sendable () -> CapabilityStatement

  init(_ make: @escaping @Sendable () -> CapabilityStatement) { self.make = make }

  /// Nearly all requests come to the same address, so what was made for the last one is kept.
  func prepared(at base: String) -> Prepared {
    made.withLock { made in
      if let last = made?.last, last.base == base { return last }
      let statement = made?.statement ?? make()
      let prepared = Prepared(statement, base: base)
      made = (statement, prepared)
      return prepared
    }
  }
}

extension Routes {
  /// The codes of the interactions that are about everything.
  static var systemCodes: [String] { all.filter(\.isAboutEverything).compactMap(\.code) }

  /// The codes of the interactions with one resource type.
  static var typeCodes: [String] {
    all.filter { !$0.isAboutEverything }.compactMap(\.code)
  }

  static func serves(_ method: String, _ shape: Place.Shape) -> Bool {
    all.contains { $0.method == method && $0.shape == shape }
  }
}

extension Route {
  /// Whether it names no type.
  fileprivate var isAboutEverything: Bool {
    if case .system = handler { true } else { false }
  }
}
