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

extension SearchRun {
  /// In the order of `_sort`: every match is looked at, since any may come first.
  func sortedMatches(in reader: borrowing Reader) throws -> Found {
    let candidates = try Candidates(plan, context, reader: reader)
    var matches: [SortedMatch] = []
    try candidates.walk(from: 0, in: reader) { number in
      guard try isMatch(number, candidates.filters, in: reader),
        let root = try context.root(of: number, in: reader)
      else { return true }
      matches.append(
        SortedMatch(number: number, keys: plan.order.map { key(of: root, by: $0) }))
      return true
    }
    let total = UInt64(matches.count)
    if let place {
      guard place.keys.count == plan.order.count else { throw InteractionError.invalidPage }
      let end = SortedMatch(number: place.number, keys: place.keys)
      matches.removeAll { !end.precedes($0, by: plan.order) }
    }
    matches.sort { $0.precedes($1, by: plan.order) }
    let page = matches.prefix(plan.pageCount)
    var found = Found(numbers: page.map(\.number), keys: page.map(\.keys))
    found.total = plan.total == .none ? nil : place == nil ? total : place?.total
    if matches.count > plan.pageCount, plan.pageCount > 0 {
      let last = matches[plan.pageCount - 1]
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
