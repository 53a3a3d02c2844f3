import FHIRModel

/// Reads the parameters of a query one after the other.
struct PlanBuilder {
  let type: TypeParameters
  let handling: Query.Handling
  let configuration: SearchConfiguration

  private var criteria: [Criterion] = []
  private var order: [SearchPlan.SortKey] = []
  private var count: Int?
  private var total = SearchPlan.Total.ifCheap
  private var isCountOnly = false
  private var page: String?
  private var used: [QueryParameter] = []
  private var warnings: [Issue] = []

  init(
    type: TypeParameters, handling: Query.Handling, configuration: SearchConfiguration
  ) {
    self.type = type
    self.handling = handling
    self.configuration = configuration
    criteria.reserveCapacity(Self.usualCount)
    used.reserveCapacity(Self.usualCount)
  }

  /// How many parameters most queries have at most.
  private static let usualCount = 8

  mutating func read(_ asked: QueryParameter) throws(InteractionError) {
    if let read = Self.resultParameter(asked.name) {
      if asked.value.isEmpty { return }
      guard !asked.isRepeated(after: used) else {
        return try refuse(asked, reason: "it is given twice")
      }
      if try read(&self, asked) { used.append(asked) }
    } else if let criterion = try criterion(asked) {
      criteria.append(criterion)
      used.append(asked)
    }
  }

  /// - Parameter byMainIndex: whether a walk of the main index may serve the query.
  func plan(byMainIndex: Bool = true) -> SearchPlan {
    let pageCount = min(count ?? configuration.pageCountDefault, configuration.pageCountMaximum)
    let isCountOnly = isCountOnly || count == 0
    return SearchPlan(
      type: type.type, pageCount: isCountOnly ? 0 : pageCount,
      total: isCountOnly ? .always : total, used: used, warnings: warnings, criteria: criteria,
      order: order,
      series: SeriesPlan(criteria, order: order, layout: byMainIndex ? type.series : nil),
      page: page)
  }

  // MARK: Conditions

  private mutating func criterion(_ asked: QueryParameter) throws(InteractionError) -> Criterion? {
    let colon = asked.name.utf8.firstIndex(of: UInt8(ascii: ":"))
    let name = colon.map { String(asked.name[..<$0]) } ?? asked.name
    let modifier = colon.map { String(asked.name[$0...].dropFirst()) }
    if name == "_has" || asked.name.utf8.contains(UInt8(ascii: ".")) {
      try refuse(asked, reason: "chained parameters and _has are not supported yet")
      return nil
    }
    guard let parameter = type.parameters[name] else {
      try leaveOut(asked, name: name)
      return nil
    }
    if parameter.parts.isEmpty {
      try refuse(asked, reason: "this parameter is not supported yet")
      return nil
    }
    return try Criterion(
      asked, parameter: parameter, modifier: modifier, configuration: configuration)
  }

  private mutating func leaveOut(
    _ asked: QueryParameter, name: String
  ) throws(InteractionError) {
    guard handling == .lenient || Self.meaningless.contains(name) else {
      throw .unknownParameter(name: name)
    }
    warn(asked, "\(type.type.name) has no search parameter \(name); it was left out")
  }

  private mutating func refuse(
    _ asked: QueryParameter, reason: String
  ) throws(InteractionError) {
    guard handling == .lenient else { throw .invalidParameter(name: asked.name, reason: reason) }
    warn(asked, "\(asked.name) was left out: \(reason)")
  }

  private mutating func warn(_ asked: QueryParameter, _ text: String) {
    warnings.append(Issue(.warning, .notSupported, text, at: asked.name))
  }

  /// What a common client sends of its own and no server needs (fhirpy counts with it).
  private static let meaningless: Set<String> = ["_totalMethod"]

  // MARK: Results

  private typealias Read =
    @Sendable (inout PlanBuilder, QueryParameter) throws(InteractionError) -> Bool

  private static func resultParameter(_ name: String) -> Read? {
    name.utf8.first == UInt8(ascii: "_") ? resultParameters[name] : nil
  }

  /// Parameters about the result; each says whether it is used.
  private static let resultParameters: [String: Read] = [
    "_count": { builder, asked throws(InteractionError) in try builder.readCount(asked) },
    "_total": { builder, asked throws(InteractionError) in try builder.readTotal(asked) },
    "_summary": { builder, asked throws(InteractionError) in try builder.readSummary(asked) },
    "_sort": { builder, asked throws(InteractionError) in try builder.readSort(asked) },
    SearchPlan.pageParameter: { builder, asked throws(InteractionError) in
      builder.page = asked.value
      return false
    },
    // REST's own; they go on into the links.
    "_format": { _, _ throws(InteractionError) in true },
    "_pretty": { _, _ throws(InteractionError) in true },
    "_elements": { builder, asked throws(InteractionError) in try builder.postpone(asked) },
    "_include": { builder, asked throws(InteractionError) in try builder.postpone(asked) },
    "_include:iterate": { builder, asked throws(InteractionError) in try builder.postpone(asked) },
    "_revinclude": { builder, asked throws(InteractionError) in try builder.postpone(asked) },
    "_revinclude:iterate": { builder, asked throws(InteractionError) in try builder.postpone(asked)
    },
    "_contained": { builder, asked throws(InteractionError) in try builder.postpone(asked) },
    "_containedType": { builder, asked throws(InteractionError) in try builder.postpone(asked) },
    "_type": { builder, asked throws(InteractionError) in try builder.postpone(asked) },
  ]

  private mutating func postpone(_ asked: QueryParameter) throws(InteractionError) -> Bool {
    try refuse(asked, reason: "this parameter is not supported yet")
    return false
  }

  private mutating func readCount(_ asked: QueryParameter) throws(InteractionError) -> Bool {
    guard !asked.value.isEmpty, asked.value.utf8.allSatisfy({ 48...57 ~= $0 }) else {
      throw .invalidParameter(name: "_count", reason: "it takes a whole number from 0 upward")
    }
    // However large, it is a wish.
    count = Int(asked.value) ?? .max
    return true
  }

  private mutating func readTotal(_ asked: QueryParameter) throws(InteractionError) -> Bool {
    switch asked.value {
    case "none": total = .none
    case "estimate": total = .ifCheap
    case "accurate": total = .always
    default:
      throw .invalidParameter(name: "_total", reason: "it takes none, estimate or accurate")
    }
    return true
  }

  private mutating func readSummary(_ asked: QueryParameter) throws(InteractionError) -> Bool {
    switch asked.value {
    case "count": isCountOnly = true
    case "false": break
    case "true", "text", "data": return try postpone(asked)
    default:
      throw .invalidParameter(
        name: "_summary", reason: "it takes true, text, data, count or false")
    }
    return true
  }

  private mutating func readSort(_ asked: QueryParameter) throws(InteractionError) -> Bool {
    for name in EscapedText.split(asked.value, at: ",") where !name.isEmpty {
      let isDescending = name.utf8.first == UInt8(ascii: "-")
      let code = isDescending ? String(name.dropFirst()) : name
      guard let parameter = type.parameters[code], !parameter.parts.isEmpty else {
        throw .invalidParameter(
          name: "_sort", reason: "\(type.type.name) can't be sorted by \(code)")
      }
      order.append(SearchPlan.SortKey(parameter: parameter, isDescending: isDescending))
    }
    return true
  }
}
