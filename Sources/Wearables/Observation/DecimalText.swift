/// A number as JSON writes it, with its digits kept.
package struct DecimalText: Hashable, Sendable {
  package let text: String
  /// The nearest double: exact enough to compare, never written anywhere.
  package let number: Double
  private let sign: Substring
  private let whole: Substring
  private let fraction: Substring
  private let exponent: Int

  /// `nil` for an exponent of more than two digits: no measured number has one.
  package init?(json text: String) {
    let pieces = text.split(omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
    guard let number = Double(text), let exponent = pieces.count > 1 ? Int(pieces[1]) : 0,
      -99...99 ~= exponent
    else { return nil }
    let halves = pieces[0].drop { $0 == "-" }.split(separator: ".")
    self.init(
      sign: pieces[0].prefix { $0 == "-" }, whole: halves[0],
      fraction: halves.count > 1 ? halves[1] : "", exponent: exponent, text: text, number: number)
  }

  private init(
    sign: Substring, whole: Substring, fraction: Substring, exponent: Int, text: String,
    number: Double
  ) {
    self.sign = sign
    self.whole = whole
    self.fraction = fraction
    self.exponent = exponent
    self.text = text
    self.number = number
  }

  /// The same digits with the point two places further right: `0.970` gives `97.0`.
  var timesHundred: DecimalText {
    let moved = fraction.prefix(2) + String(repeating: "0", count: max(0, 2 - fraction.count))
    let digits = (whole + moved).drop { $0 == "0" }
    let newWhole = digits.isEmpty ? "0" : digits
    let newFraction = fraction.dropFirst(2)
    let text =
      "\(sign)\(newWhole)\(newFraction.isEmpty ? "" : ".")\(newFraction)"
      + (exponent == 0 ? "" : "e\(exponent)")
    return DecimalText(
      sign: sign, whole: newWhole, fraction: newFraction, exponent: exponent, text: text,
      number: Double(text) ?? number * 100)
  }

  /// Half of what one more in the last digit would add: 0.5 for `60`, 0.05 for `60.0`.
  var halfStep: Double { Double("5e\(exponent - fraction.count - 1)") ?? 0 }
}
