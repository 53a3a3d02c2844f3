/// A number as JSON writes it, with its digits kept.
package struct DecimalText: Hashable, Sendable {
  package let text: String
  /// The nearest double: exact enough to compare, never written anywhere.
  package let number: Double

  /// `nil` for an exponent of more than two digits: no measured number has one.
  package init?(json text: String) {
    guard let number = Double(text) else { return nil }
    self.init(text: text, number: number)
    guard let exponent = Int(parts.exponent), -99...99 ~= exponent else { return nil }
  }

  /// The shortest digits that make this number; `nil` for one that JSON can't write, or whose exponent
  /// has more than two digits.
  package init?(_ number: Double) {
    guard number.isFinite else { return nil }
    if let whole = Int64(exactly: number) {
      self.init(text: "\(whole)", number: number)
    } else {
      self.init(json: "\(number)")
    }
  }

  private init(text: String, number: Double) {
    self.text = text
    self.number = number
  }

  /// What stands in the text, the point and the exponent's letter left out.
  private struct Parts {
    var sign: Substring
    var whole: Substring
    var fraction: Substring = ""
    var exponent: Substring = "0"
  }

  private var parts: Parts {
    let bytes = text.utf8
    let afterSign = text.hasPrefix("-") ? bytes.index(after: text.startIndex) : text.startIndex
    let end = bytes.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? text.endIndex
    let point = bytes[afterSign..<end].firstIndex(of: UInt8(ascii: ".")) ?? end
    var parts = Parts(sign: text[..<afterSign], whole: text[afterSign..<point])
    if point < end { parts.fraction = text[bytes.index(after: point)..<end] }
    if end < text.endIndex { parts.exponent = text[bytes.index(after: end)...] }
    return parts
  }

  /// The same digits with the point two places further right: `0.970` gives `97.0`.
  var timesHundred: DecimalText {
    let parts = parts
    let moved =
      parts.fraction.prefix(2) + String(repeating: "0", count: max(0, 2 - parts.fraction.count))
    let digits = (parts.whole + moved).drop { $0 == "0" }
    let newFraction = parts.fraction.dropFirst(2)
    let text =
      "\(parts.sign)\(digits.isEmpty ? "0" : digits)\(newFraction.isEmpty ? "" : ".")\(newFraction)"
      + (exponent == 0 ? "" : "e\(exponent)")
    return DecimalText(text: text, number: Double(text) ?? number * 100)
  }

  private var exponent: Int { Int(parts.exponent) ?? 0 }

  /// Half of what one more in the last digit would add: 0.5 for `60`, 0.05 for `60.0`.
  var halfStep: Double { Double("5e\(exponent - parts.fraction.utf8.count - 1)") ?? 0 }
}
