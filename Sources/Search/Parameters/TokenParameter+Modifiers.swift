import FHIRModel
import KeyValue

/// `:text`: the text of a concept or the display of a coding begins so.
struct TokenTextMatch: ValueMatch {
  let folded: [UInt8]

  init(parsing text: String) { folded = Folding.shared.fold(EscapedText.unescape(text)) }

  func selections(
    in unit: Unit, terms: Terms, reader: borrowing Reader
  ) -> [Selection] {
    [.range(unit.range, .perhaps)]
  }

  func matches(_ value: PathValue) -> Bool {
    switch value.type {
    case .codeableConcept:
      begins(value.value[.text])
        || value.value[.coding]?.elements.contains { begins($0[.display]) } ?? false
    case .coding: begins(value.value[.display])
    case .identifier: begins(value.value[.type]?[.text])
    case .string, .markdown: begins(value.value)
    default: false
    }
  }

  private func begins(_ text: JSONValue?) -> Bool {
    guard let text = text?.string, !folded.isEmpty else { return false }
    return Folding.shared.fold(text).starts(with: folded)
  }
}

/// `:of-type`: an identifier with this value and a type of this system and code.
struct TokenOfTypeMatch: ValueMatch {
  let type: TokenMatch
  let value: String

  init(parsing text: String) throws(ValueError) {
    let parts = EscapedText.split(text, at: "|").map(EscapedText.unescape)
    guard parts.count == 3, !parts.contains("") else {
      throw ValueError(reason: ":of-type takes system|code|value, all three")
    }
    type = TokenMatch(system: .named(parts[0]), code: parts[1])
    value = parts[2]
  }

  func selections(
    in unit: Unit, terms: Terms, reader: borrowing Reader
  ) throws -> [Selection] {
    try TokenMatch(system: .any, code: value).selections(in: unit, terms: terms, reader: reader)
      .map { Selection(place: $0.place, verdict: .perhaps) }
  }

  func matches(_ candidate: PathValue) -> Bool {
    guard candidate.type == .identifier, candidate.value[.value]?.string == value,
      let concept = candidate.value[.type]
    else { return false }
    return type.matches(PathValue(concept, .codeableConcept))
  }
}
