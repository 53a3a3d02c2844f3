import FHIRModel

extension Criterion {
  /// Reads one parameter of a query; `nil` if its value is empty, which R4 has ignored.
  ///
  /// - Throws: `InteractionError.unsupportedModifier`, or `.invalidParameter` with the reason.
  init?(
    _ asked: QueryParameter, parameter: Parameter, modifier name: String?,
    configuration: SearchConfiguration
  ) throws(InteractionError) {
    let values = EscapedText.split(asked.value, at: ",").filter { !$0.isEmpty }
    guard !values.isEmpty else { return nil }
    self.parameter = parameter
    self.asked = asked
    let modifier = try Self.modifier(name, of: parameter)
    do throws(ValueError) {
      (condition, isNegated) = try Self.condition(
        values, parameter: parameter, modifier: modifier, configuration: configuration)
    } catch {
      throw .invalidParameter(name: asked.name, reason: error.reason)
    }
  }

  private static func modifier(
    _ name: String?, of parameter: Parameter
  ) throws(InteractionError) -> Modifier? {
    guard let name else { return nil }
    guard let modifier = Modifier(name), modifier.applies(to: parameter.kind),
      !parameter.isIdentity || modifier == .missing || modifier == .not
    else {
      throw .unsupportedModifier(parameter: parameter.name, modifier: name)
    }
    if case .type(let type) = modifier, !parameter.targets.contains(type) {
      throw .invalidParameter(
        name: "\(parameter.name):\(name)", reason: "it never leads to a \(type.name)")
    }
    return modifier
  }

  private static func condition(
    _ values: [String], parameter: Parameter, modifier: Modifier?,
    configuration: SearchConfiguration
  ) throws(ValueError) -> (Condition, isNegated: Bool) {
    if modifier == .missing {
      guard values == ["true"] || values == ["false"] else {
        throw ValueError(reason: ":missing takes true or false")
      }
      // No resource is without an id.
      if parameter.isIdentity { return (.identity([]), values == ["false"]) }
      return (.present, values == ["true"])
    }
    if parameter.isIdentity {
      return (
        .identity(values.compactMap { LogicalID(EscapedText.unescape($0)) }), modifier == .not
      )
    }
    var matches: [any ValueMatch] = []
    for value in values {
      matches.append(
        try match(value, parameter: parameter, modifier: modifier, configuration: configuration))
    }
    return (.any(matches), modifier == .not)
  }

  private static func match(
    _ value: String, parameter: Parameter, modifier: Modifier?, configuration: SearchConfiguration
  ) throws(ValueError) -> any ValueMatch {
    switch parameter.kind {
    case .token:
      switch modifier {
      case .text: return TokenTextMatch(parsing: value)
      case .ofType: return try TokenOfTypeMatch(parsing: value)
      default: return try TokenMatch(parsing: value, codeSystems: parameter.codeSystems)
      }
    case .reference:
      if modifier == .identifier { return try ReferenceIdentifierMatch(parsing: value) }
      return try reference(value, parameter, modifier, configuration)
    case .date: return try DateMatch(parsing: value, configuration: configuration)
    case .string:
      return StringMatch(
        parsing: value,
        form: modifier == .exact ? .exact : modifier == .contains ? .contains : .startsWith)
    case .uri:
      return URIMatch(
        parsing: value, form: modifier == .below ? .below : modifier == .above ? .above : .exact)
    case .number: return try NumberMatch(parsing: value)
    case .quantity: return try QuantityMatch(parsing: value)
    case .composite, .special:
      throw ValueError(reason: "\(parameter.kind.rawValue) parameters are not supported yet")
    }
  }

  private static func reference(
    _ value: String, _ parameter: Parameter, _ modifier: Modifier?,
    _ configuration: SearchConfiguration
  ) throws(ValueError) -> ReferenceMatch {
    guard case .type(let type)? = modifier else {
      return try ReferenceMatch(
        parsing: value, types: parameter.bareIDTypes, addresses: configuration.addresses)
    }
    let match = try ReferenceMatch(
      parsing: value, types: [type], addresses: configuration.addresses)
    guard match.targets.allSatisfy({ $0.type == type }) else {
      throw ValueError(reason: "it names another type than :\(type.name)")
    }
    return match
  }
}

extension Parameter {
  /// Whether its values are the ids of resources.
  var isIdentity: Bool { parts.contains { $0.unit.isIdentity } }

  /// The types that a reference to a bare id may be of.
  fileprivate var bareIDTypes: [ResourceType] {
    let limits = parts.compactMap(\.target)
    return limits.count == parts.count ? limits : targets
  }
}
