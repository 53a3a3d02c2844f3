import FHIRModel

/// An Observation before it is written: of a day, of an event or of a fact that doesn't change.
///
/// Nothing in it may depend on when it is written, so that the same values make the same text and an
/// import that is repeated changes nothing.
package struct ObservationDraft: Sendable {
  package let metric: Metric
  package let patient: ResourceID
  package let origin: Origin
  /// The program that handed the value over.
  package internal(set) var source: SourceSystem
  /// By which the same Observation is found again.
  package let identifier: Identifier
  /// Whether it may still change: of a day that isn't over.
  package var isPreliminary = false
  package var effective: Effective?
  package var value: Value?
  /// The values of the metric's parts, in their order; without numbers one that isn't known.
  package var parts: [Part] = []
  /// What else there is to say of it.
  package var components: [Component] = []
  package var interpretation: String?
  package var note: String?
  package var device: DeviceMention?
  /// Who reported it: a device, the person, or both.
  package var reporters: [Coding] = [.deviceReported]

  package init(
    of metric: Metric, for patient: ResourceID, from origin: Origin, source: SourceSystem,
    identifier: Identifier
  ) {
    self.metric = metric
    self.patient = patient
    self.origin = origin
    self.source = source
    self.identifier = identifier
  }

  package struct Identifier: Hashable, Sendable {
    package let system: String
    package let value: String

    package init(system: String, value: String) {
      self.system = system
      self.value = value
    }
  }

  /// When it was so, as FHIR writes dates and times.
  package enum Effective: Hashable, Sendable {
    case dateTime(String)
    case period(start: String, end: String)
  }

  package enum Value: Hashable, Sendable {
    /// In the metric's unit; the extremes become components.
    case numbers(Numbers)
    /// One of the values that the origin's type may have.
    case coded(CategoryValue)
    /// A value of an open set, by the origin's name of it: `HKWorkoutActivityTypeRunning`.
    case code(String, text: String?)
    /// Of what has no unit.
    case number(DecimalText)
    case text(String)
  }

  package struct Part: Hashable, Sendable {
    package let metric: Metric
    package let numbers: Numbers?

    package init(_ metric: Metric, _ numbers: Numbers?) {
      self.metric = metric
      self.numbers = numbers
    }

    package static func == (left: Part, right: Part) -> Bool {
      left.metric.name == right.metric.name && left.numbers == right.numbers
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(metric.name)
      hasher.combine(numbers)
    }
  }
}

extension ObservationDraft {
  /// The conditional update that writes it: the same identifier is the same Observation.
  ///
  /// - Throws: where it makes no valid Observation.
  /// - SeeAlso: https://hl7.org/fhir/R4/http.html#cond-update
  package func interaction() throws(DailyValues.Refusal) -> Interaction {
    do {
      let resource = try Resource(parsing: json, expecting: .observation)
      return .conditionalUpdate(resource, matching: identifier.query, if: .none)
    } catch {
      throw .init(reason: "It makes no valid Observation: \(error).")
    }
  }
}

extension ObservationDraft.Identifier {
  package static let eventSystem = "urn:kiln:event"

  /// Of events and facts: who, what, and what makes it that one.
  ///
  /// - Parameter key: of characters that an identifier may have, see `plain`; `nil` for a fact of
  ///   which there is only one.
  package static func event(
    _ metric: Metric, of patient: ResourceID, from origin: Origin, key: String?
  ) -> Self {
    let parts = [patient.id.text, metric.name, key, origin.rawValue].compactMap(\.self)
    return Self(system: eventSystem, value: parts.joined(separator: "/"))
  }

  /// A text of an export as part of an identifier: bytes that have a meaning there are escaped.
  package static func plain(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: ":"):
        result.unicodeScalars.append(UnicodeScalar(byte))
      default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }

  /// Finds the Observation that bears it.
  package var query: Query {
    Query(
      type: .observation,
      parameters: [
        QueryParameter(name: "identifier", value: "\(system)|\(ClinicalRecord.searchText(value))")
      ])
  }
}

extension ResourceType {
  /// What values become.
  package static let observation: ResourceType = {
    guard let type = ResourceType("Observation") else { preconditionFailure("R4 has the type") }
    return type
  }()
}
