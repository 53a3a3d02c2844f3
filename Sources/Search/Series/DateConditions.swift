import FHIRModel

/// The conditions of a query on one date parameter. Of each, one of several dates must match.
struct DateConditions: Sendable {
  /// The dates of all conditions, one condition behind the other: to compare a value with them
  /// follows no reference.
  private var matches: [DateMatch] = []
  /// Where each condition ends in `matches`.
  private var ends: [Int] = []

  var isEmpty: Bool { ends.isEmpty }

  /// - Parameter dates: of which one must match.
  mutating func append(_ dates: [DateMatch]) {
    matches += dates
    ends.append(matches.count)
  }

  /// Whether an interval meets every condition.
  func areMet(by interval: DateInterval) -> Bool {
    let (moments, local) = (interval.moments, interval.local)
    var position = 0
    for condition in ends.indices {
      var isMet = false
      while position < ends[condition] {
        isMet = isMet || matches[position].matches(moments, local: local)
        position += 1
      }
      if !isMet { return false }
    }
    return true
  }

  /// Where values of this kind of span may start that meet every condition.
  func starts(of span: DateInterval.Length) -> StartRange {
    var range = StartRange()
    var position = 0
    for end in ends {
      guard position < end else { continue }
      var hull = matches[position].starts(of: span)
      for match in matches[position + 1..<end] { hull = hull.hull(with: match.starts(of: span)) }
      range = range.clamped(to: hull)
      position = end
    }
    return range
  }
}
