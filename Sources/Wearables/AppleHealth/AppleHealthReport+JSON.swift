import FHIRModel

extension AppleHealthReport {
  /// Writes the members of the report as JSON.
  package func write(to json: inout JSONWriter) {
    if let document { json.member("document", document) }
    if let exportDate { json.member("exportDate", exportDate) }
    if let locale { json.member("locale", locale) }
    json.member("bytes", byteCount)
    json.member("replacedBytes", replacedByteCount)
    json.member("faults", faultCount)
    json.member("whole", endedAt == nil && endedBecause == nil)
    if let endedAt { json.member("endedAtByte", endedAt) }
    if let endedBecause { json.member("endedBecause", endedBecause) }
    json.member(
      "records",
      object: {
        $0.member("read", recordsRead)
        $0.member("used", recordsUsed)
        $0.member("merged", recordsMerged)
        $0.member("skipped", recordsSkipped)
      })
    json.member("skipped", array: { write(skipped, to: &$0) })
    json.member("leftOut", array: { write(leftOut, to: &$0) })
    json.member(
      "unknown",
      object: {
        for (text, count) in unknown.sorted(by: { $0.key < $1.key }) { $0.member(text, count) }
      })
    json.member("correlations", correlations)
    for (name, taken) in taken {
      json.member(name, object: { taken.write(to: &$0) })
    }
    json.member("clinicalRecordsConverted", clinicalRecordsConverted)
    json.member("activitySummaries", object: { summaries.write(to: &$0) })
    json.member("dayValues", days)
    json.member("observations", object: { results.write(to: &$0) })
    if !notices.isEmpty {
      json.member("notices", array: { for each in notices { $0.string(each) } })
    }
  }

  /// What is stored one by one, by its name in a report.
  var taken: KeyValuePairs<String, ImportTaken> {
    [
      "workouts": workouts, "events": events, "electrocardiograms": electrocardiograms,
      "routes": routes, "clinicalRecords": clinicalRecords,
    ]
  }

  /// The reasons for which something was left out, in their order.
  func reasons(_ list: [Reason: Skipped]) -> [(reason: Reason, skipped: Skipped)] {
    Reason.allCases.compactMap { reason in list[reason].map { (reason, $0) } }
  }

  private func write(_ list: [Reason: Skipped], to json: inout JSONWriter) {
    for (reason, skipped) in reasons(list) {
      json.object {
        $0.member("reason", reason.rawValue)
        $0.member("count", skipped.count)
        if let first = skipped.first {
          $0.member("first", first.text)
          if let place = first.byteOffset { $0.member("beforeByte", place) }
        }
      }
    }
  }
}

extension SummaryCheck.Result {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("days", days)
    json.member("compared", compared)
    json.member("alike", alike)
    json.member(
      "furthest",
      array: { json in
        for difference in furthest {
          json.object {
            $0.member("metric", difference.metric)
            $0.member("day", difference.day)
            $0.name("apple")
            $0.raw(decimalText(difference.apple).utf8)
            $0.name("here")
            $0.raw(decimalText(difference.ours).utf8)
          }
        }
      })
  }
}
