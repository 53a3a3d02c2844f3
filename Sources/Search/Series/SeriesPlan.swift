import FHIRModel
import KeyValue

/// A walk of the main index that serves a query: of some subjects, some codes or both, within some
/// dates, in the order of dates.
final class SeriesPlan: Sendable {
  let layout: SeriesLayout
  let order: SeriesLayout.Order
  /// Empty for all subjects.
  let subjects: [ResourceID]
  /// `nil` for all codes.
  let codes: [TokenMatch]?
  let dates: DateConditions
  let isDescending: Bool
  /// The conditions that the walk doesn't settle.
  let rest: [Criterion]

  /// `nil` if the main index doesn't serve the query better than postings do.
  init?(_ criteria: [Criterion], order: [SearchPlan.SortKey], layout: SeriesLayout?) {
    guard let layout, order.count <= 1,
      order.allSatisfy({ $0.parameter.isWholly(layout.date) })
    else { return nil }
    var rest: [Criterion] = []
    var subjects: [ResourceID]?
    var codes: [TokenMatch]?
    var dates = DateConditions()
    for criterion in criteria {
      if subjects == nil, let found = criterion.subjects(in: layout) {
        subjects = found
      } else if codes == nil, let found = criterion.codes(in: layout) {
        codes = found
      } else if let found = criterion.dates(in: layout) {
        dates.append(found)
      } else {
        rest.append(criterion)
      }
    }
    let isByDate = !dates.isEmpty || !order.isEmpty
    guard subjects != nil && (codes != nil || isByDate) || codes != nil && isByDate else {
      return nil
    }
    self.layout = layout
    self.order = subjects == nil ? .byCode : .bySubject
    self.subjects = subjects ?? []
    self.codes = codes
    self.dates = dates
    self.rest = rest
    isDescending = order.first?.isDescending ?? false
  }
}

extension Criterion {
  private var matches: [any ValueMatch]? {
    guard case .any(let matches) = condition, !isNegated else { return nil }
    return matches
  }

  fileprivate func subjects(in layout: SeriesLayout) -> [ResourceID]? {
    guard let part = parameter.parts.first, parameter.parts.count == 1,
      part.unit.number == layout.subject.number,
      let matches = matches as? [ReferenceMatch], matches.allSatisfy({ $0.address == nil })
    else { return nil }
    return matches.flatMap(\.targets).filter { part.target == nil || $0.type == part.target }
  }

  fileprivate func codes(in layout: SeriesLayout) -> [TokenMatch]? {
    guard parameter.isWholly(layout.code), let matches = matches as? [TokenMatch],
      matches.allSatisfy(\.isSettledByKey)
    else { return nil }
    return matches
  }

  fileprivate func dates(in layout: SeriesLayout) -> [DateMatch]? {
    guard parameter.isWholly(layout.date) else { return nil }
    return matches as? [DateMatch]
  }
}

extension TokenMatch {
  /// Whether it names a code, and the key tells it from every other.
  fileprivate var isSettledByKey: Bool {
    guard let code, Term.code(code).isWhole else { return false }
    if case .named(let name) = system { return Term.system(name).isWhole }
    return true
  }
}

extension Parameter {
  /// Whether the unit holds all of its values and nothing else.
  func isWholly(_ unit: Unit) -> Bool {
    parts.count == 1 && parts[0].unit.number == unit.number && parts[0].target == nil
  }
}

extension SeriesPlan {
  /// The beginnings of the keys to walk, one for each subject, code and system.
  func prefixes(terms: Terms, reader: borrowing Reader) throws -> [Key] {
    var heads = [layout.head(order)]
    if order == .bySubject {
      let head = heads[0]
      heads = []
      for subject in subjects {
        guard let number = try terms.lookup(.reference(subject), in: reader) else { continue }
        var key = head
        key.append(subject.type.position)
        heads.append(key.appending(number))
      }
    }
    var prefixes: [Key] = []
    for head in heads {
      guard let codes else {
        prefixes += try continuations(of: head, reader: reader)
        continue
      }
      for code in codes {
        prefixes += try self.prefixes(of: code, after: head, terms: terms, reader: reader)
      }
    }
    if prefixes.count > 1 { prefixes.sortAndUnite() }
    return prefixes
  }

  private func prefixes(
    of match: TokenMatch, after head: Key, terms: Terms, reader: borrowing Reader
  ) throws -> [Key] {
    guard let code = match.code, let number = try terms.lookup(.code(code), in: reader) else {
      return []
    }
    let key = head.appending(number)
    switch match.system {
    case .any: return try continuations(of: key, reader: reader)
    case .none: return [key.appending(UInt32(0))]
    case .named(let name):
      return try terms.lookup(.system(name), in: reader).map { [key.appending($0)] } ?? []
    }
  }

  /// The different prefixes that go on from `key`: one look at the index for each.
  private func continuations(
    of key: Key, reader: borrowing Reader
  ) throws -> [Key] {
    var found: [Key] = []
    try reader.walkPostings(.series, KeyRange(prefix: key), .forward) { entry, _ in
      let prefix = Key(entry.extracting(0..<order.prefixByteCount))
      found.append(prefix)
      return prefix.afterPrefix.map(Step.seek) ?? .stop
    }
    return found
  }

  /// Where entries of this kind of span may start that meet every date condition.
  func starts(of span: DateInterval.Length) -> StartRange { dates.starts(of: span) }
}
