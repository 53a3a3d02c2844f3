/// One issue of an OperationOutcome.
///
/// - SeeAlso: https://hl7.org/fhir/R4/operationoutcome.html
package struct Issue: Hashable, Sendable {
  package enum Severity: String, Sendable {
    case fatal, error, warning, information
  }

  /// A code of http://hl7.org/fhir/issue-type.
  package enum Code: String, Sendable {
    case invalid, structure, required, value, invariant, security, login, unknown, expired
    case forbidden, suppressed, processing, duplicate, conflict, exception, timeout, throttled
    case informational, deleted, incomplete
    case notSupported = "not-supported"
    case multipleMatches = "multiple-matches"
    case notFound = "not-found"
    case tooLong = "too-long"
    case codeInvalid = "code-invalid"
    case businessRule = "business-rule"
    case tooCostly = "too-costly"
    case noStore = "no-store"
    case transient = "transient"
    case lockError = "lock-error"
  }

  package var severity: Severity
  package var code: Code
  /// What is wrong, for a person to read.
  package var diagnostics: String
  /// Where: a FHIRPath such as `Observation.component[1].code`, or the name of a parameter.
  package var expression: String?

  package init(
    _ severity: Severity, _ code: Code, _ diagnostics: String, at expression: String? = nil
  ) {
    self.severity = severity
    self.code = code
    self.diagnostics = diagnostics
    self.expression = expression
  }

  /// An error.
  package init(_ code: Code, _ diagnostics: String, at expression: String? = nil) {
    self.init(.error, code, diagnostics, at: expression)
  }
}
