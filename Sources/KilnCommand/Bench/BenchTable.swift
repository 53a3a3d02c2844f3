/// What was measured, printed as a table while it comes.
struct BenchTable {
  private static let widths = [52, 14, 14, 8, 8]

  init() {
    row(["measured", "kiln", "against", "ratio", "goal"])
    row(Self.widths.map { String(repeating: "-", count: $0) })
  }

  /// A rate beside the rate it is compared with.
  ///
  /// - Parameter goal: what the ratio should be at least; `nil` for one that is only told.
  func ratio(_ name: String, _ rate: Double, against other: Double, goal: Double?) {
    ratio(name, [(rate, other)], goal: goal)
  }

  /// Rates that were measured in turns with those they are compared with. What slows the machine for
  /// a while slows both of a pair, so that the ratio is the median of the pairs'.
  func ratio(_ name: String, _ pairs: [(rate: Double, other: Double)], goal: Double?) {
    let ratio = pairs.map { $0.other > 0 ? $0.rate / $0.other : 0 }.median
    let (rate, other) = (pairs.map(\.rate).median, pairs.map(\.other).median)
    row([
      name, rate.short, other.short, ratio.twoPlaces,
      goal.map { (ratio >= $0 ? "≥" : "< ") + $0.twoPlaces } ?? "",
    ])
  }

  /// A figure that should be at most `limit`.
  func figure(_ name: String, _ value: Double, unit: String, limit: Double? = nil) {
    row([
      name, "\(value.short) \(unit)", limit.map { "\($0.short) \(unit)" } ?? "", "",
      limit.map { value <= $0 ? "≤" : "over" } ?? "",
    ])
  }

  private func row(_ columns: [String]) {
    Output.line(
      zip(columns, Self.widths).map { $0.padded(to: $1) }.joined(separator: " "))
  }
}

extension [Double] {
  /// The value in the middle, of an even count the upper; 0 of none.
  fileprivate var median: Double { isEmpty ? 0 : sorted()[count / 2] }
}

extension Double {
  /// Three digits or the whole number.
  var short: String {
    if magnitude >= 100 { return String(Int(rounded())) }
    return twoPlaces
  }

  var twoPlaces: String {
    let hundredths = Int((self * 100).rounded())
    let fraction = String(abs(hundredths % 100))
    return "\(hundredths / 100)." + (fraction.count == 1 ? "0" + fraction : fraction)
  }
}
