import FHIRModel
import Store

/// A provision of a Consent as it stands for one client: texts have become the numbers that facets
/// have, and what can be decided beforehand is decided.
///
/// - SeeAlso: https://hl7.org/fhir/R4/consent-definitions.html#Consent.provision
struct Provision: Sendable {
  /// What it says where it applies; a root provision may say nothing.
  var verdict: Verdict
  /// Whether it applies to this client at all, by its actors and purposes.
  var client: Truth
  /// Whether it, or one around it, names this client. Only then may it permit.
  var namesClient: Bool
  var read: Truth
  var write: Truth
  /// When the rule is in force; `nil` for always.
  var period: Range<Instant>?
  /// One criterion for each element that is there.
  var criteria: [Criterion]
  /// Its exceptions.
  var provisions: [Provision]

  /// An element that says which resources a provision is about.
  enum Criterion: Sendable {
    case types(Set<ResourceType>, others: Bool)
    case codes([UInt64], others: Bool)
    case labels([SecurityLabel])
    /// `nil` if it can't be read.
    case dataPeriod(Range<Instant>?)
    case data([ResourceID], others: Bool)
  }

  /// What the provision says of a resource.
  func verdict(on facets: Facets, _ action: ConsentAction, at now: Instant) -> Verdict {
    let truth = applies(to: facets, action, at: now)
    if truth == .no { return .silent }
    let inner = exceptions(on: facets, action, at: now) ?? own
    return truth == .yes ? inner : min(inner, .silent)
  }

  /// Whether it, or an exception to it, may permit the action on something at this moment.
  func mayPermit(_ action: ConsentAction, at now: Instant) -> Bool {
    var truth = client && (action == .read ? read : write)
    if let period { truth = truth && Truth(period.contains(now)) }
    guard truth == .yes else { return false }
    return own == .permit || provisions.contains { $0.mayPermit(action, at: now) }
  }

  private var own: Verdict {
    verdict == .permit && !namesClient ? .silent : verdict
  }

  private func exceptions(
    on facets: Facets, _ action: ConsentAction, at now: Instant
  ) -> Verdict? {
    var combined = Verdict.silent
    for provision in provisions {
      combined = combined.combined(with: provision.verdict(on: facets, action, at: now))
    }
    return combined == .silent ? nil : combined
  }

  private func applies(to facets: Facets, _ action: ConsentAction, at now: Instant) -> Truth {
    var truth = client && (action == .read ? read : write)
    if let period { truth = truth && Truth(period.contains(now)) }
    for criterion in criteria where truth != .no { truth = truth && criterion.holds(for: facets) }
    return truth
  }
}

extension Provision.Criterion {
  fileprivate func holds(for facets: Facets) -> Truth {
    switch self {
    case .types(let types, let others):
      Truth(types.contains(facets.id.type)) || (others ? .unknown : .no)
    case .codes(let codes, let others):
      facets.matches(anyOf: codes) || (others ? .unknown : .no)
    case .labels(let labels): SecurityLabel.hold(labels, for: facets.securityLabels)
    case .dataPeriod(let period): period.map(facets.lies) ?? .unknown
    case .data(let resources, let others):
      Truth(resources.contains(facets.id)) || (others ? .unknown : .no)
    }
  }
}

extension Facets {
  /// What has a wanted code only in a part can't be told: it says more than that, and less.
  fileprivate func matches(anyOf wanted: [UInt64]) -> Truth {
    if wanted.contains(where: { codes.contains($0) || categories.contains($0) }) { return .yes }
    return wanted.contains(where: partCodes.contains) ? .unknown : .no
  }

  /// A resource that lies partly in the period, or has no time, can't be said to be of it or not.
  fileprivate func lies(in period: Range<Instant>) -> Truth {
    guard let effective else { return .unknown }
    let first = effective.lowerBound
    let last = max(
      first, effective.isEmpty ? first : Instant(ticks: effective.upperBound.ticks - 1))
    if period.contains(first) && period.contains(last) { return .yes }
    return first < period.upperBound && last >= period.lowerBound ? .unknown : .no
  }
}
