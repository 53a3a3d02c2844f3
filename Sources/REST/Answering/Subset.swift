import FHIRModel

/// Which elements of each resource are answered: `_summary` and `_elements`.
///
/// What may be seen is decided before: a subset only leaves out of what would be answered anyway.
///
/// - SeeAlso: https://hl7.org/fhir/R4/search.html#summary, https://hl7.org/fhir/R4/search.html#elements
enum Subset: Hashable, Sendable {
  case whole
  /// What the definitions mark as part of a summary, or as mandatory or modifying.
  case summary
  /// `text` and what is mandatory or modifying.
  case text
  /// Everything but `text`.
  case data
  /// These, by their names in the definition (`value`) or in JSON (`valueQuantity`), and what is
  /// mandatory or modifying: without it, what is left may be read as its contrary.
  case elements(Set<String>)

  static let elementsParameter = "_elements"
  static let summaryParameter = "_summary"

  /// Whether a parameter says which elements to answer. `_summary=count` asks for something else.
  static func isNamed(by parameter: QueryParameter) -> Bool {
    parameter.name == elementsParameter
      || parameter.name == summaryParameter && bySummary[parameter.value] != nil
  }

  private static let bySummary: [String: Subset] = [
    "true": .summary, "text": .text, "data": .data, "false": .whole,
  ]

  /// - Parameters:
  ///   - parameters: among others those of which `isNamed` holds.
  ///   - type: what is answered; `nil` for anything.
  /// - Throws: `InteractionError.invalidParameter` for both parameters at once, and for an element
  ///   that there isn't or a second `_summary`, unless the client asked to pass over such.
  init(
    _ parameters: [QueryParameter], of type: ResourceType?, isLenient: Bool
  ) throws(InteractionError) {
    let summaries = parameters.filter { $0.name == Self.summaryParameter && !$0.value.isEmpty }
    guard summaries.count <= 1 || isLenient else {
      throw .invalidParameter(name: Self.summaryParameter, reason: "it is given twice")
    }
    self = summaries.first.flatMap { Self.bySummary[$0.value] } ?? .whole
    var names: Set<String> = []
    for parameter in parameters where parameter.name == Self.elementsParameter {
      for name in parameter.value.split(separator: ",") {
        let name = String(name.filter { $0 != " " })
        if !isLenient { try Self.check(name, of: type) }
        names.insert(name)
      }
    }
    guard !names.isEmpty else { return }
    guard self == .whole else {
      throw .invalidParameter(
        name: Self.elementsParameter, reason: "it can't be given together with _summary")
    }
    self = .elements(names)
  }

  private static func check(_ name: String, of type: ResourceType?) throws(InteractionError) {
    let types = type.map { [$0] } ?? ResourceType.all
    let exists = types.contains { type in
      Specification.shared.elements(of: TypeID(type)).contains { $0.isNamed(name) }
    }
    guard !exists else { return }
    let owner = type?.name ?? "no resource"
    let words = type == nil ? "has an element" : "has no element"
    throw .invalidParameter(
      name: elementsParameter, reason: "\(owner) \(words) '\(name)' at its root")
  }
}

extension Subset {
  /// The resource with these elements alone, tagged as a subset; the letters of what is left stay.
  ///
  /// - Parameter resource: a valid resource.
  func applied(to resource: [UInt8]) throws -> [UInt8] {
    guard self != .whole else { return resource }
    let root = try JSONDocument(parsing: resource).root
    guard let name = root["resourceType"]?.string, let type = ResourceType(name) else {
      return resource
    }
    let bytes = written(root, of: TypeID(type), containing: [])
    guard root[Self.containedName] != nil else { return bytes }
    let needed = root.contained(neededBy: try JSONDocument(parsing: bytes).root)
    return needed.isEmpty ? bytes : written(root, of: TypeID(type), containing: needed)
  }

  private static let containedName = "contained"

  private func written(
    _ root: JSONValue, of type: TypeID, containing contained: [JSONValue]
  ) -> [UInt8] {
    var writer = JSONWriter(reservingByteCount: root.rawBytes.count + 128)
    writer.object { write(root, of: type, containing: contained, to: &$0) }
    return writer.bytes
  }

