import FHIRModel
import KeyValue

/// One condition of a query: a parameter with its modifier and the values of which one must hold.
struct Criterion: Sendable {
  enum Condition: Sendable {
    /// A value of the resource matches one of these.
    case any([any ValueMatch])
    /// The resource has a value.
    case present
    /// The resource is one of these.
    case identity([LogicalID])
  }

  let parameter: Parameter
  let condition: Condition
  /// The condition must not hold (`:not`, `:missing=true`).
  let isNegated: Bool
  let asked: QueryParameter

  /// As it was asked, for explanations.
  var text: String { "\(asked.name)=\(asked.value)" }

  /// Whether a resource meets the condition: the rule itself, without the index.
  func holds(for root: JSONValue) -> Bool {
    var isMet = false
    switch condition {
    case .any(let matches):
      parameter.forEachValue(in: root) { value in
        isMet = isMet || matches.contains { $0.matches(value) }
      }
    case .present: parameter.forEachValue(in: root) { _ in isMet = true }
    case .identity(let ids): isMet = ids.contains { $0.text == root["id"]?.string }
    }
    return isMet != isNegated
  }

  /// Where the resources that meet the condition, taken without its negation, stand.
  func selections(
    terms: Terms, reader: borrowing Reader
  ) throws -> [Selection] {
    switch condition {
    case .any(let matches):
      try parameter.parts.flatMap { part in
        try matches.flatMap {
          try part.limiting($0).selections(in: part.unit, terms: terms, reader: reader)
        }
      }
    case .present:
      parameter.parts.flatMap { part in
        part.target.map { ReferenceParameter.selections(naming: $0, in: part.unit) }
          ?? [.range(part.unit.range)]
      }
    case .identity: []
    }
  }
}

extension Parameter.Part {
  /// The match, without the references that are no values of this part: they stand in its unit, which
  /// other parameters share.
  fileprivate func limiting(_ match: any ValueMatch) -> any ValueMatch {
    guard let target, var match = match as? ReferenceMatch else { return match }
    match.targets.removeAll { $0.type != target }
    return match
  }
}
