import FHIRModel
import KeyValue

/// What a run needs at hand everywhere.
struct RunContext {
  let terms: Terms
  let source: any ResourceSource

  func root(
    of number: UInt64, in reader: borrowing Reader
  ) throws -> JSONValue? {
    try source.document(of: number, in: reader)?.root
  }
}

/// A condition with the places in the index that it selects.
struct Prepared {
  let criterion: Criterion
  let selections: [Selection]
  /// The keys, where it selects no ranges.
  let keys: [Key]?
  /// Whether every key tells enough, without a look at the resource.
  let isSure: Bool
  /// How many resources the keys list; `nil` for ranges.
  let count: Int?

  init(
    _ criterion: Criterion, terms: Terms, reader: borrowing Reader
  ) throws {
    self.criterion = criterion
    selections = try criterion.selections(terms: terms, reader: reader)
    var keys: [Key]? = []
    for selection in selections {
      if case .key(let key) = selection.place { keys?.append(key) } else { keys = nil }
    }
    if case .identity = criterion.condition { keys = nil }
    self.keys = keys
    isSure = selections.allSatisfy { $0.verdict == .yes && $0.judge == nil }
    var count: Int?
    for key in keys ?? [] { count = (count ?? 0) + (try reader.count(at: key, in: .postings)) }
    self.count = keys?.isEmpty == true ? 0 : count
  }
}

extension Prepared {
  /// The numbers of all resources that meet the condition, taken without its negation, in rising
  /// order.
  func numbers(
    _ context: RunContext, reader: borrowing Reader
  ) throws -> [UInt64] {
    if case .identity(let ids) = criterion.condition {
      return try identities(ids, context, reader: reader)
    }
    var sure: [UInt64] = []
    var unsure: [UInt64] = []
    for selection in selections {
      try collect(selection, reader: reader, sure: &sure, unsure: &unsure)
    }
    sure.sortAndUnite()
    unsure.sortAndUnite()
    if unsure.isEmpty { return sure }
    let known = Set(sure)
    for number in unsure where !known.contains(number) {
      guard let root = try context.root(of: number, in: reader) else { continue }
      if criterion.holds(for: root) != criterion.isNegated { sure.append(number) }
    }
    sure.sortAndUnite()
    return sure
  }

  /// The ids that are there: what is deleted has no place in the list of the type.
  private func identities(
    _ ids: [LogicalID], _ context: RunContext,
    reader: borrowing Reader
  ) throws -> [UInt64] {
    guard let type = criterion.parameter.parts.first?.unit.type else { return [] }
    var numbers: [UInt64] = []
    for id in ids {
      guard let number = try context.source.number(of: ResourceID(type, id), in: reader),
        try reader.contains(number, at: Unit.everything(of: type), in: .postings)
      else { continue }
      numbers.append(number)
    }
    numbers.sortAndUnite()
    return numbers
  }

  private func collect(
    _ selection: Selection, reader: borrowing Reader,
    sure: inout [UInt64], unsure: inout [UInt64]
  ) throws {
    switch selection.place {
    case .key(let key):
      try reader.numbers(at: key, in: .postings, from: 0) { span in
        for position in span.indices {
          if selection.verdict == .yes {
            sure.append(span[position])
          } else {
            unsure.append(span[position])
          }
        }
        return true
      }
    case .range(let range):
      try reader.walkPostings(.postings, range, .forward) { key, number in
        let body = key.extracting(droppingFirst: Unit.prefixByteCount)
        switch selection.judge?(body) ?? selection.verdict {
        case .yes: sure.append(number)
        case .perhaps: unsure.append(number)
        case .no: break
        }
        return .next
      }
    }
  }
}
