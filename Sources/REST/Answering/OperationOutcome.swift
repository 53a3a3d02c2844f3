import FHIRModel

/// Issues as the resource that carries them.
///
/// - SeeAlso: https://hl7.org/fhir/R4/operationoutcome.html
enum OperationOutcome {
  static func bytes(_ issues: [Issue]) -> [UInt8] {
    var writer = JSONWriter()
    write(issues, to: &writer)
    return writer.bytes
  }

  static func write(_ issues: [Issue], to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("resourceType", "OperationOutcome")
      writer.member(
        "issue",
        array: { writer in
          for issue in issues { write(issue, to: &writer) }
        })
    }
  }

  private static func write(_ issue: Issue, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("severity", issue.severity.rawValue)
      writer.member("code", issue.code.rawValue)
      if !issue.diagnostics.isEmpty { writer.member("diagnostics", issue.diagnostics) }
      guard let expression = issue.expression, !expression.isEmpty else { return }
      writer.member("expression", array: { $0.string(expression) })
    }
  }
}
