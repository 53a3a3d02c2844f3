import FHIRModel
import KeyValue

/// Codes, identifiers and their like.
///
/// A coding stands under its code and system as interned numbers, a bare code under its number. An
/// identifier's value is one of a kind, so it is not interned but stands under its hash and is
/// rechecked; so do strings, folded, which compare without regard to case. Codes and identifiers
/// compare with regard to it: to take two identifiers for one is worse than to find none.
///
/// - SeeAlso: https://hl7.org/fhir/R4/search.html#token
enum TokenParameter {
  /// The first byte of a key behind the unit's.
  fileprivate enum Tag {
    static let coding: UInt8 = 1
    static let hashed: UInt8 = 2
    static let code: UInt8 = 3
    static let folded: UInt8 = 4
  }

  static func write(_ value: PathValue, to writer: inout EntryWriter) {
    switch value.type {
    case .codeableConcept:
      guard let codings = value.value[.coding] else { return writer.writePresence() }
      for coding in codings.elements { write(coding: coding, to: &writer) }
    case .coding: write(coding: value.value, to: &writer)
    case .identifier, .contactPoint:
      let system = value.type == .identifier ? value.value[.system]?.string : nil
      // Without a value it is still one of its system's.
      guard let text = value.value[.value]?.string ?? system.map({ _ in "" }) else {
        return writer.writePresence()
      }
      writer.write([Tag.hashed] + hash(text.utf8), terms: [system.map(Term.system)])
    default: writePrimitive(value, to: &writer)
    }
  }

  private static func write(coding: JSONValue, to writer: inout EntryWriter) {
    let code = coding[.code]?.string.map(Term.code)
    let system = coding[.system]?.string.map(Term.system)
    if code == nil && system == nil { return writer.writePresence() }
    writer.write([Tag.coding], terms: [code, system])
  }

  private static func writePrimitive(_ value: PathValue, to writer: inout EntryWriter) {
    switch TokenText(value) {
    case .code(let code): writer.write([Tag.code], terms: [.code(code)])
    case .unique(let text): writer.write([Tag.hashed] + hash(text.utf8), terms: [nil])
    case .folded(let bytes): writer.write([Tag.folded] + hash(bytes))
    case nil: writer.writePresence()
    }
  }

  private static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    Key().appending(stableHash(bytes)).bytes
  }

  /// What tokens are sorted by: the first code, value or text.
  static func sortKey(of value: PathValue) -> [UInt8]? {
    let text: String? =
      switch value.type {
      case .codeableConcept:
        value.value[.coding]?.elements.lazy.compactMap { $0[.code]?.string }.first
          ?? value.value[.text]?.string
      case .coding: value.value[.code]?.string
      case .identifier, .contactPoint: value.value[.value]?.string
      case .boolean: value.value.bool.map { $0 ? "true" : "false" }
      default: value.value.string
      }
    return text.map(Folding.shared.fold)
  }
}

/// A primitive as tokens compare it.
private enum TokenText {
  /// From a closed set: a code or a boolean.
  case code(String)
  /// One of a kind.
  case unique(String)
  /// Compared without regard to case and accents.
  case folded([UInt8])

  init?(_ value: PathValue) {
    if value.type == .boolean {
      guard let truth = value.value.bool else { return nil }
      self = .code(truth ? "true" : "false")
      return
    }
    guard let text = value.value.string else { return nil }
    switch value.type {
    case .string, .markdown: self = .folded(Folding.shared.fold(text))
    case .code: self = .code(text)
    default: self = .unique(text)
    }
  }
}

/// `code`, `system|code`, `|code` or `system|`.
struct TokenMatch: ValueMatch {
  enum System: Hashable, Sendable {
    case any, none
    case named(String)
  }

  let system: System
  /// `nil` for any code of the system.
  let code: String?
  /// What is known of the system of values that don't say it.
  let impliedSystem: Implied

  /// Whether the system that is asked for is the one of an element of type `code`.
  enum Implied: Hashable, Sendable {
    case same, other, unknown
  }

  /// - Parameter codeSystems: those of values that don't say their own; `nil` if they aren't known.
  init(
    parsing text: String, codeSystems: @autoclosure () -> Set<String>? = nil
  ) throws(ValueError) {
    let parts = EscapedText.split(text, at: "|").map(EscapedText.unescape)
    switch parts.count {
    case 1: self.init(system: .any, code: parts[0])
    case 2 where !parts[0].isEmpty || !parts[1].isEmpty:
      let implied = parts[0].isEmpty ? nil : codeSystems()?.contains(parts[0])
      self.init(
        system: parts[0].isEmpty ? .none : .named(parts[0]),
        code: parts[1].isEmpty ? nil : parts[1],
        impliedSystem: implied.map { $0 ? .same : .other } ?? .unknown)
    default:
      throw ValueError(reason: "a token is code, system|code, |code or system|")
    }
  }

  init(system: System, code: String?, impliedSystem: Implied = .unknown) {
    self.system = system
    self.code = code
    self.impliedSystem = impliedSystem
  }

