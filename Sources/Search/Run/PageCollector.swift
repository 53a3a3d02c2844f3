import FHIRModel

/// Takes matches in their order and keeps one page of them.
struct PageCollector {
  /// Matches beyond a full page are counted so far, unless the total is wanted at any cost.
  static let cheapCountMaximum = 10_000

  private let plan: SearchPlan
  /// The count that a page before this one took.
  private let knownTotal: UInt64?
  private var counted: UInt64 = 0
  private var examined = 0
  private(set) var hasMore = false

  init(_ plan: SearchPlan, knownTotal: UInt64?) {
    self.plan = plan
    self.knownTotal = knownTotal
  }

  /// Whether matches are counted on this page: on the first, if at all.
  var isCounting: Bool { plan.total != .none && knownTotal == nil && !isContinued }

  /// Pages after the first begin in the middle, where counting makes no sense.
  var isContinued = false

  /// A candidate was looked at, match or not; `false` if enough were.
  mutating func mayExamine() -> Bool {
    examined += 1
    return !hasMore || plan.total == .always || examined <= Self.cheapCountMaximum
  }

  /// A match: whether it belongs on the page, and whether the walk goes on.
  mutating func take(isPageFull: Bool) -> (keep: Bool, goOn: Bool) {
    counted += 1
    if isPageFull { hasMore = true }
    return (!isPageFull, !isPageFull || isCounting)
  }

  /// The count of all matches, if the walk came to its end.
  func total(isComplete: Bool) -> UInt64? {
    if let knownTotal { return knownTotal }
    return isCounting && isComplete ? counted : nil
  }
}
