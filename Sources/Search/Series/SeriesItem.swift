import FHIRModel
import KeyValue

/// An entry of the main index: a resource at its date.
struct SeriesItem: Hashable, Comparable {
  /// `nil` for what has no date, which comes behind everything in both directions.
  var interval: DateInterval?
  var number: UInt64

  static func < (left: SeriesItem, right: SeriesItem) -> Bool {
    switch (left.interval, right.interval) {
    case (let mine?, let other?) where mine != other: mine.isBefore(other)
    case (_?, nil): true
    case (nil, _?): false
    default: left.number < right.number
    }
  }

  /// Whether it comes before `other` in a walk of this direction.
  func precedes(_ other: SeriesItem, isDescending: Bool) -> Bool {
    guard isDescending, (interval == nil) == (other.interval == nil) else { return self < other }
    return other < self
  }
}

extension DateInterval {
  /// The order of the keys, in which offsets stand as bits: those below zero come last.
  fileprivate func isBefore(_ other: DateInterval) -> Bool {
    (start, end, startOffset.bits, endOffset.bits)
      < (other.start, other.end, other.startOffset.bits, other.endOffset.bits)
  }
}
