import FHIRModel

extension Coding {
  /// - SeeAlso: https://terminology.hl7.org/CodeSystem-v3-ObservationValue.html
  package static let deviceReported = Coding(
    system: "http://terminology.hl7.org/CodeSystem/v3-ObservationValue", code: "DEVRPT",
    display: "device reported")

  /// What a person typed in.
  package static let patientReported = Coding(
    system: "http://terminology.hl7.org/CodeSystem/v3-ObservationValue", code: "PATRPT",
    display: "patient reported")
}

extension JSONWriter {
  mutating func number(_ name: String, _ number: DecimalText) {
    self.name(name)
    raw(number.text.utf8)
  }

  mutating func quantity(_ number: DecimalText, unit: String, ucum: String) {
    member(
      "valueQuantity",
      object: {
        $0.number("value", number)
        $0.unit(unit, ucum)
      })
  }

  mutating func unit(_ text: String, _ ucum: String) {
    member("unit", text)
    member("system", "http://unitsofmeasure.org")
    member("code", ucum)
  }

  mutating func codings(_ codings: [Coding]) {
    member("coding", array: { for coding in codings { $0.coding(coding) } })
  }

  mutating func identifier(system: String, value: String) {
    object {
      $0.member("system", system)
      $0.member("value", value)
    }
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
