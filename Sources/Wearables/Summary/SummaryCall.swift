import FHIRModel

/// A question for what a person's metric comes to by days, weeks or months: what a chart needs.
package struct SummaryCall: Sendable {
  package let patient: ResourceID
  package let metric: Metric
  /// What is stored: the metric, or that of which it is a part.
  private let stored: Metric
  package let days: ClosedRange<CivilDay>
  package let bucket: Digest.Bucket
  /// `nil` for the first of all origins that a day has.
  private let origin: Origin?

  private static let names = ["patient", "metric", "from", "to", "bucket", "origin"]
  /// A chart of more days has no use for each of them.
  private static let dayCountMaximum = 36_525

  /// Reads the parameters of the address: `patient`, `metric`, `from` and `to` (both days included),
  /// and perhaps `bucket` (`day`) and `origin`.
  ///
  /// - Throws: `.invalid` with an issue for every parameter that is missing, unknown or wrong.
  package init(_ parameters: [QueryParameter], metrics: MetricTable) throws(InteractionError) {
    var reading = Reading(parameters, names: Self.names)
    let patient = reading.required("patient", "Patient/ and an id", Self.patient)
    let metric = reading.required("metric", "the name of a metric") { metrics[$0] }
    let from = reading.required("from", "a day (YYYY-MM-DD)") { CivilDay($0) }
    let to = reading.required("to", "a day (YYYY-MM-DD)") { CivilDay($0) }
    let buckets = Digest.Bucket.allCases.map(\.rawValue).joined(separator: ", ")
    let bucket = reading.optional("bucket", "one of \(buckets)", Digest.Bucket.init)
    let origins = Origin.allCases.map(\.rawValue).joined(separator: ", ")
    origin = reading.optional("origin", "one of \(origins)", Origin.init)
    if let metric, !metric.hasDayValue || metric.unit == nil {
      reading.refuse("metric", "\(metric.name) has no number for each day")
    }
    if let from, let to {
      if to < from { reading.refuse("to", "\(to) lies before from (\(from))") }
      if to.daysSince1970 - from.daysSince1970 >= Self.dayCountMaximum {
        reading.refuse("to", "at most \(Self.dayCountMaximum) days are put together at once")
      }
    }
    guard reading.issues.isEmpty, let patient, let metric, let from, let to else {
      throw .invalid(reading.issues)
    }
    self.patient = patient
    self.metric = metric
    stored = metrics.whole(of: metric) ?? metric
    self.days = from...to
    self.bucket = bucket ?? .day
  }

  private static func patient(_ text: String) -> ResourceID? {
    ResourceID(text.contains("/") ? text : "Patient/\(text)").flatMap {
      $0.type.name == "Patient" ? $0 : nil
    }
  }
}

extension SummaryCall {
  /// The search whose matches are put together: one walk over the person's Observations of the
  /// metric's code in these days.
  package var interaction: Interaction {
    var query = Query(
      type: .observation,
      parameters: [
        QueryParameter(name: "patient", value: "\(patient)"),
        QueryParameter(name: "code", value: codes),
        QueryParameter(name: "date", value: "ge\(days.lowerBound)"),
        QueryParameter(name: "date", value: "le\(days.upperBound)"),
        QueryParameter(name: "_sort", value: "date"),
      ])
    query.digest = digest
    return .search(query)
  }

  private var origins: [Origin] { origin.map { [$0] } ?? Origin.allCases }

  /// The metric's own code, or where it has none those that each origin's Observations have.
  private var codes: String {
    let codings =
      stored.codings.first.map { [$0] } ?? origins.compactMap { stored.codings(from: $0).first }
    return codings.map { "\(Self.escaped($0.system))|\(Self.escaped($0.code))" }
      .joined(separator: ",")
  }

  /// - SeeAlso: https://hl7.org/fhir/R4/search.html#escaping
  private static func escaped(_ text: String) -> String {
    String(text.flatMap { "\\,$|".contains($0) ? ["\\", $0] : [$0] })
  }

  private var digest: Digest {
    Digest(
      identifierSystem: DailyValue.identifierSystem,
      identifierPrefix: "\(patient.id.text)/\(stored.name)/",
      identifierSuffixes: origins.map { "/\($0.rawValue)" },
      component: stored.name == metric.name
        ? nil : metric.codings.first.map { Digest.Code(system: $0.system, code: $0.code) },
      unit: metric.ucum,
      extremes: metric.extremes.map {
        Digest.Extremes(
          minimum: Digest.Code(system: $0.minimum.system, code: $0.minimum.code),
          maximum: Digest.Code(system: $0.maximum.system, code: $0.maximum.code))
      }, days: days, bucket: bucket)
  }
}

/// Takes parameters and notes what is wrong with them.
private struct Reading {
  private(set) var issues: [Issue] = []
  private var texts: [String: String] = [:]

  init(_ parameters: [QueryParameter], names: [String]) {
    for parameter in parameters where !parameter.value.isEmpty {
      if !names.contains(parameter.name) {
        refuse(parameter.name, "a summary has no such parameter")
      } else if texts.updateValue(parameter.value, forKey: parameter.name) != nil {
        refuse(parameter.name, "it is given twice")
      }
    }
  }

  mutating func refuse(_ name: String, _ reason: String) {
    issues.append(Issue(.value, "\(name): \(reason).", at: name))
  }

  mutating func required<Value>(
    _ name: String, _ rule: String, _ read: (String) -> Value?
  ) -> Value? {
    guard texts[name] != nil else {
      issues.append(Issue(.required, "\(name) is missing: \(rule).", at: name))
      return nil
    }
    return optional(name, rule, read)
  }

  mutating func optional<Value>(
    _ name: String, _ rule: String, _ read: (String) -> Value?
  ) -> Value? {
    guard let text = texts[name] else { return nil }
    if let value = read(text) { return value }
    issues.append(Issue(.value, "\(name) is “\(text)”, but must be \(rule).", at: name))
    return nil
  }
}
