import FHIRModel
import KeyValue

/// References to resources, and canonical addresses.
///
/// `Type/id`, relative or under this server's own address, stands under the type and the interned
/// reference. Any other address stands under its hash, without version, and is rechecked; so does
/// the identifier of a Reference.
///
/// - SeeAlso: https://hl7.org/fhir/R4/search.html#reference
enum ReferenceParameter {
  /// The first byte of a key behind the unit's, above the positions of all types.
  fileprivate enum Tag {
    static let identifier: UInt8 = 0xFD
    static let address: UInt8 = 0xFE
  }

  static func write(_ value: PathValue, to writer: inout EntryWriter) {
    switch value.type {
    case .reference: write(reference: value.value, to: &writer)
    case .resource:
      guard let target = ResourceID(embedded: value.value) else { return writer.writePresence() }
      writer.write([target.type.position], terms: [.reference(target)])
    default:
      guard let address = value.value.string else { return writer.writePresence() }
      write(literal: address, to: &writer)
    }
  }

  private static func write(reference: JSONValue, to writer: inout EntryWriter) {
    var isSearchable = false
    if let text = reference[.reference]?.string {
      isSearchable = true
      write(literal: text, to: &writer)
    }
    if let identifier = reference[.identifier], let value = identifier[.value]?.string {
      isSearchable = true
      writer.write(
        [Tag.identifier] + hash(value), terms: [identifier[.system]?.string.map(Term.system)])
    }
    if !isSearchable { writer.writePresence() }
  }

  private static func write(literal text: String, to writer: inout EntryWriter) {
    if let target = ResourceID(literal: text, addresses: writer.configuration.addresses) {
      writer.write([target.type.position], terms: [.reference(target)])
    } else {
      writer.write([Tag.address] + hash(unversioned(text)))
    }
  }

  fileprivate static func hash(_ text: some StringProtocol) -> [UInt8] {
    Key().appending(stableHash(text.utf8)).bytes
  }

  /// An address without `|version` or `/_history/version`.
  fileprivate static func unversioned(_ address: String) -> Substring {
    ReferenceText.logicalPart(of: address).prefix { $0 != "|" }
  }

  /// The references of a unit that may name `target`: for `:missing` of a parameter that takes
  /// only those.
  static func selections(naming target: ResourceType, in unit: Unit) -> [Selection] {
    [
      .range(unit.range([target.position])),
      .range(KeyRange(from: unit.key([Tag.identifier]), to: unit.range.upper), .perhaps),
    ]
  }

  /// What references are sorted by: their text.
  static func sortKey(of value: PathValue) -> [UInt8]? {
    let text = value.type == .reference ? value.value[.reference]?.string : value.value.string
    return text.map { Array($0.utf8) }
  }
}

extension ResourceID {
  /// The resource that a literal reference leads to on this server; `nil` for any other.
  init?(literal text: String, addresses: OwnAddresses) {
    self.init(addresses.relative(ReferenceText.logicalPart(of: text)))
  }

  /// The identity of a resource that stands inside another.
  init?(embedded resource: JSONValue) {
    guard let name = resource[.resourceType]?.string, let type = ResourceType(name),
      let text = resource[.id]?.string, let id = LogicalID(text)
    else { return nil }
    self.init(type, id)
  }
}

/// `id`, `Type/id` or an address.
///
/// A bare id means the resources of that id of every type the parameter leads to. A versioned
/// reference means its resource, whatever the version.
struct ReferenceMatch: ValueMatch {
  /// The resources of this server that are meant.
  var targets: [ResourceID]
  /// The address that is meant, where it is none of this server's resources.
  let address: String?
  let addresses: OwnAddresses

  /// - Parameter types: the types that a bare id may be of.
  init(parsing text: String, types: [ResourceType], addresses: OwnAddresses) throws(ValueError) {
    let text = EscapedText.unescape(text)
    self.addresses = addresses
    if let id = LogicalID(text) {
      targets = types.map { ResourceID($0, id) }
      address = nil
    } else if let target = ResourceID(literal: text, addresses: addresses) {
      targets = [target]
      address = nil
    } else {
      guard text.contains(":") || text.contains("/") || text.hasPrefix("#") else {
        throw ValueError(reason: "a reference is an id, Type/id or an absolute address")
      }
      targets = []
      address = text
    }
  }

  func selections(
    in unit: Unit, terms: Terms, reader: borrowing Reader
  ) throws -> [Selection] {
    if let address {
      let hash = ReferenceParameter.hash(ReferenceParameter.unversioned(address))
      return [.key(unit.key([ReferenceParameter.Tag.address] + hash), .perhaps)]
    }
    var selections: [Selection] = []
    for target in targets {
      guard let number = try terms.lookup(.reference(target), in: reader) else { continue }
      selections.append(.key(unit.key([target.type.position]).appending(number)))
    }
    return selections
  }

  func matches(_ value: PathValue) -> Bool {
    switch value.type {
    case .reference: value.value[.reference]?.string.map(matches(text:)) ?? false
    case .resource: ResourceID(embedded: value.value).map(targets.contains) ?? false
    default: value.value.string.map(matches(text:)) ?? false
    }
  }

  private func matches(text: String) -> Bool {
    if let target = ResourceID(literal: text, addresses: addresses) {
      return targets.contains(target)
    }
    guard let address else { return false }
    return text == address || !address.contains("|") && text.hasPrefix(address + "|")
  }
}

/// `:identifier`: the Reference's own identifier, as a token. Nothing is followed.
struct ReferenceIdentifierMatch: ValueMatch {
  let token: TokenMatch

  init(parsing text: String) throws(ValueError) {
    token = try TokenMatch(parsing: text)
  }

  func selections(
    in unit: Unit, terms: Terms, reader: borrowing Reader
  ) -> [Selection] {
    let hash = token.code.map { ReferenceParameter.hash($0) } ?? []
    return [.range(unit.range([ReferenceParameter.Tag.identifier] + hash), .perhaps)]
  }

  func matches(_ value: PathValue) -> Bool {
    guard value.type == .reference, let identifier = value.value[.identifier] else { return false }
    return token.matches(PathValue(identifier, .identifier))
  }
}
