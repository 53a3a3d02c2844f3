import FHIRModel
import KeyValue

/// What is indexed together: the values of one part of a parameter's expression. Parameters that
/// have a part in common (`code` and `combo-code`, `patient` and `subject`) share its unit.
struct Unit: Sendable {
  /// How the values of a unit are found in a resource.
  enum Source: Sendable {
    case elements([ValuePath])
    /// One boolean: whether a value is there that isn't `false`.
    case existsAndIsNotFalse([ValuePath])
  }

  let type: ResourceType
  /// The place among the units of the type, from 1.
  let number: UInt8
  let kind: ParameterKind
  let source: Source
  /// Whether values may come from `meta.lastUpdated`, which the store sets.
  let isLastUpdated: Bool
  /// Whether the values are the ids of resources, which the store finds without the index.
  let isIdentity: Bool

  /// The key of the numbers of all resources of a type.
  static func everything(of type: ResourceType) -> Key { Key([type.position, 0]) }

  /// The tag of a value that is there but can't be searched for.
  static let presenceTag: UInt8 = 0xFF

  /// The bytes with which the unit's keys begin.
  var prefix: Key { Key([type.position, number]) }
  static let prefixByteCount = 2

  /// All keys of the unit.
  var range: KeyRange { KeyRange(prefix: prefix) }

  /// The keys of the unit that go on with `head`.
  func range(_ head: [UInt8]) -> KeyRange { KeyRange(prefix: key(head)) }

  func key(_ body: [UInt8]) -> Key {
    var key = prefix
    key.append(body)
    return key
  }

  /// The data types that the unit's values may have.
  var dataTypes: Set<DataType> {
    switch source {
    case .elements(let paths): Set(paths.map(\.type))
    case .existsAndIsNotFalse: [.boolean]
    }
  }
}

extension Unit {
  /// The systems of the unit's values of type `code` and `boolean`, which don't say their own; `nil`
  /// where R4 doesn't list them for all.
  ///
  /// - SeeAlso: https://hl7.org/fhir/R4/search.html#token
  var codeSystems: Set<String>? {
    guard case .elements(let paths) = source else { return Constants.booleanSystems }
    var systems: Set<String> = []
    for path in paths {
      switch path.type {
      case .code:
        guard let listed = Specification.shared.codeSystems(of: path) else { return nil }
        systems.formUnion(listed)
      case .boolean: systems.formUnion(Constants.booleanSystems)
      default: continue
      }
    }
    return systems
  }

  /// Lends each value that a resource has for this unit.
  func forEachValue(in root: JSONValue, _ body: (PathValue) throws -> Void) rethrows {
    switch source {
    case .elements(let paths):
      for path in paths { try path.forEachValue(in: root, body) }
    case .existsAndIsNotFalse(let paths):
      var isTrue = false
      for path in paths {
        path.forEachValue(in: root) { isTrue = isTrue || $0.value.bool != false }
      }
      try body(PathValue(isTrue ? Constants.yes : Constants.no, .boolean))
    }
  }

  private enum Constants {
    static let booleanSystems: Set = ["http://terminology.hl7.org/CodeSystem/special-values"]

    static let yes = constant("true")
    static let no = constant("false")

    private static func constant(_ text: String) -> JSONValue {
      guard let document = try? JSONDocument(parsing: Array(text.utf8)) else {
        preconditionFailure("a JSON literal parses")
      }
      return document.root
    }
  }
}
