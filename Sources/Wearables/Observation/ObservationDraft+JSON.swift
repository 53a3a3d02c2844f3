import FHIRModel

extension ObservationDraft {
  /// The resource's text.
  ///
  /// - SeeAlso: https://hl7.org/fhir/R4/observation.html
  package var json: [UInt8] {
    var json = JSONWriter(reservingByteCount: 2_048)
    json.object { json in
      json.member("resourceType", "Observation")
      json.member("meta", object: { writeMeta(to: &$0) })
      json.member(
        "identifier", array: { $0.identifier(system: identifier.system, value: identifier.value) })
      json.member("status", isPreliminary ? "preliminary" : "final")
      json.member("category", array: { $0.object { $0.codings([metric.category]) } })
      json.member("code", object: { writeCode(to: &$0) })
      json.member("subject", object: { $0.member("reference", "\(patient)") })
      effective?.write(to: &json)
      writeValue(to: &json)
      if let interpretation {
        json.member("interpretation", array: { $0.object { $0.member("text", interpretation) } })
      }
      if let note { json.member("note", array: { $0.object { $0.member("text", note) } }) }
      if let device { json.member("device", object: { device.write(to: &$0) }) }
      let components = measured + self.components
      if !components.isEmpty {
        json.member("component", array: { for part in components { part.write(to: &$0) } })
      }
    }
    return json.bytes
  }

  /// The source system, the profile where it holds, and who reported it.
  private func writeMeta(to json: inout JSONWriter) {
    json.member("source", source.uri)
    if let profile = metric.profile, isWhole {
      json.member("profile", array: { $0.string(profile) })
    }
    json.member("tag", array: { for tag in reporters { $0.coding(tag) } })
  }

  /// Whether it has the value, or all the parts, that its profile asks for.
  private var isWhole: Bool {
    guard metric.parts.isEmpty else { return parts.map(\.metric.name) == metric.parts }
    if case .numbers = value { return true }
    return false
  }

  private func writeCode(to json: inout JSONWriter) {
    json.codings(metric.codings(from: origin))
    json.member("text", metric.title)
  }

  private func writeValue(to json: inout JSONWriter) {
    switch value {
    case .numbers(let numbers):
      if let unit = metric.unit {
        json.quantity(numbers.value, unit: unit.text, ucum: unit.ucum)
      }
    case .coded(let value): writeConcept(value.code, value.text, to: &json)
    case .code(let code, let text): writeConcept(code, text, to: &json)
    case .number(let number): json.member("valueQuantity", object: { $0.number("value", number) })
    case .text(let text): json.member("valueString", text)
    case nil: break
    }
  }

  private func writeConcept(_ code: String, _ text: String?, to json: inout JSONWriter) {
    let coding = Coding(system: origin.typeSystem, code: code, display: nil)
    json.member(
      "valueCodeableConcept",
      object: {
        $0.codings([coding])
        if let text { $0.member("text", text) }
      })
  }

  /// The components of the metric itself.
  private var measured: [Component] {
    var components: [Component] = []
    if case .numbers(let numbers) = value { components += metric.extremes(of: numbers) }
    // The values themselves come first: a profile looks for them by their codes.
    components += parts.compactMap { part in
      guard let numbers = part.numbers else {
        return metric.profile == nil ? nil : .init(part.metric.codings, .unknown)
      }
      return part.metric.component(part.metric.codings, numbers.value)
    }
    return components
      + parts.flatMap { part in
        part.numbers.map { part.metric.extremes(of: $0) } ?? []
      }
  }
}

extension ObservationDraft.Effective {
  fileprivate func write(to json: inout JSONWriter) {
    switch self {
    case .dateTime(let text): json.member("effectiveDateTime", text)
    case .period(let start, let end):
      json.member(
        "effectivePeriod",
        object: {
          $0.member("start", start)
          $0.member("end", end)
        })
    }
  }
}
