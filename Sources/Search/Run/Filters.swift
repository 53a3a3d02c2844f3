import FHIRModel
import KeyValue

/// The conditions that each candidate must still meet, the cheap ones first.
struct Filters {
  /// Among the numbers of one of these keys, or of none where negated.
  private var keys: [(keys: [Key], isNegated: Bool)] = []
  /// In this set, or not in it where negated.
  private var sets: [(numbers: Set<UInt64>, isNegated: Bool)] = []
  /// Told by the content alone.
  private var criteria: [Criterion] = []

  private static let keyCountMaximum = 8

  /// - Parameter areFew: there are so few candidates that looking at each is cheaper than to walk
  ///   what a condition selects.
  mutating func add(
    _ prepared: Prepared, areFew: Bool, _ context: RunContext,
    reader: borrowing Reader
  ) throws {
    let criterion = prepared.criterion
    if let keys = prepared.keys, prepared.isSure, keys.count <= Self.keyCountMaximum {
      self.keys.append((keys, criterion.isNegated))
    } else if areFew {
      criteria.append(criterion)
    } else {
      let numbers = try prepared.numbers(context, reader: reader)
      sets.append((Set(numbers), criterion.isNegated))
    }
  }

  /// Has each candidate's content looked at.
  mutating func recheck(_ criterion: Criterion) { criteria.append(criterion) }

  func pass(
    _ number: UInt64, _ context: RunContext,
    reader: borrowing Reader
  ) throws -> Bool {
    for filter in keys {
      var isAmong = false
      for key in filter.keys where !isAmong {
        isAmong = try reader.contains(number, at: key, in: .postings)
      }
      if isAmong == filter.isNegated { return false }
    }
    for filter in sets where filter.numbers.contains(number) == filter.isNegated { return false }
    guard !criteria.isEmpty else { return true }
    guard let root = try context.root(of: number, in: reader) else { return false }
    return criteria.allSatisfy { $0.holds(for: root) }
  }
}
