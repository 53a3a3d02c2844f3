/// A sum that carries along what each addition rounds away (Knuth's two-sum), so that the order of
/// the numbers doesn't show in the digits that are kept.
struct ExactSum: Hashable {
  private var high = 0.0
  private var low = 0.0

  mutating func add(_ number: Double) {
    let sum = high + number
    let part = sum - high
    low += (high - (sum - part)) + (number - part)
    high = sum
  }

  var value: Double { high + low }
}

extension Double {
  /// The nearest number of nine significant digits: what a device can't have measured is noise, and
  /// would differ with the order in which values are added.
  var roundedForDay: Double {
    guard self != 0, isFinite else { return self }
    var scale = 1.0
    while abs(self * scale) < 1e8, scale < 1e15 { scale *= 10 }
    guard scale > 1 else { return rounded() }
    return (self * scale).rounded() / scale
  }
}
