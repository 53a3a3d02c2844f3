import FHIRModel
import KeyValue

extension SearchIndex {
  /// Runs a plan over several types: in the order asked for, or in that in which the resources were
  /// created, whatever their types.
  ///
  /// - Throws: as `run` for one type.
  package func run(
    _ plan: SystemPlan, in reader: borrowing Reader, source: any ResourceSource
  ) throws -> SearchMatches {
    let seal = PagePlace.Seal(plan)
    var place: PagePlace?
    if let page = plan.plans[0].page {
      place = try PagePlace(opening: page, with: pageKey, for: seal)
    }
    let bound = try place?.bound ?? source.nextNumber(in: reader)
    var found = SystemMatches()
    for plan in plan.plans {
      let run = SearchRun(
        plan: plan, place: place, context: RunContext(terms: terms, source: source),
        configuration: configuration, bound: bound)
      found.add(try run.matches(in: reader))
    }
    let total = place == nil ? found.total : place?.total
    let count = plan.plans[0].pageCount
    let matches = found.sorted(by: plan.plans[0].order).prefix(count)
    var next: PagePlace?
    if let last = matches.last, found.matches.count > count || found.hasMore {
      next = PagePlace(bound: bound, total: total, number: last.number, keys: last.keys)
    }
    return SearchMatches(
      numbers: matches.map(\.number), total: total.map { Int(clamping: $0) },
      next: next.map { $0.sealed(with: pageKey, for: seal) }, used: plan.used,
      warnings: plan.warnings)
  }
}

/// What the types of a search have given so far: of each the first page.
private struct SystemMatches {
  private(set) var matches: [SortedMatch] = []
  /// The count over all types; `nil` if it isn't known of one of them.
  private(set) var total: UInt64? = 0
  /// A type has more than it gave.
  private(set) var hasMore = false

  mutating func add(_ found: SearchRunMatches) {
    for (position, number) in found.numbers.enumerated() {
      matches.append(
        SortedMatch(number: number, keys: found.keys.isEmpty ? [] : found.keys[position]))
    }
    total = total.flatMap { total in found.total.map { total + $0 } }
    hasMore = hasMore || found.next != nil
  }

  func sorted(by order: [SearchPlan.SortKey]) -> [SortedMatch] {
    matches.sorted { $0.precedes($1, by: order) }
  }
}
