// Whoever knows elements by their look takes them from what the reader has at hand.
extension XMLReader {
  /// A place of the document in the part of it that is at hand.
  package struct Mark: Sendable {
    fileprivate let generation: Int
    fileprivate let position: Int
  }

  /// Where the next event begins.
  package var mark: Mark { Mark(generation: window.generation, position: position) }

  /// What stands from a mark to where the next event begins; `nil` if it is no more at hand.
  @_lifetime(borrow self)
  package func text(since mark: Mark) -> Span<UInt8>? {
    guard mark.generation == window.generation, mark.position <= position else { return nil }
    return window.bytes.span.extracting(mark.position..<position)
  }

  /// Leaves the event that was last, if it was an element's end, so that `passAll` can be asked.
  ///
  /// - Returns: whether the reader stands in front of what is at hand.
  package mutating func leaveEnd() -> Bool {
    if isInCDATA { return false }
    switch place {
    case .start: return false
    case .end: nesting.pop()
    case .emptyEnd, .none: break
    }
    place = .none
    return position < window.count
  }

  /// Passes over what comes next as long as it is elements like those, with white space before them,
  /// and none of them could be nested too deep.
  ///
  /// - Precondition: `leaveEnd()` gave `true`.
  /// - Parameter read: is lent each of them; whether it wants more.
  package mutating func passAll(
    like patterns: inout XMLPatternList, _ read: (_ element: XMLPatternList.Element) -> Bool
  ) {
    guard nesting.count + patterns.tagCountMaximum <= Self.depthMaximum else { return }
    position = patterns.matchAll(in: window, from: position, read)
  }
}
