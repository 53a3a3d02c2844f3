import FHIRModel

extension DailyValue {
  /// The value as an Observation. Nothing in it depends on when it is written, except that a day
  /// which isn't over is preliminary, so that the same values make the same text.
  ///
  /// - SeeAlso: https://hl7.org/fhir/R4/observation.html
  func observation(of numbers: Numbers, in call: DailyCall) -> [UInt8] {
    var json = JSONWriter(reservingByteCount: 2_048)
    json.object { json in
      json.member("resourceType", "Observation")
      json.member("meta", object: { writeMeta(in: call, to: &$0) })
      json.member("identifier", array: { $0.object { writeIdentifier(in: call, to: &$0) } })
      json.member("status", call.isOver(seconds) ? "final" : "preliminary")
      json.member("category", array: { $0.object { $0.codings([metric.category]) } })
      json.member("code", object: { writeCode(in: call, to: &$0) })
      json.member("subject", object: { $0.member("reference", "\(call.patient)") })
      json.member("effectivePeriod", object: { writePeriod(in: call, to: &$0) })
      json.member("valueQuantity", object: { write(numbers.value, to: &$0) })
      if let device = call.device { json.member("device", object: { device.write(to: &$0) }) }
      if numbers.minimum != nil || numbers.maximum != nil {
        json.member("component", array: { writeComponents(of: numbers, to: &$0) })
      }
    }
    return json.bytes
  }

  /// The source system, the profile where it holds, and that a device reported it.
  private func writeMeta(in call: DailyCall, to json: inout JSONWriter) {
    json.member("source", call.source.uri)
    if let profile = metric.profile { json.member("profile", array: { $0.string(profile) }) }
    json.member("tag", array: { for tag in call.reporters { $0.coding(tag) } })
  }

  private func writeIdentifier(in call: DailyCall, to json: inout JSONWriter) {
    json.member("system", Self.identifierSystem)
    json.member("value", identifier(in: call))
  }

  private func writeCode(in call: DailyCall, to json: inout JSONWriter) {
    json.codings(metric.codings + [metric.sourceTypes[call.origin]?.coding].compactMap(\.self))
    json.member("text", metric.title)
  }

  private func writePeriod(in call: DailyCall, to json: inout JSONWriter) {
    json.member("start", call.zone.dateTime(seconds.lowerBound, on: day))
    json.member("end", call.lastZone.dateTime(seconds.upperBound - 1, on: day))
  }

  private func write(_ number: DecimalText, to json: inout JSONWriter) {
    json.name("value")
    json.raw(number.text.utf8)
    if let unit = metric.unit { json.member("unit", unit.text) }
    json.member("system", "http://unitsofmeasure.org")
    json.member("code", metric.ucum)
  }

  private func writeComponents(of numbers: Numbers, to json: inout JSONWriter) {
    guard let extremes = metric.extremes else { return }
    let components = [(extremes.minimum, numbers.minimum), (extremes.maximum, numbers.maximum)]
    for case (let coding, let number?) in components {
      json.object {
        $0.member("code", object: { $0.codings([coding]) })
        $0.member("valueQuantity", object: { write(number, to: &$0) })
      }
    }
  }
}

extension Coding {
  /// - SeeAlso: https://terminology.hl7.org/CodeSystem-v3-ObservationValue.html
  static let deviceReported = Coding(
    system: "http://terminology.hl7.org/CodeSystem/v3-ObservationValue", code: "DEVRPT",
    display: "device reported")

  static let patientReported = Coding(
    system: "http://terminology.hl7.org/CodeSystem/v3-ObservationValue", code: "PATRPT",
    display: "patient reported")
}

extension JSONWriter {
  mutating func codings(_ codings: [Coding]) {
    member("coding", array: { for coding in codings { $0.coding(coding) } })
  }

  mutating func coding(_ coding: Coding) {
    object {
      $0.member("system", coding.system)
      $0.member("code", coding.code)
      if let display = coding.display { $0.member("display", display) }
    }
  }
}

extension DeviceMention {
  func write(to json: inout JSONWriter) {
    if let reference { json.member("reference", reference) }
    if let display { json.member("display", display) }
  }
}
