/// A security label that a provision asks for.
///
/// - SeeAlso: https://hl7.org/fhir/R4/consent-definitions.html#Consent.provision.securityLabel
enum SecurityLabel: Sendable {
  /// A confidentiality, which covers what is labelled with it or lower: the numbers of all of them.
  case confidentiality([UInt64])
  /// Any other label, with the number of its system. It may cover narrower labels of its system.
  case exact(UInt64, system: UInt32)
  /// A label that nothing stored has, of the system with this number.
  case absent(system: UInt32)
  /// A label that can't be read, such as one without a code.
  case unreadable

  /// v3-Confidentiality, from the lowest.
  static let confidentialitySystem = "http://terminology.hl7.org/CodeSystem/v3-Confidentiality"
  static let confidentialities = ["U", "L", "M", "N", "R", "V"]

  /// All labels of a provision together make one, of which a resource may have all, some or none.
  static func hold(_ labels: [SecurityLabel], for found: [UInt64]) -> Truth {
    let truths = labels.map { $0.holds(for: found) }
    if truths.allSatisfy({ $0 == .yes }) { return .yes }
    return truths.allSatisfy { $0 == .no } ? .no : .unknown
  }

  private func holds(for found: [UInt64]) -> Truth {
    switch self {
    case .confidentiality(let covered): Truth(found.contains(where: covered.contains))
    case .exact(let label, let system):
      found.contains(label) ? .yes : Self.narrower(in: found, of: system)
    case .absent(let system): Self.narrower(in: found, of: system)
    case .unreadable: .unknown
    }
  }

  private static func narrower(in found: [UInt64], of system: UInt32) -> Truth {
    found.contains { UInt32(truncatingIfNeeded: $0) == system } ? .unknown : .no
  }
}
