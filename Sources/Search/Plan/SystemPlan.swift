import FHIRModel

/// A search over several types: a plan for each. What they find is put together in one order, which
/// no walk of the main index has, so none of them makes one.
package struct SystemPlan: Sendable {
  /// One a type, alike but for the type.
  let plans: [SearchPlan]
  let used: [QueryParameter]
  let warnings: [Issue]
}

extension SearchIndex {
  /// Reads a query over the types that it names, or over all types.
  ///
  /// - Throws: as `plan` throws; `InteractionError.invalidParameter` also for a parameter that one of
  ///   the types doesn't have or has of another kind, unless the query is lenient.
  package func systemPlan(_ query: Query) throws(InteractionError) -> SystemPlan {
    let types = (query.types.isEmpty ? ResourceType.all : query.types).map {
      ParameterTable.shared[$0]
    }
    var warnings: [Issue] = []
    var builders = types.map {
      PlanBuilder(type: $0, handling: query.handling, configuration: configuration)
    }
    for asked in query.parameters where asked.name != Query.typeParameter {
      guard try isCommon(asked, to: types, query.handling, &warnings) else { continue }
      for position in builders.indices { try builders[position].read(asked) }
    }
    let plans = builders.map { $0.plan(byMainIndex: false) }
    guard let first = plans.first else { preconditionFailure("R4 has types") }
    try refuseMixedOrder(plans)
    let typeList = query.parameters.filter { $0.name == Query.typeParameter }
    return SystemPlan(
      plans: plans, used: typeList + first.used, warnings: warnings + first.warnings)
  }

  /// Whether all types have the parameter, or it is none of any type's own.
  private func isCommon(
    _ asked: QueryParameter, to types: [TypeParameters], _ handling: Query.Handling,
    _ warnings: inout [Issue]
  ) throws(InteractionError) -> Bool {
    let name = String(asked.name.prefix { $0 != ":" && $0 != "." })
    let kinds = types.map { $0.parameters[name].map { $0.parts.isEmpty ? nil : $0.kind } ?? nil }
    let isOfNone = kinds.allSatisfy { $0 == nil }
    if isOfNone || Set(kinds).count == 1 { return true }
    let other = zip(types, kinds).first { $0.1 == nil }?.0.type.name
    let reason =
      (other.map { "\($0) has no such search parameter" } ?? "it differs from type to type")
      + ", and a search over several types takes what all of them have"
    guard handling == .lenient else { throw .invalidParameter(name: asked.name, reason: reason) }
    warnings.append(
      Issue(.warning, .notSupported, "\(asked.name) was left out: \(reason)", at: asked.name))
    return false
  }

  private func refuseMixedOrder(_ plans: [SearchPlan]) throws(InteractionError) {
    guard Set(plans.map { $0.order.map(\.parameter.kind) }).count > 1 else { return }
    throw .invalidParameter(
      name: "_sort", reason: "the types of this search have nothing in common to be sorted by")
  }
}
