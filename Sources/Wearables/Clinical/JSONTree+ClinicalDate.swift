/// The date of a resource: what `date` and `clinical-date` search, of what a hospital gives.
///
/// - SeeAlso: https://hl7.org/fhir/R4/searchparameter-registry.html
extension JSONTree {
  /// The elements that say it, the first that a resource has. What was recorded lately counts as late,
  /// whenever it began.
  private static let dates = [
    "recordedDate", "effectiveDateTime", "effectivePeriod", "effectiveInstant",
    "performedDateTime", "performedPeriod", "occurrenceDateTime", "occurrencePeriod", "recorded",
    "authoredOn", "whenHandedOver", "whenPrepared", "onsetDateTime", "onsetPeriod", "date",
    "dateTime",
    "period", "startDate", "issued", "created",
  ]

  private var clinicalDate: JSONTree? { Self.dates.lazy.compactMap { self[$0] }.first }

  var hasClinicalDate: Bool { clinicalDate != nil }

  /// `nil` for a time that has no end.
  var lastClinicalDate: String? { clinicalDate.flatMap { $0.text ?? $0["end"]?.text } }
}
