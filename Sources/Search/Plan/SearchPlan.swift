import FHIRModel

/// What a search will do, decided from the query alone: the same query always has the same plan, so
/// that its pages fit together.
package struct SearchPlan: Sendable {
  /// Whether and how matches are counted.
  package enum Total: Hashable, Sendable {
    /// Not at all.
    case none
    /// If that costs no more than a walk over some ten thousand entries.
    case ifCheap
    /// Whatever it costs.
    case always
  }

  /// The type that is searched.
  package let type: ResourceType
  /// The most matches on a page; 0 for the total alone.
  package var pageCount: Int
  package var total: Total
  /// The parameters that are really used, without the place of a page.
  package let used: [QueryParameter]
  package let warnings: [Issue]
  let criteria: [Criterion]
  private(set) var order: [SortKey]
  /// The walk of the main index that serves the query, if one does.
  let series: SeriesPlan?
  /// The sealed place where the page begins.
  let page: String?

  /// One parameter by which matches are ordered.
  struct SortKey: Sendable {
    let parameter: Parameter
    let isDescending: Bool
  }

  /// Whether the query names a condition at all.
  package var isConditional: Bool { !criteria.isEmpty }

  /// The same search for at most two matches, uncounted and in no order of its own: enough for a
  /// conditional interaction.
  package var forConditional: SearchPlan {
    var plan = self
    plan.pageCount = 2
    plan.total = .none
    if plan.series == nil { plan.order = [] }
    return plan
  }

  /// The name of the parameter whose value is the sealed place of a page.
  package static let pageParameter = "_page"
}

extension SearchIndex {
  /// Reads a query.
  ///
  /// - Throws: `InteractionError` for an unknown parameter (unless the query is lenient: then it is
  ///   left out with a warning), an unsupported modifier or a value that can't be read.
  package func plan(_ query: Query) throws(InteractionError) -> SearchPlan {
    guard let type = query.type else {
      throw .invalidParameter(
        name: "", reason: "name the type that is to be searched")
    }
    var builder = PlanBuilder(
      type: ParameterTable.shared[type], handling: query.handling, configuration: configuration)
    for parameter in query.parameters { try builder.read(parameter) }
    return builder.plan()
  }
}
