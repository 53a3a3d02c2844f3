import FHIRModel

extension HealthConnectReport {
  /// The report for a person, line by line.
  package var lines: [String] {
    var lines = ["\(document), version \(version) of Health Connect's tables"]
    lines.append(
      "records: \(readCount) read, \(used) used, \(merged) merged, "
        + "\(skippedCount) skipped")
    for (reason, types) in reasons {
      let count = types.reduce(0) { $0 + $1.count }
      let names = types.map { "\($0.count) \($0.type)" }.joined(separator: ", ")
      lines.append("  skipped \(count) \(reason.rawValue): \(names)")
    }
    for (name, taken) in taken where taken.read > 0 {
      lines.append("\(name): \(taken.read) read, \(taken.taken) taken")
    }
    lines += results.lines(days: days)
    lines += damages.map { "\($0.type) could be read only in part: \($0.reason)" }
    if !damages.isEmpty { lines.append("days that have a value already keep it") }
    if !lacks.isEmpty {
      lines.append("not in this version: " + lacks.map(\.description).joined(separator: "; "))
    }
    return lines + notices
  }

  private var taken: KeyValuePairs<String, ImportTaken> {
    ["workouts": workouts, "events": events]
  }

  private var reasons: [(reason: Reason, types: [(type: String, count: Int)])] {
    Reason.allCases.compactMap { reason in
      skipped[reason].map { types in
        (reason, types.sorted { $0.key < $1.key }.map { (type: $0.key, count: $0.value) })
      }
    }
  }

  /// Writes the members of the report as JSON.
  package func write(to json: inout JSONWriter) {
    json.member("document", document)
    json.member("version", version)
    json.member("whole", damages.isEmpty)
    json.member(
      "records",
      object: {
        $0.member("read", readCount)
        $0.member("used", used)
        $0.member("merged", merged)
        $0.member("skipped", skippedCount)
      })
    json.member("skipped", array: { writeSkipped(to: &$0) })
    json.member(
      "types",
      object: {
        for (type, count) in read.sorted(by: { $0.key < $1.key }) { $0.member(type, count) }
      }
    )
    for (name, taken) in taken {
      json.member(name, object: { taken.write(to: &$0) })
    }
    json.member("dayValues", days)
    json.member("observations", object: { results.write(to: &$0) })
    json.member("missing", array: { for lack in lacks { $0.string(lack.description) } })
    json.member(
      "damaged", array: { for one in damages { $0.string("\(one.type): \(one.reason)") } })
    if !notices.isEmpty {
      json.member("notices", array: { for each in notices { $0.string(each) } })
    }
  }

  private func writeSkipped(to json: inout JSONWriter) {
    for (reason, types) in reasons {
      json.object {
        $0.member("reason", reason.rawValue)
        $0.member("count", types.reduce(0) { $0 + $1.count })
        $0.member("types", object: { for one in types { $0.member(one.type, one.count) } })
      }
    }
  }
}
