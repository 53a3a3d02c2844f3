import FHIRModel

/// The values that a fixture names: those the runner gives, and those that a response was seen to
/// have.
struct Names {
  var values: [String: String]

  /// The text with `{name}` replaced by what the name stands for.
  func filled(_ text: String) -> String {
    values.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
  }

  /// Whether a text is what is expected; `{any}`, `{instant}`, `{http-date}`, `{id}` and `{tag}` match
  /// their like, and `{NAME=any}` keeps the text under a name.
  mutating func matches(_ text: String, _ expected: String) -> Bool {
    let pattern = filled(expected)
    guard let open = pattern.lastIndex(of: "{"), let close = pattern.lastIndex(of: "}"),
      let kind = Kind(pattern[open...close].dropFirst().dropLast())
    else { return text == pattern }
    let before = pattern[..<open]
    let after = pattern[close...].dropFirst()
    guard text.hasPrefix(before), text.hasSuffix(after),
      text.utf8.count >= before.utf8.count + after.utf8.count
    else { return false }
    let middle = String(text.dropFirst(before.count).dropLast(after.count))
    if let name = kind.name { values[name] = middle }
    return kind.accepts(middle)
  }

  private struct Kind {
    var name: String?
    var word: String

    init?(_ text: Substring) {
      let sides = text.split(separator: "=", maxSplits: 1)
      guard let last = sides.last, ["any", "instant", "http-date", "id", "tag"].contains(last)
      else { return nil }
      name = sides.count == 2 ? String(sides[0]) : nil
      word = String(last)
    }

    func accepts(_ text: String) -> Bool {
      switch word {
      case "instant": (try? Instant(text)) != nil
      case "http-date": Instant(httpDate: text, now: Instant(ticks: 0)) != nil
      case "id": LogicalID(text) != nil
      case "tag": text.hasPrefix("W/\"") && text.hasSuffix("\"") && text.count > 4
      default: true
      }
    }
  }
}
