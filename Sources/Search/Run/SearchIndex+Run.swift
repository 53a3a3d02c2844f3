import FHIRModel
import KeyValue

extension SearchIndex {
  /// Runs a plan.
  ///
  /// - Parameter source: the store whose index this is.
  /// - Throws: `InteractionError.invalidPage` if the plan's page is none of this search.
  package func run(
    _ plan: SearchPlan, in reader: borrowing Reader, source: any ResourceSource
  ) throws -> SearchMatches {
    var place: PagePlace?
    if let page = plan.page {
      place = try PagePlace(opening: page, with: pageKey, for: PagePlace.Seal(plan))
    }
    let run = SearchRun(
      plan: plan, place: place, context: RunContext(terms: terms, source: source),
      configuration: configuration,
      bound: try place?.bound ?? source.nextNumber(in: reader))
    let found = try run.matches(in: reader)
    let next = found.next.map { $0.sealed(with: pageKey, for: PagePlace.Seal(plan)) }
    return SearchMatches(
      numbers: found.numbers, total: found.total.map { Int(clamping: $0) }, next: next,
      used: plan.used, warnings: plan.warnings)
  }
}

/// A page of what a run of a plan found.
struct SearchRunMatches {
  var numbers: [UInt64] = []
  /// What each of them was sorted by; empty where no order was asked for.
  var keys: [[[UInt8]?]] = []
  var total: UInt64?
  var next: PagePlace?
}

/// One run of a plan.
struct SearchRun {
  let plan: SearchPlan
  let place: PagePlace?
  let context: RunContext
  let configuration: SearchConfiguration
  /// Resources from this number on were created after the search began.
  let bound: UInt64

  typealias Found = SearchRunMatches

  func matches(in reader: borrowing Reader) throws -> Found {
    if let series = plan.series { return try matches(series, in: reader) }
    // Where only the count is wanted, the order makes no difference.
    let isSorted = !plan.order.isEmpty && plan.pageCount > 0
    return isSorted ? try sortedMatches(in: reader) : try matchesByNumber(in: reader)
  }

  /// Whether a candidate is a match.
  func isMatch(
    _ number: UInt64, _ filters: Filters, in reader: borrowing Reader
  ) throws -> Bool {
    guard number < bound, try filters.pass(number, context, reader: reader) else { return false }
    return try context.source.isVisible(number, in: reader)
  }

  func collector() -> PageCollector {
    var collector = PageCollector(plan, knownTotal: place?.total)
    collector.isContinued = place != nil
    return collector
  }

  func next(after number: UInt64, keys: [[UInt8]?], total: UInt64?) -> PagePlace {
    PagePlace(bound: bound, total: total, number: number, keys: keys)
  }
}

extension SearchRun {
  /// In the order of the main index.
  private func matches(
    _ series: SeriesPlan, in reader: borrowing Reader
  ) throws -> Found {
    var filters = Filters()
    for criterion in series.rest {
      let prepared = try Prepared(criterion, terms: context.terms, reader: reader)
      try filters.add(prepared, areFew: series.order == .bySubject, context, reader: reader)
    }
    var walk = SeriesWalk(
      series, prefixes: try series.prefixes(terms: context.terms, reader: reader),
      after: try place.map(seriesItem), chunk: min(plan.pageCount + 1, 64))
    var found = Found()
    found.numbers.reserveCapacity(plan.pageCount)
    var collector = collector()
    var last: SeriesItem?
    var isComplete = true
    while let item = try walk.next(in: reader) {
      guard collector.mayExamine() else {
        isComplete = false
        break
      }
      guard try isMatch(item.number, filters, in: reader) else { continue }
      let (keep, goOn) = collector.take(isPageFull: found.numbers.count == plan.pageCount)
      if keep {
        found.numbers.append(item.number)
        last = item
      }
      if !goOn { break }
    }
    found.total = collector.total(isComplete: isComplete)
    if collector.hasMore, let last {
      found.next = next(
        after: last.number, keys: [last.interval?.keyBytes], total: found.total)
    }
    return found
  }

  private func seriesItem(_ place: PagePlace) throws(InteractionError) -> SeriesItem {
    guard place.keys.count == 1 else { throw .invalidPage }
    guard let bytes = place.keys[0] else { return SeriesItem(interval: nil, number: place.number) }
    guard let interval = DateInterval(bytes.span, at: 0) else { throw .invalidPage }
    return SeriesItem(interval: interval, number: place.number)
  }

  /// In the order in which the resources were created.
  private func matchesByNumber(in reader: borrowing Reader) throws -> Found {
    let candidates = try Candidates(plan, context, reader: reader)
    var found = Found()
    var collector = collector()
    var isComplete = true
    try candidates.walk(from: place.map { $0.number + 1 } ?? 0, in: reader) { number in
      guard collector.mayExamine() else {
        isComplete = false
        return false
      }
      guard try isMatch(number, candidates.filters, in: reader) else { return true }
      let (keep, goOn) = collector.take(isPageFull: found.numbers.count == plan.pageCount)
      if keep { found.numbers.append(number) }
      return goOn
    }
    found.total = collector.total(isComplete: isComplete)
    if collector.hasMore, let last = found.numbers.last {
      found.next = next(after: last, keys: [], total: found.total)
    }
    return found
  }
}
