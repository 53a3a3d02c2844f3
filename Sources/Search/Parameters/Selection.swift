import FHIRModel
import KeyValue

/// How sure a key is that its resources match.
enum Verdict: Sendable {
  case no
  case yes
  /// Only the resource's content can tell.
  case perhaps
}

/// Where in the index the resources with a value stand.
struct Selection: Sendable {
  enum Place: Sendable {
    case key(Key)
    case range(KeyRange)
  }

  var place: Place
  /// What the place itself says of its resources.
  var verdict: Verdict = .yes
  /// What the bytes of a key behind the unit's prefix say; asked instead of `verdict`.
  var judge: (@Sendable (Span<UInt8>) -> Verdict)?

  static func key(_ key: Key, _ verdict: Verdict = .yes) -> Selection {
    Selection(place: .key(key), verdict: verdict)
  }

  static func range(
    _ range: KeyRange, _ verdict: Verdict = .yes,
    judge: (@Sendable (Span<UInt8>) -> Verdict)? = nil
  ) -> Selection {
    Selection(place: .range(range), verdict: verdict, judge: judge)
  }
}

/// One value of a query: what it selects in the index and whether a value of a resource is meant.
protocol ValueMatch: Sendable {
  /// Everything the value may match in the unit, and perhaps more where the verdict says so.
  func selections(
    in unit: Unit, terms: Terms, reader: borrowing Reader
  ) throws -> [Selection]

  /// Whether a value of a resource matches: the rule itself, without the index.
  func matches(_ value: PathValue) -> Bool
}

/// What a modifier changes.
///
/// - SeeAlso: https://hl7.org/fhir/R4/search.html#modifiers
enum Modifier: Hashable, Sendable {
  case missing, not, exact, contains, identifier, text, above, below, ofType
  /// A reference leads to this type.
  case type(ResourceType)

  private static let named: [String: Modifier] = [
    "missing": .missing, "not": .not, "exact": .exact, "contains": .contains,
    "identifier": .identifier, "text": .text, "above": .above, "below": .below,
    "of-type": .ofType,
  ]

  init?(_ name: String) {
    if let modifier = Self.named[name] {
      self = modifier
    } else if let type = ResourceType(name) {
      self = .type(type)
    } else {
      return nil
    }
  }

  /// Whether parameters of this kind may have the modifier.
  func applies(to kind: ParameterKind) -> Bool {
    switch (self, kind) {
    case (.missing, _), (.not, .token), (.text, .token), (.ofType, .token), (.exact, .string),
      (.contains, .string), (.identifier, .reference), (.type, .reference), (.above, .uri),
      (.below, .uri):
      true
    default: false
    }
  }
}

/// Why a value of a query can't be read.
struct ValueError: Error {
  var reason: String
}
