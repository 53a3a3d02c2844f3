import FHIRModel

/// What a decision about a version needs to know of its content, so that it needn't be parsed:
/// whose it is, what it is about, of when, and how it is labelled.
///
/// References and codes stand as the numbers that `Terms` gave them. A version that marks a deletion
/// has the facets of the version before it.
///
/// - SeeAlso: https://hl7.org/fhir/R4/consent.html
package struct Facets: Hashable, Sendable {
  package var id: ResourceID
  /// The patients in whose compartment it lies, in rising order.
  package var patients: [UInt32]
  /// The codings of what it is about, in rising order: its search parameter `code`, or `type` or
  /// `vaccine-code` where it has those.
  package var codes: [UInt64]
  /// The codings of what its parts are about (`component-code`), in rising order.
  package var partCodes: [UInt64] = []
  /// The codings of its search parameter `category`, in rising order.
  package var categories: [UInt64]
  /// The codings of `meta.security`, in rising order.
  package var securityLabels: [UInt64]
  /// From the first to the last moment that it is about; `nil` if it names none. An open end lies
  /// at `Instant.distantPast` or `.distantFuture`.
  package var effective: Range<Instant>?

  package init(
    id: ResourceID, patients: [UInt32] = [], codes: [UInt64] = [], categories: [UInt64] = [],
    securityLabels: [UInt64] = [], effective: Range<Instant>? = nil
  ) {
    self.id = id
    self.patients = patients
    self.codes = codes
    self.categories = categories
    self.securityLabels = securityLabels
    self.effective = effective
  }
}

extension Instant {
  /// Before every moment that can be written.
  package static let distantPast = Instant(ticks: .min)
  /// After every moment that can be written.
  package static let distantFuture = Instant(ticks: .max)
}
