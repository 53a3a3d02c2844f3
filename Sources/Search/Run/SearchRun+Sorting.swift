import FHIRModel
import KeyValue

/// A match with what it is sorted by.
struct SortedMatch {
  var number: UInt64
  var keys: [[UInt8]?]

  /// Values in the order asked for, none behind all of them, then the number.
  func precedes(_ other: SortedMatch, by order: [SearchPlan.SortKey]) -> Bool {
    for (position, order) in order.enumerated() where keys[position] != other.keys[position] {
      guard let mine = keys[position] else { return false }
      guard let theirs = other.keys[position] else { return true }
      return mine.lexicographicallyPrecedes(theirs) != order.isDescending
    }
    return number < other.number
  }
}

/// The first of many matches in an order, found while all of them pass by: they take no more memory
/// than twice as many as are wanted.
struct FirstMatches {
  private let order: [SearchPlan.SortKey]
  private let countMaximum: Int
  private var matches: [SortedMatch] = []
  /// What doesn't come before this one is none of the first.
  private var limit: SortedMatch?

  /// - Precondition: `countMaximum` is more than 0.
  init(_ countMaximum: Int, by order: [SearchPlan.SortKey]) {
    self.countMaximum = countMaximum
    self.order = order
  }

  mutating func insert(_ match: SortedMatch) {
    if let limit, !match.precedes(limit, by: order) { return }
    matches.append(match)
    if matches.count >= 2 * countMaximum { prune() }
  }

  /// Those that were wanted, in their order.
  mutating func sorted() -> [SortedMatch] {
    prune()
    return matches
  }

  private mutating func prune() {
    matches.sort { $0.precedes($1, by: order) }
    guard matches.count >= countMaximum else { return }
    matches.removeLast(matches.count - countMaximum)
    limit = matches.last
  }
}

extension SearchRun {
  /// In the order of `_sort`: every match is looked at, since any may come first, and those of the
  /// page are kept.
  func sortedMatches(in reader: borrowing Reader) throws -> Found {
    let candidates = try Candidates(plan, context, reader: reader)
    if let place, place.keys.count != plan.order.count { throw InteractionError.invalidPage }
    let end = place.map { SortedMatch(number: $0.number, keys: $0.keys) }
    // One more than the page tells whether there is a next one.
    var first = FirstMatches(plan.pageCount + 1, by: plan.order)
    var total: UInt64 = 0
    try candidates.walk(from: 0, in: reader) { number in
      guard try isMatch(number, candidates.filters, in: reader),
        let root = try context.root(of: number, in: reader)
      else { return true }
      total += 1
      let match = SortedMatch(number: number, keys: plan.order.map { key(of: root, by: $0) })
      if end?.precedes(match, by: plan.order) ?? true { first.insert(match) }
      return true
    }
    let matches = first.sorted()
    let page = matches.prefix(plan.pageCount)
    var found = Found(numbers: page.map(\.number), keys: page.map(\.keys))
    found.total = plan.total == .none ? nil : place == nil ? total : place?.total
    if matches.count > plan.pageCount, let last = page.last {
      found.next = next(after: last.number, keys: last.keys, total: found.total)
    }
    return found
  }

  /// Longer values are sorted by their beginning.
  private static var byteCountMaximum: Int { 200 }

  /// Of several values the one that comes first in the order asked for.
  private func key(of root: JSONValue, by order: SearchPlan.SortKey) -> [UInt8]? {
    var best: [UInt8]?
    order.parameter.forEachValue(in: root) { value in
      let kind = order.parameter.kind
      for key in kind.sortKeys(of: value, configuration: configuration) {
        let key = Array(key.prefix(Self.byteCountMaximum))
        guard let known = best else {
          best = key
          continue
        }
        let isLower = key.lexicographicallyPrecedes(known)
        if isLower != order.isDescending, key != known { best = key }
      }
    }
    return best
  }
}
