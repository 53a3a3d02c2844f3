import FHIRModel

extension ObservationDraft {
  /// A component that is no part of the metric.
  package struct Component: Hashable, Sendable {
    package let codings: [Coding]
    /// For a reader; always there where there is no code.
    package let text: String?
    package let value: Value

    package enum Value: Hashable, Sendable {
      case quantity(DecimalText, unit: String, ucum: String)
      case sampled(SampledData)
      /// There must be such a component, and nobody knows its value.
      case unknown
    }

    package init(_ codings: [Coding], text: String? = nil, _ value: Value) {
      self.codings = codings
      self.text = text
      self.value = value
    }
  }
}

/// Numbers taken at equal intervals: an electrocardiogram.
///
/// - SeeAlso: https://hl7.org/fhir/R4/datatypes.html#SampledData
package struct SampledData: Hashable, Sendable {
  package let unit: String
  package let ucum: String
  /// Milliseconds between two of them.
  package let period: DecimalText
  /// Decimals with a space between them.
  package let data: String

  package init(unit: String, ucum: String, period: DecimalText, data: String) {
    self.unit = unit
    self.ucum = ucum
    self.period = period
    self.data = data
  }
}

extension ObservationDraft.Component {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member(
        "code",
        object: {
          if !codings.isEmpty { $0.codings(codings) }
          if let text { $0.member("text", text) }
        })
      switch value {
      case .quantity(let number, let unit, let ucum):
        json.quantity(number, unit: unit, ucum: ucum)
      case .sampled(let data):
        json.member("valueSampledData", object: { data.write(to: &$0) })
      case .unknown:
        json.member("dataAbsentReason", object: { $0.codings([.unknown]) })
      }
    }
  }
}

extension Coding {
  /// - SeeAlso: https://hl7.org/fhir/R4/valueset-data-absent-reason.html
  fileprivate static let unknown = Coding(
    system: "http://terminology.hl7.org/CodeSystem/data-absent-reason", code: "unknown",
    display: "Unknown")
}

extension Metric {
  /// The codes of its Observations: its own, then that of the origin's type; of a metric that the
  /// origin doesn't have at least its name.
  func codings(from origin: Origin) -> [Coding] {
    let codings = codings + [sourceTypes[origin]?.coding].compactMap(\.self)
    return codings.isEmpty ? [ownCoding] : codings
  }

  /// Its name as a code, where there is no other.
  var ownCoding: Coding {
    Coding(system: "urn:kiln:metric", code: name, display: title)
  }

  func extremes(of numbers: Numbers) -> [ObservationDraft.Component] {
    guard let extremes else { return [] }
    return [(extremes.minimum, numbers.minimum), (extremes.maximum, numbers.maximum)]
      .compactMap { coding, number in number.flatMap { component([coding], $0) } }
  }

  func component(
    _ codings: [Coding], _ number: DecimalText
  ) -> ObservationDraft.Component? {
    unit.map { .init(codings, .quantity(number, unit: $0.text, ucum: $0.ucum)) }
  }
}

extension SampledData {
  func write(to json: inout JSONWriter) {
    json.member(
      "origin",
      object: {
        $0.member("value", 0)
        $0.unit(unit, ucum)
      })
    json.number("period", period)
    json.member("dimensions", 1)
    json.member("data", data)
  }
}
