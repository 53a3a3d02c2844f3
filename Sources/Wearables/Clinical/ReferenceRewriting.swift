import FHIRModel

/// Where a clinical record stood at the hospital.
struct RecordSource: Hashable, Sendable {
  /// The absolute URI of the hospital's server.
  let server: String
  /// The absolute URI of the record there.
  let address: String

  /// - Parameter provider: its URL may be the record's own or its server's.
  init(_ provider: ClinicalRecord.Provider, type: String, id: String?) {
    let url = provider.url.map { String($0.trimmingSuffix(while: { $0 == "/" })) }
    let place = [type, id].compactMap(\.self).joined(separator: "/")
    if let url, url.contains("://") || url.hasPrefix("urn:") {
      let ending = "/\(place)"
      server = url.hasSuffix(ending) ? String(url.dropLast(ending.count)) : Self.server(url, type)
      address = server == url ? "\(url)/\(place)" : url
    } else {
      let name = (provider.name ?? "unknown").utf8.map(Self.escaped).joined()
      server = "urn:kiln:clinical-source:\(name)"
      let file = provider.file.map { ":" + $0.utf8.map(Self.escaped).joined() } ?? ""
      address = "\(server):\(type):\(id ?? "")\(file)"
    }
  }

  /// What stands before `/Type/` in an address.
  private static func server(_ url: String, _ type: String) -> String {
    guard let range = url.firstRange(of: "/\(type)/") else { return url }
    return String(url[..<range.lowerBound])
  }

  private static func escaped(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
      return String(UnicodeScalar(byte))
    default:
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count == 1 ? "0" : "") + digits
    }
  }
}

/// Gives references a meaning outside the hospital: the person is the one in this store, all else is
/// named by its address at the hospital. Left as they were, `Practitioner/13` would name whoever has
/// that id here.
struct ReferenceRewriting {
  let source: RecordSource
  let patient: ResourceID
  /// How the record names the person.
  private let names: Set<String>

  private static let elementsOfPerson = ["patient", "subject", "beneficiary"]

  init(in resource: JSONTree, of source: RecordSource, patient: ResourceID) {
    self.source = source
    self.patient = patient
    names = Set(
      Self.elementsOfPerson.compactMap { resource[$0]?["reference"]?.text }
        .filter { $0.hasPrefix("Patient/") || $0.contains("/Patient/") })
  }

  func rewritten(_ resource: JSONTree) -> JSONTree {
    var resource = walked(resource)
    // The record is in the person's export, whether it says whose it is or not.
    for element in Self.elementsOfPerson where resource[element] != nil {
      var reference = resource[element] ?? .object([])
      if let inside = reference["reference"]?.text, inside.hasPrefix("#") {
        resource.removeContained(String(inside.dropFirst()))
      }
      reference.set("reference", to: .text(patient.description))
      resource.set(element, to: reference)
    }
    return resource
  }

  private func walked(_ value: JSONTree) -> JSONTree {
    switch value {
    case .scalar: return value
    case .array(let elements): return .array(elements.map(walked))
    case .object(let members):
      return .object(
        members.map { member in
          // An attachment's address may be relative too, `Binary/1`; an extension's never is.
          guard ["reference", "url"].contains(member.name), let text = member.value.text else {
            return JSONTree.Member(name: member.name, value: walked(member.value))
          }
          return JSONTree.Member(name: member.name, value: .text(resolved(text)))
        })
    }
  }

  /// `Type/id`, perhaps with a version, also of types that a later release doesn't have.
  private static func isRelative(_ reference: String) -> Bool {
    let parts = reference.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 4 && parts[2] == "_history" else { return false }
    return parts[0].first?.isUppercase == true && parts[0].allSatisfy { $0.isASCII && $0.isLetter }
      && LogicalID(parts[1]) != nil
  }

  private func resolved(_ reference: String) -> String {
    if names.contains(reference) { return patient.description }
    guard Self.isRelative(reference) else { return reference }
    return source.server.hasPrefix("urn:")
      ? "\(source.server):\(reference.replacing("/", with: ":"))" : "\(source.server)/\(reference)"
  }
}

extension JSONTree {
  fileprivate mutating func removeContained(_ id: String) {
    let others = self["contained"]?.elements.filter { $0["id"]?.text != id } ?? []
    if others.isEmpty { remove("contained") } else { set("contained", to: .array(others)) }
  }
}

extension String {
  fileprivate func trimmingSuffix(while matches: (Character) -> Bool) -> Substring {
    var rest = self[...]
    while let last = rest.last, matches(last) { rest.removeLast() }
    return rest
  }
}