  func selections(
    in unit: Unit, terms: Terms, reader: borrowing Reader
  ) throws -> [Selection] {
    var systemNumber: UInt32 = 0
    if case .named(let name) = system {
      systemNumber = try terms.lookup(.system(name), in: reader) ?? .max
    }
    guard let code else {
      let saidSystem = [TokenParameter.Tag.coding, TokenParameter.Tag.hashed].map { tag in
        allCodes(ofSystem: systemNumber, tagged: tag, in: unit)
      }
      guard impliedSystem == .same else { return saidSystem }
      return saidSystem + [.range(unit.range([TokenParameter.Tag.code]))]
    }
    let tags = unit.tokenTags
    // The value of an identifier is none of the codes, which are looked up where there may be some.
    let codeNumber =
      tags == [TokenParameter.Tag.hashed] ? nil : try terms.lookup(.code(code), in: reader)
    return tags.flatMap { tag in
      selections(of: code, codeNumber, systemNumber, tagged: tag, in: unit)
    }
  }

  private func selections(
    of code: String, _ codeNumber: UInt32?, _ systemNumber: UInt32, tagged tag: UInt8, in unit: Unit
  ) -> [Selection] {
    switch tag {
    case TokenParameter.Tag.coding:
      guard let codeNumber else { return [] }
      return [ofSystem(systemNumber, unit.key([tag]).appending(codeNumber), certainty)]
    case TokenParameter.Tag.hashed:
      return [ofSystem(systemNumber, Self.hashedKey(of: code, in: unit), .perhaps)]
    case TokenParameter.Tag.code:
      guard let codeNumber, impliedSystem != .other else { return [] }
      return [.key(unit.key([tag]).appending(codeNumber), certainty)]
    default:
      let hash = stableHash(Folding.shared.fold(code))
      return [.key(unit.key([tag]).appending(hash), .perhaps)]
    }
  }

  private static func hashedKey(of code: String, in unit: Unit) -> Key {
    unit.key([TokenParameter.Tag.hashed]).appending(stableHash(code.utf8))
  }

  /// The one key under which an identifier stands in a unit of identifiers alone.
  static func key(ofIdentifier value: String, system: UInt32, in unit: Unit) -> Key {
    hashedKey(of: value, in: unit).appending(system)
  }

  private func ofSystem(_ number: UInt32, _ key: Key, _ verdict: Verdict) -> Selection {
    if case .any = system { return .range(KeyRange(prefix: key), verdict) }
    return .key(key.appending(number), verdict)
  }

  /// The system's number stands last in the keys of codings and identifiers.
  private func allCodes(ofSystem number: UInt32, tagged tag: UInt8, in unit: Unit) -> Selection {
    let certainty = certainty
    return .range(unit.range([tag])) { body in
      var found: UInt32 = 0
      for position in body.count - 4..<body.count { found = found << 8 | UInt32(body[position]) }
      return found == number ? certainty : .no
    }
  }

  /// Texts longer than a term are told apart by their content only.
  private var certainty: Verdict {
    let isCodeWhole = code.map { Term.code($0).isWhole } ?? true
    guard case .named(let name) = system, !Term.system(name).isWhole else {
      return isCodeWhole ? .yes : .perhaps
    }
    return .perhaps
  }

  func matches(_ value: PathValue) -> Bool {
    switch value.type {
    case .codeableConcept:
      value.value[.coding]?.elements.contains { matches(coding: $0, codeMember: .code) } ?? false
    case .coding: matches(coding: value.value, codeMember: .code)
    case .identifier: matches(coding: value.value, codeMember: .value)
    case .contactPoint: isSystemFree && code != nil && value.value[.value]?.string == code
    default: matches(primitive: value)
    }
  }

  private func matches(coding: JSONValue, codeMember: MemberName) -> Bool {
    let isSystemRight =
      switch system {
      case .any: true
      case .none: coding[.system] == nil
      case .named(let name): coding[.system]?.string == name
      }
    return isSystemRight && (code == nil || coding[codeMember]?.string == code)
  }

  private func matches(primitive value: PathValue) -> Bool {
    switch (TokenText(value), code) {
    case (.code, nil): impliedSystem == .same
    case (.code(let own), let code?): own == code && impliedSystem != .other
    case (.unique(let own), let code?): own == code && isSystemFree
    case (.folded(let own), let code?): own == Folding.shared.fold(code)
    case (_, nil), (nil, _): false
    }
  }

  private var isSystemFree: Bool {
    if case .named = system { false } else { true }
  }
}

extension Unit {
  /// The tags that keys of this unit may have.
  fileprivate var tokenTags: Set<UInt8> {
    Set(
      dataTypes.map { type in
        switch type {
        case .codeableConcept, .coding: TokenParameter.Tag.coding
        case .boolean, .code: TokenParameter.Tag.code
        case .string, .markdown: TokenParameter.Tag.folded
        default: TokenParameter.Tag.hashed
        }
      })
  }
}
