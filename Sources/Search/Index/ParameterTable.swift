import FHIRModel
import KeyValue
import Synchronization

/// The types of search parameters.
///
/// - SeeAlso: https://hl7.org/fhir/R4/search.html#ptypes
typealias ParameterKind = SearchParameterRow.Kind

/// A search parameter of one resource type, ready to be indexed and searched.
final class Parameter: Sendable {
  /// A unit that holds values of the parameter.
  struct Part: Sendable {
    let unit: Unit
    /// Only references that name this type are values of the parameter.
    let target: ResourceType?
  }

  let name: String
  let kind: ParameterKind
  let parts: [Part]
  /// For references: the types they may lead to.
  let targets: [ResourceType]

  init(name: String, kind: ParameterKind, parts: [Part], targets: [ResourceType]) {
    self.name = name
    self.kind = kind
    self.parts = parts
    self.targets = targets
  }
}

extension Parameter {
  /// The systems of values that don't say their own; `nil` where R4 doesn't list them for all.
  var codeSystems: Set<String>? {
    var systems: Set<String> = []
    for part in parts {
      guard let listed = part.unit.codeSystems else { return nil }
      systems.formUnion(listed)
    }
    return systems
  }

  /// Lends each value that a resource has for this parameter.
  func forEachValue(in root: JSONValue, _ body: (PathValue) throws -> Void) rethrows {
    for part in parts {
      try part.unit.forEachValue(in: root) { value in
        if let target = part.target, ReferenceText.type(named: value.value) != target.name {
          return
        }
        try body(value)
      }
    }
  }
}

/// All units and parameters of one resource type.
final class TypeParameters: Sendable {
  let type: ResourceType
  let units: [Unit]
  let parameters: [String: Parameter]
  let series: SeriesLayout?
  /// The paths of indexed units by the member of a resource with which they begin.
  let routes: [UInt16: [Route]]
  /// The positions of the units whose values no single path leads to.
  let unrouted: [Int]

  /// A way from a member of a resource to values of a unit.
  struct Route: Sendable {
    let name: MemberName
    /// The unit's position in `units`.
    let unit: Int
    let path: ValuePath
  }

  /// Units are numbered in the order of the specification's rows; a change of those rows changes
  /// the index and asks for it to be built anew.
  init(_ type: ResourceType) {
    var units: [UnitIdentity: Unit] = [:]
    var parameters: [String: Parameter] = [:]
    for row in Specification.shared.searchParameters(of: type) where parameters[row.code] == nil {
      let kind = row.kind
      let parts = kind == .composite || kind == .special ? [] : Self.parts(row, of: type)
      parameters[row.code] = Parameter(
        name: row.code, kind: kind,
        parts: parts.map { part in
          Parameter.Part(
            unit: units.unit(for: part, kind: kind, of: type), target: part.target)
        },
        targets: row.targets.all)
    }
    self.type = type
    self.units = units.values.sorted { $0.number < $1.number }
    self.parameters = parameters
    (routes, unrouted) = Self.routes(self.units)
    series = SeriesLayout(of: type, parameters)
  }
}

/// The parameters of every type, each type's read from the specification when it is first needed.
final class ParameterTable: Sendable {
  static let shared = ParameterTable()

  private let types = Mutex<[ResourceType: TypeParameters]>([:])

  subscript(_ type: ResourceType) -> TypeParameters {
    if let known = types.withLock({ $0[type] }) { return known }
    let new = TypeParameters(type)
    types.withLock { $0[type] = new }
    return new
  }
}

extension TypeParameters {
  private static func routes(_ units: [Unit]) -> ([UInt16: [Route]], unrouted: [Int]) {
    var routes: [UInt16: [Route]] = [:]
    var unrouted: [Int] = []
    for (position, unit) in units.enumerated() where !unit.isIdentity {
      guard case .elements(let paths) = unit.source, !unit.isLastUpdated else {
        unrouted.append(position)
        continue
      }
      for path in paths {
        guard let name = path.firstName else { continue }
        routes[name.hash, default: []].append(Route(name: name, unit: position, path: path))
      }
    }
    return (routes, unrouted)
  }

  private static func parts(_ row: SearchParameterRow, of type: ResourceType) -> [PartSource] {
    // `_text`, `_content` and `_query` have no values of their own.
    guard !row.expression.isEmpty else { return [] }
    do throws(PathError) {
      return try PathExpression(row.expression, of: type.name).parts.map {
        PartSource($0, of: type)
      }
    } catch {
      preconditionFailure("\(row.code) in spec/tables can't be read: \(error)")
    }
  }
}

/// A part of an expression without its limit on what a reference names.
private struct PartSource {
  let part: PathExpression.Part
  let source: Unit.Source
  let target: ResourceType?

  init(_ part: PathExpression.Part, of type: ResourceType) {
    switch part {
    case .steps(var steps):
      if case .whereResolves(let name)? = steps.last {
        target = ResourceType(name)
        steps.removeLast()
      } else {
        target = nil
      }
      self.part = .steps(steps)
      source = .elements(Specification.shared.paths(steps, from: TypeID(type)))
    case .existsAndIsNotFalse(let steps):
      self.part = part
      target = nil
      source = .existsAndIsNotFalse(Specification.shared.paths(steps, from: TypeID(type)))
    }
  }
}

private struct UnitIdentity: Hashable {
  let kind: ParameterKind
  let part: PathExpression.Part
}

extension [UnitIdentity: Unit] {
  fileprivate mutating func unit(
    for part: PartSource, kind: ParameterKind, of type: ResourceType
  ) -> Unit {
    let identity = UnitIdentity(kind: kind, part: part.part)
    if let known = self[identity] { return known }
    let unit = Unit(
      type: type, number: UInt8(count + 1), kind: kind, source: part.source,
      isLastUpdated: part.part == .steps([.member("meta"), .member("lastUpdated")]),
      isIdentity: part.part == .steps([.member("id")]))
    self[identity] = unit
    return unit
  }
}

extension SearchParameterRow.Targets {
  fileprivate var all: [ResourceType] {
    switch self {
    case .any: ResourceType.all
    case .types(let types): types
    }
  }
}
