/// How much may still be looked at in a view, counted in keys: for a thread that others wait for.
///
/// It belongs to one read and is spent by it alone.
package final class ReadAllowance {
  /// Whether more was asked for than was left. From then on every read of the view throws.
  package private(set) var isSpent = false
  private var rest: Int

  /// A value is so much more than a key: whoever asks for it goes on to take it apart.
  static let keyCountOfValue = 4

  package init(keyCount: Int) { rest = keyCount }

  /// - Throws: `ReadAllowanceSpent` if less is left.
  func spend(_ keyCount: Int) throws(ReadAllowanceSpent) {
    guard keyCount <= rest, !isSpent else {
      isSpent = true
      throw ReadAllowanceSpent()
    }
    rest -= keyCount
  }
}

/// A view was to look at more than its allowance lets it. What was found so far is incomplete.
package struct ReadAllowanceSpent: Error {}
