import FHIRModel

/// Parts of a panel that are told or withdrawn without the others: those stay as they stand.
struct PanelRevision: Revision {
  /// With all parts, of which those that aren't told have no numbers.
  private let draft: ObservationDraft
  /// The names of the parts that are told.
  private let told: Set<String>

  init(_ draft: ObservationDraft, told: Set<String>) {
    self.draft = draft
    self.told = told
  }

  var type: ResourceType { .observation }

  var mayDelete: Bool { tellsNothing }

  /// Whether all that is told is that there is nothing.
  private var tellsNothing: Bool { draft.parts.allSatisfy { $0.numbers == nil } }

  func revised(_ current: Resource?) throws(InteractionError) -> Resource? {
    let standing = current.map { StandingPanel($0.document.root, of: draft.parts.map(\.metric)) }
    var next = draft
    for place in draft.parts.indices where !told.contains(draft.parts[place].metric.name) {
      next.parts[place] = .init(draft.parts[place].metric, standing?.numbers[place] ?? nil)
    }
    guard next.parts.contains(where: { $0.numbers != nil }) else { return nil }
    if let standing { next.keep(standing, isUnchanged: tellsNothing || says(what: standing)) }
    do {
      return try Resource(parsing: next.json, expecting: type)
    } catch {
      throw .invalid([Issue(.invariant, "It makes no valid Observation: \(error).", at: "value")])
    }
  }

  /// Whether what is told stands already.
  private func says(what standing: StandingPanel) -> Bool {
    zip(draft.parts, standing.numbers).allSatisfy { part, numbers in
      !told.contains(part.metric.name) || part.numbers == numbers
    }
  }
}

extension ObservationDraft {
  /// Takes over who measured and told a panel that stands: all of it where nothing new is told, else
  /// what goes on holding for the parts that stay.
  fileprivate mutating func keep(_ standing: StandingPanel, isUnchanged: Bool) {
    if isUnchanged {
      source = standing.source ?? source
      device = standing.device
      reporters = standing.reporters
    } else {
      device = device ?? standing.device
      let all = Set(reporters + standing.reporters)
      reporters = [.deviceReported, .patientReported].filter(all.contains)
    }
  }
}

/// What an Observation that stands says of the parts of its metric.
private struct StandingPanel {
  /// Of each part; `nil` where it isn't known.
  let numbers: [Numbers?]
  let source: SourceSystem?
  let device: DeviceMention?
  let reporters: [Coding]

  init(_ root: JSONValue, of parts: [Metric]) {
    let components = root["component"].map { Array($0.elements) } ?? []
    func number(_ coding: Coding?, _ metric: Metric) -> DecimalText? {
      let quantity = components.first { $0["code"].has(coding) }?["valueQuantity"]
      guard let quantity, quantity["code"]?.string == metric.ucum else { return nil }
      return quantity["value"]?.numberText.flatMap(DecimalText.init(json:))
    }
    numbers = parts.map { part in
      number(part.codings.first, part).map {
        Numbers(
          value: $0, minimum: number(part.extremes?.minimum, part),
          maximum: number(part.extremes?.maximum, part))
      }
    }
    source = root["meta"]?["source"]?.string.flatMap(SourceSystem.init(uri:))
    device = DeviceMention(root["device"])
    let tags = root["meta"]?["tag"].map { Array($0.elements) } ?? []
    reporters = [.deviceReported, .patientReported].filter { coding in
      tags.contains { coding.stands(in: $0) }
    }
  }
}

extension Coding {
  fileprivate func stands(in element: JSONValue) -> Bool {
    element["system"]?.string == system && element["code"]?.string == code
  }
}

extension JSONValue? {
  /// Whether a concept has a coding.
  fileprivate func has(_ coding: Coding?) -> Bool {
    guard let coding, let codings = self?["coding"] else { return false }
    return codings.elements.contains { coding.stands(in: $0) }
  }
}
