import FHIRModel
import KeyValue

/// Quantities: under code and system of the unit of measure, then as numbers.
///
/// - SeeAlso: https://hl7.org/fhir/R4/search.html#quantity
enum QuantityParameter {
  static func write(_ value: PathValue, to writer: inout EntryWriter) {
    guard let interval = NumberInterval(value) else { return writer.writePresence() }
    let measure = Measure(value)
    writer.write(
      [], terms: [measure.code.map(Term.code), measure.system.map(Term.system)],
      tail: interval.tail)
  }
}

/// What a quantity is counted in.
private struct Measure {
  var system: String?
  var code: String?
  var unit: String?

  init(_ value: PathValue) {
    if value.type == .money {
      system = "urn:iso:std:iso:4217"
      code = value.value[.currency]?.string
      return
    }
    let quantity =
      switch value.type {
      case .range: value.value[.low] ?? value.value[.high]
      case .sampledData: value.value[.origin]
      default: value.value
      }
    system = quantity?[.system]?.string
    code = quantity?[.code]?.string
    unit = quantity?[.unit]?.string
  }
}

/// `number`, `number|system`, `number|system|code` or `number||code`, with a prefix.
struct QuantityMatch: ValueMatch {
  let number: NumberMatch
  let system: String?
  /// A code, or without a system a code or a unit in words.
  let code: String?

  init(parsing text: String) throws(ValueError) {
    let parts = EscapedText.split(text, at: "|")
    guard parts.count <= 3 else {
      throw ValueError(reason: "a quantity is number, number|system|code or number||code")
    }
    number = try NumberMatch(parsing: parts[0])
    let names = parts.dropFirst().map(EscapedText.unescape)
    system = names.first.flatMap { $0.isEmpty ? nil : $0 }
    code = names.dropFirst().first.flatMap { $0.isEmpty ? nil : $0 }
  }

  func selections(
    in unit: Unit, terms: Terms, reader: borrowing Reader
  ) throws -> [Selection] {
    guard let system else {
      // The unit in words is not in the key.
      return try measures(in: unit, reader: reader).flatMap { selections(after: $0, code != nil) }
    }
    guard let systemNumber = try terms.lookup(.system(system), in: reader) else { return [] }
    let isLong = !Term.system(system).isWhole || !(code.map { Term.code($0).isWhole } ?? true)
    guard let code else {
      return try measures(in: unit, reader: reader)
        .filter { Array($0.bytes.suffix(4)) == Key().appending(systemNumber).bytes }
        .flatMap { selections(after: $0, isLong) }
    }
    guard let codeNumber = try terms.lookup(.code(code), in: reader) else { return [] }
    return selections(after: unit.prefix.appending(codeNumber).appending(systemNumber), isLong)
  }

  private func selections(after key: Key, _ isRechecked: Bool) -> [Selection] {
    number.selections(after: key).map { selection in
      isRechecked ? Selection(place: selection.place, verdict: .perhaps) : selection
    }
  }

  /// The beginnings of keys, one for each code and system in the unit.
  private func measures(
    in unit: Unit, reader: borrowing Reader
  ) throws -> [Key] {
    var measures: [Key] = []
    let byteCount = Unit.prefixByteCount + 8
    try reader.walkPostings(.postings, unit.range, .forward) { key, _ in
      guard key.count > byteCount else { return .next }
      let measure = Key(key.extracting(0..<byteCount))
      measures.append(measure)
      return measure.afterPrefix.map(Step.seek) ?? .stop
    }
    return measures
  }

  func matches(_ value: PathValue) -> Bool {
    guard number.matches(value) else { return false }
    let measure = Measure(value)
    if let system { return measure.system == system && (code == nil || measure.code == code) }
    return code == nil || measure.code == code || measure.unit == code
  }
}
