import FHIRModel
import KeyValue

/// The resources among which all matches are, and what each must still meet: the condition that
/// lists the fewest drives the search, the others filter.
struct Candidates {
  private enum Driver {
    case key(Key)
    case numbers([UInt64])
  }

  private let driver: Driver
  private(set) var filters = Filters()

  /// So few that each may be looked at.
  private static let fewMaximum = 2000

  init(
    _ plan: SearchPlan, _ context: RunContext,
    reader: borrowing Reader
  ) throws {
    var conditions: [Prepared] = []
    for criterion in plan.criteria {
      conditions.append(try Prepared(criterion, terms: context.terms, reader: reader))
    }
    guard let position = Self.best(of: conditions) else {
      driver = .key(Unit.everything(of: plan.type))
      for condition in conditions {
        try filters.add(condition, areFew: false, context, reader: reader)
      }
      return
    }
    let best = conditions.remove(at: position)
    let count: Int
    if let keys = best.keys, keys.count == 1, let listed = best.count {
      driver = .key(keys[0])
      count = listed
      if !best.isSure { filters.recheck(best.criterion) }
    } else {
      let numbers = try best.numbers(context, reader: reader)
      driver = .numbers(numbers)
      count = numbers.count
    }
    for condition in conditions {
      try filters.add(condition, areFew: count <= Self.fewMaximum, context, reader: reader)
    }
  }

  /// The condition to begin with: an identity, the shortest list of keys, else any range.
  private static func best(of conditions: [Prepared]) -> Int? {
    let usable = conditions.indices.filter { !conditions[$0].criterion.isNegated }
    let identity = usable.first {
      if case .identity = conditions[$0].criterion.condition { true } else { false }
    }
    if let identity { return identity }
    let listed = usable.filter { conditions[$0].count != nil }
    return listed.min { conditions[$0].count ?? 0 < conditions[$1].count ?? 0 } ?? usable.first
  }

  /// Lends the candidates from `first` upward in rising order until `body` returns `false`.
  func walk(
    from first: UInt64, in reader: borrowing Reader,
    _ body: (UInt64) throws -> Bool
  ) throws {
    switch driver {
    case .key(let key):
      try reader.numbers(at: key, in: .postings, from: first) { span in
        for position in span.indices {
          guard try body(span[position]) else { return false }
        }
        return true
      }
    case .numbers(let numbers):
      for number in numbers where number >= first {
        guard try body(number) else { return }
      }
    }
  }
}
