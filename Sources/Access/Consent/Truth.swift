/// Whether a criterion of a Consent holds. What can't be told is neither: it never permits, and it
/// never keeps a denial from being one.
enum Truth: UInt8, Comparable, Sendable {
  case no, unknown, yes

  init(_ holds: Bool) { self = holds ? .yes : .no }

  static func < (left: Truth, right: Truth) -> Bool { left.rawValue < right.rawValue }

  static func && (left: Truth, right: @autoclosure () -> Truth) -> Truth {
    left == .no ? .no : min(left, right())
  }

  static func || (left: Truth, right: @autoclosure () -> Truth) -> Truth {
    left == .yes ? .yes : max(left, right())
  }
}

/// What a provision says of a resource, from the strictest to the widest.
enum Verdict: UInt8, Comparable, Sendable {
  case deny, silent, permit

  static func < (left: Verdict, right: Verdict) -> Bool { left.rawValue < right.rawValue }

  /// Of two provisions at one depth, denial wins.
  func combined(with other: Verdict) -> Verdict {
    if self == .deny || other == .deny { return .deny }
    return max(self, other)
  }
}

/// What is to be done with a resource, as far as consents tell actions apart.
enum ConsentAction: Sendable {
  case read, write
}
