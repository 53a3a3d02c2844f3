extension AppleHealthReport {
  /// The report for a person, line by line.
  package var lines: [String] {
    var lines = [
      "\(document ?? "the export"), exported \(exportDate ?? "at an unknown time")",
      "records: \(recordsRead) read, \(recordsUsed) used, \(recordsMerged) merged, "
        + "\(recordsSkipped) skipped",
    ]
    lines += reasons(skipped).map { Self.line("  skipped", $0.reason, $0.skipped) }
    for (text, count) in unknown.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      lines.append("  not known: \(text), \(count == 1 ? "once" : "\(count) times")")
    }
    for (name, taken) in taken where taken.read > 0 {
      lines.append("\(Self.words[name] ?? name): \(taken.read) read, \(taken.taken) taken")
    }
    if clinicalRecordsConverted > 0 {
      lines.append("  \(clinicalRecordsConverted) of them converted from DSTU2")
    }
    lines += reasons(leftOut).map { Self.line("  left out", $0.reason, $0.skipped) }
    lines += summaries.lines
    return lines + results.lines(days: days) + faultLines + notices
  }

  private static func line(_ verb: String, _ reason: Reason, _ skipped: Skipped) -> String {
    let place = skipped.first?.byteOffset.map { " before byte \($0)" } ?? ""
    let first = skipped.first.map { ", the first\(place): \($0.text)" } ?? ""
    return "\(verb) \(skipped.count) \(reason.rawValue)\(first)"
  }

  private static let words = [
    "electrocardiograms": "ECGs", "routes": "workout routes", "clinicalRecords": "clinical records",
  ]

  private var faultLines: [String] {
    var lines: [String] = []
    if replacedByteCount > 0 {
      let bytes = replacedByteCount == 1 ? "1 byte was" : "\(replacedByteCount) bytes were"
      lines.append("\(bytes) no text and replaced")
    }
    if faultCount > 0 {
      let pieces = faultCount == 1 ? "1 piece of markup was" : "\(faultCount) pieces of markup were"
      lines.append("\(pieces) passed over")
    }
    if let endedBecause {
      let place = endedAt.map { " at byte \($0)" } ?? ""
      lines.append("the export ends too early\(place): \(endedBecause); what was whole is in")
      if !isDocumentWhole { lines.append("days that have a value already keep it") }
    }
    return lines
  }
}

extension SummaryCheck.Result {
  fileprivate var lines: [String] {
    guard days > 0 else { return [] }
    let totals = "Apple's totals of \(days) \(days == 1 ? "day" : "days"):"
    guard compared > 0 else { return ["\(totals) none is of a value that the records give"] }
    return ["\(totals) \(compared) compared, \(alike) alike"]
      + furthest.map {
        "  \($0.metric) \($0.day): \(decimalText($0.apple)) in Health, \(decimalText($0.ours)) here"
      }
  }
}