  private func write(
    _ root: JSONValue, of type: TypeID, containing contained: [JSONValue],
    to writer: inout JSONWriter
  ) {
    let elements = Specification.shared.elements(of: type)
    if root["meta"] == nil { writer.member("meta", object: { Self.write(meta: nil, to: &$0) }) }
    for member in root.members {
      let name = member.name
      if name == "meta" {
        writer.member("meta", object: { Self.write(meta: member.value, to: &$0) })
      } else if name == "resourceType" || name == "id" {
        writer.member(name, raw: member.value)
      } else if let (element, property) = elements.found(by: name), keeps(element, as: name) {
        writer.name(name)
        if self == .summary {
          Self.write(
            summaryOf: member.value, property.type, isTwin: name.hasPrefix("_"), to: &writer)
        } else {
          writer.raw(member.value.rawBytes)
        }
      } else if name == Self.containedName, !contained.isEmpty {
        writer.member(name, array: { for item in contained { $0.raw(item.rawBytes) } })
      }
    }
  }

  private func keeps(_ element: Element, as name: String) -> Bool {
    switch self {
    case .whole: true
    case .summary: element.isInSummary
    case .text: element.name == "text" || element.isRequired || element.isModifier
    case .data: element.name != "text"
    case .elements(let names):
      element.isRequired || element.isModifier || names.contains(element.name)
        || names.contains(String(name.drop { $0 == "_" }))
    }
  }

  /// Inside an element the same holds as at the root, for data types too: an attachment's summary is
  /// without its data.
  private static func write(
    summaryOf value: JSONValue, _ type: TypeID, isTwin: Bool, to writer: inout JSONWriter
  ) {
    switch value.kind {
    case .array:
      writer.array { writer in
        for item in value.elements {
          write(summaryOf: item, type, isTwin: isTwin, to: &writer)
        }
      }
    // What an extension says is nobody's to take apart.
    case .object where !isTwin && type != Specification.shared.type(named: "Extension"):
      let elements = Specification.shared.elements(of: type)
      let kept = value.members.compactMap { member in
        elements.found(by: member.name).flatMap { element, property in
          element.isInSummary ? (member, property.type) : nil
        }
      }
      // What has nothing for a summary has something to say all the same: R4 has no empty objects.
      guard !kept.isEmpty else { return writer.raw(value.rawBytes) }
      writer.object { writer in
        for (member, type) in kept {
          writer.name(member.name)
          write(
            summaryOf: member.value, type, isTwin: member.name.hasPrefix("_"), to: &writer)
        }
      }
    default: writer.raw(value.rawBytes)
    }
  }

  /// Writes the members of `meta` with the tag that warns against taking the subset for all.
  private static func write(meta: JSONValue?, to writer: inout JSONWriter) {
    for member in meta.map({ Array($0.members) }) ?? [] where member.name != "tag" {
      writer.member(member.name, raw: member.value)
    }
    let tags = meta?["tag"].map { Array($0.elements) } ?? []
    writer.member(
      "tag",
      array: { writer in
        for tag in tags { writer.raw(tag.rawBytes) }
        guard !tags.contains(where: isSubsetted) else { return }
        writer.object { tag in
          tag.member("system", tagSystem)
          tag.member("code", tagCode)
          tag.member("display", "subsetted")
        }
      })
  }

  /// - SeeAlso: https://terminology.hl7.org/CodeSystem-v3-ObservationValue.html
  private static let tagSystem = "http://terminology.hl7.org/CodeSystem/v3-ObservationValue"
  private static let tagCode = "SUBSETTED"

  /// Whether a resource says that it is a subset of one.
  static func isMarked(_ resource: JSONValue) -> Bool {
    resource["meta"]?["tag"]?.elements.contains(where: isSubsetted) ?? false
  }

  private static func isSubsetted(_ tag: JSONValue) -> Bool {
    tag["system"]?.string == tagSystem && tag["code"]?.string == tagCode
  }
}

extension Element {
  fileprivate var isInSummary: Bool { isSummary || isRequired || isModifier }

  fileprivate func isNamed(_ name: String) -> Bool {
    self.name == name || properties.contains { $0.jsonName == name }
  }
}

extension [Element] {
  /// The element that a member of this name belongs to, as itself or as a primitive's `_name` twin.
  fileprivate func found(by name: String) -> (Element, Element.Property)? {
    let name = name.hasPrefix("_") ? name.dropFirst() : name[...]
    for element in self {
      for property in element.properties where property.jsonName == name {
        return (element, property)
      }
    }
    return nil
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, raw value: JSONValue) {
    self.name(name)
    raw(value.rawBytes)
  }
}
