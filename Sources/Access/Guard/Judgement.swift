import FHIRModel
import Store

/// What a caller may see and write in one view of the store, for one interaction.
struct Judgement: Sendable {
  let principal: Principal
  /// The number of the caller's patient in facets; `nil` for an operator, and where nothing stored
  /// speaks of the patient.
  let compartment: UInt32?
  /// An app's Consents.
  let consents: ConsentDecision?
  /// The limits of an app's scopes, one of which must hold; `nil` if there are none.
  let limits: [NumberedLimit]?
  let now: Instant

  /// Whether the caller may see a version, and by which Consents.
  ///
  /// What also lies in another patient's compartment is not shown to an app: the Consents are of one
  /// patient, and the other has agreed to nothing. A patient's own resource may name others.
  func sees(_ facets: Facets) -> (isVisible: Bool, by: ConsentSet) {
    switch principal {
    case .operator: (true, ConsentSet())
    case .person: (isInCompartment(facets), ConsentSet())
    case .app(_, let patient, _):
      isOwn(facets) || facets.id == patient && isInCompartment(facets)
        ? permits(.read, on: facets) : (false, ConsentSet())
    }
  }

  /// Whether the caller may write a version, or over it, and by which Consents.
  ///
  /// What also lies in another patient's compartment is not the caller's alone to write.
  func writes(_ facets: Facets) -> (isPermitted: Bool, by: ConsentSet) {
    switch principal {
    case .operator: (true, ConsentSet())
    case .person: (isOwn(facets), ConsentSet())
    case .app: isOwn(facets) ? permits(.write, on: facets) : (false, ConsentSet())
    }
  }

  /// Whether the caller may know, by the answer to a conditional write, that a version is there:
  /// what they may neither see nor write must not be found by trying conditions. `nil` for an
  /// operator, who may know of everything.
  var knowledge: ((Facets) -> Bool)? {
    if case .operator = principal { return nil }
    return { sees($0).isVisible || writes($0).isPermitted }
  }

  private func permits(
    _ action: ConsentAction, on facets: Facets
  ) -> (Bool, ConsentSet) {
    if let limits, !limits.contains(where: { $0.holds(for: facets) }) {
      return (false, ConsentSet())
    }
    return consents?.permits(action, on: facets, at: now) ?? (false, ConsentSet())
  }

  private func isInCompartment(_ facets: Facets) -> Bool {
    guard let compartment else { return false }
    return facets.patients.contains(compartment)
  }

  private func isOwn(_ facets: Facets) -> Bool {
    guard let compartment else { return false }
    return facets.patients == [compartment]
  }
}

/// A limit of a scope, its patterns as the numbers that facets have.
struct NumberedLimit: Sendable {
  enum Pattern: Sendable {
    case coding(UInt64)
    case code(UInt32)
    case system(UInt32)
  }

  /// All must hold, each by one of its patterns.
  private var categories: [[Pattern]]

  /// A pattern of which nothing stored has the code or the system holds for nothing.
  init(_ limit: ScopeLimit, _ number: Numbering) throws {
    categories = []
    for alternatives in limit.categories {
      categories.append(try alternatives.compactMap { try Pattern($0, number) })
    }
  }

  func holds(for facets: Facets) -> Bool {
    categories.allSatisfy { alternatives in
      facets.categories.contains { category in
        alternatives.contains { $0.holds(for: category) }
      }
    }
  }
}

extension NumberedLimit.Pattern {
  init?(_ pattern: TokenPattern, _ number: Numbering) throws {
    switch (pattern.system, pattern.code) {
    case (.any, let code?):
      guard let code = try number(.code(code)) else { return nil }
      self = .code(code)
    case (.none, let code?):
      guard let coding = try numberOfCoding(code, of: nil, number) else { return nil }
      self = .coding(coding)
    case (.named(let system), let code?):
      guard let coding = try numberOfCoding(code, of: system, number) else { return nil }
      self = .coding(coding)
    case (.named(let system), nil):
      guard let system = try number(.system(system)) else { return nil }
      self = .system(system)
    case (.any, nil), (.none, nil): return nil
    }
  }

  func holds(for category: UInt64) -> Bool {
    switch self {
    case .coding(let coding): category == coding
    case .code(let code): UInt32(truncatingIfNeeded: category >> 32) == code
    case .system(let system): UInt32(truncatingIfNeeded: category) == system
    }
  }
}
