import FHIRModel
import Store

/// Reads Consents for one client of one patient.
///
/// Nothing that it doesn't understand widens what is permitted: unknown codes, actors and modifiers
/// make a criterion that can't be told.
struct ConsentCompiler {
  let client: ResourceID
  let patient: ResourceID
  let addresses: OwnAddresses
  /// The offset of dates that are written without one.
  let zone: UTCOffset
  /// A code was met that nothing stored has: it may get a number with the next commit.
  private(set) var metUnknownTerm = false

  init(
    client: ResourceID, patient: ResourceID, addresses: OwnAddresses, zone: UTCOffset
  ) {
    self.client = client
    self.patient = patient
    self.addresses = addresses
    self.zone = zone
  }

  /// The root provision of a Consent that is in force and is the patient's; else `nil`.
  ///
  /// - Parameter number: gives the number of a term; `nil` if nothing stored has it.
  /// - Throws: what `number` throws.
  mutating func compile(_ consent: JSONValue, _ number: Numbering) throws -> Provision? {
    guard consent["status"]?.string == "active", isAboutPrivacy(consent["scope"]),
      let subject = consent["patient"]?["reference"]?.string, resource(named: subject) == patient,
      let root = consent["provision"]
    else { return nil }
    var provision = try self.provision(root, isInsideNaming: false, number)
    if hasModifiers(consent) { provision.client = provision.client && .unknown }
    return provision
  }

  private func isAboutPrivacy(_ scope: JSONValue?) -> Bool {
    scope?["coding"]?.elements.contains { coding in
      coding["system"]?.string == "http://terminology.hl7.org/CodeSystem/consentscope"
        && coding["code"]?.string == "patient-privacy"
    } ?? false
  }

  /// Elements that may turn the meaning of what stands beside them.
  private func hasModifiers(_ element: JSONValue) -> Bool {
    element["modifierExtension"] != nil || element["implicitRules"] != nil
  }

  private mutating func provision(
    _ element: JSONValue, isInsideNaming: Bool, _ number: Numbering
  ) throws -> Provision {
    let actor = element["actor"].map(self.actor)
    let namesClient = actor == .yes || (isInsideNaming && actor == nil)
    var client = actor ?? .yes
    // A caller states no purpose, so a rule for some purposes may or may not be meant.
    if element["purpose"] != nil || hasModifiers(element) { client = client && .unknown }
    let period = element["period"].map(interval)
    if case .some(nil) = period { client = client && .unknown }
    var compiled = Provision(
      verdict: verdict(element["type"]), client: client, namesClient: namesClient,
      read: .yes, write: .yes, period: period ?? nil,
      criteria: try criteria(of: element, number), provisions: [])
    if let actions = element["action"] {
      compiled.read = holds(actions) { ConsentAction.read.truth(ofCode: $0) }
      compiled.write = holds(actions) { ConsentAction.write.truth(ofCode: $0) }
    }
    for inner in element["provision"]?.elements.map({ $0 }) ?? [] {
      let inner = try provision(inner, isInsideNaming: namesClient, number)
      if inner.client != .no { compiled.provisions.append(inner) }
    }
    return compiled
  }

  private func verdict(_ type: JSONValue?) -> Verdict {
    switch type?.string {
    case "permit": .permit
    case nil where type == nil: .silent
    default: .deny
    }
  }

  /// Whether the client is among the actors. A device, a patient, a practitioner or a relative is
  /// the client or is not; a group or an organization may stand behind it.
  private func actor(_ actors: JSONValue) -> Truth {
    var truth = Truth.no
    for actor in actors.elements {
      let reference = actor["reference"]?["reference"]?.string
      truth = truth || truthOfActor(named: reference.flatMap(resource))
    }
    return truth
  }

  private func truthOfActor(named actor: ResourceID?) -> Truth {
    guard let actor else { return .unknown }
    switch actor.type.name {
    case "Device": return Truth(actor == client)
    case "Patient", "RelatedPerson", "Practitioner", "PractitionerRole": return .no
    default: return .unknown
    }
  }

  private func holds(_ concepts: JSONValue, _ truth: (String) -> Truth) -> Truth {
    var all = Truth.no
    for concept in concepts.elements {
      let codings = concept["coding"]?.elements.map { $0 } ?? []
      if codings.isEmpty { all = all || .unknown }
      for coding in codings {
        let isKnown = coding["system"]?.string == ConsentAction.system
        all = all || (isKnown ? coding["code"]?.string.map(truth) ?? .unknown : .unknown)
      }
    }
    return all
  }

  /// A reference to a resource of this server; `nil` for any other.
  private func resource(named reference: String) -> ResourceID? {
    let text = addresses.relative(reference[...])
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 4, parts[2] == "_history" { return ResourceID("\(parts[0])/\(parts[1])") }
    return ResourceID(text)
  }

  /// From the start of a Period to its end, partial dates taken whole, open ends far away; `nil` if
  /// an end is there and can't be read.
  private func interval(_ period: JSONValue) -> Range<Instant>? {
    var ends = Instant.distantPast..<Instant.distantFuture
    for (name, isStart) in [("start", true), ("end", false)] {
      guard period[name] != nil || period["_" + name] != nil else { continue }
      guard let text = period[name]?.string,
        let moment = try? FHIRDateTime(text, as: .dateTime).interval(assuming: zone)
      else { return nil }
      let start = isStart ? moment.lowerBound : ends.lowerBound
      ends = start..<max(start, isStart ? ends.upperBound : moment.upperBound)
    }
    return ends
  }
}

extension ConsentCompiler {
  private mutating func criteria(
    of element: JSONValue, _ number: Numbering
  ) throws -> [Provision.Criterion] {
    var criteria: [Provision.Criterion] = []
    if let classes = element["class"] { criteria.append(types(classes)) }
    if let period = element["dataPeriod"] { criteria.append(.dataPeriod(interval(period))) }
    if let data = element["data"] { criteria.append(self.data(data)) }
    if let codes = element["code"] { criteria.append(try self.codes(codes, number)) }
    if let labels = element["securityLabel"] {
      criteria.append(.labels(try self.labels(labels, number)))
    }
    return criteria
  }

  private func types(_ classes: JSONValue) -> Provision.Criterion {
    var types: Set<ResourceType> = []
    var hasOthers = false
    for coding in classes.elements {
      let isType = coding["system"]?.string == "http://hl7.org/fhir/resource-types"
      if isType, let type = coding["code"]?.string.flatMap({ ResourceType($0) }) {
        types.insert(type)
      } else {
        hasOthers = true
      }
    }
    return .types(types, others: hasOthers)
  }

  /// Only the instance itself can be told; what is related to it or depends on it can't.
  private func data(_ data: JSONValue) -> Provision.Criterion {
    var resources: [ResourceID] = []
    var hasOthers = false
    for item in data.elements {
      let named = item["reference"]?["reference"]?.string.flatMap(resource)
      if let named, item["meaning"]?.string != "authoredby" { resources.append(named) }
      hasOthers = hasOthers || named == nil || item["meaning"]?.string != "instance"
    }
    return .data(resources, others: hasOthers)
  }

  private mutating func codes(
    _ concepts: JSONValue, _ number: Numbering
  ) throws -> Provision.Criterion {
    var codes: [UInt64] = []
    var hasOthers = false
    for concept in concepts.elements {
      let codings = concept["coding"]?.elements.map { $0 } ?? []
      hasOthers = hasOthers || codings.isEmpty
      for coding in codings {
        guard let code = coding["code"]?.string else {
          hasOthers = true
          continue
        }
        let system = coding["system"]?.string
        if let coding = try self.number(code: code, system: system, number) { codes.append(coding) }
      }
    }
    return .codes(codes, others: hasOthers)
  }

  private mutating func number(
    code: String, system: String?, _ number: Numbering
  ) throws -> UInt64? {
    let coding = try numberOfCoding(code, of: system, number)
    if coding == nil { metUnknownTerm = true }
    return coding
  }

  private mutating func labels(
    _ codings: JSONValue, _ number: Numbering
  ) throws -> [SecurityLabel] {
    var labels: [SecurityLabel] = []
    for coding in codings.elements { labels.append(try label(coding, number)) }
    return labels
  }

  private mutating func label(
    _ coding: JSONValue, _ number: Numbering
  ) throws -> SecurityLabel {
    guard let code = coding["code"]?.string, let system = coding["system"]?.string else {
      return .unreadable
    }
    if system == SecurityLabel.confidentialitySystem {
      guard let rank = SecurityLabel.confidentialities.firstIndex(of: code) else {
        return .unreadable
      }
      var covered: [UInt64] = []
      for code in SecurityLabel.confidentialities[...rank] {
        if let number = try self.number(code: code, system: system, number) {
          covered.append(number)
        }
      }
      return .confidentiality(covered)
    }
    let systemNumber = try number(.system(system)) ?? 0
    guard let label = try self.number(code: code, system: system, number) else {
      return .absent(system: systemNumber)
    }
    return .exact(label, system: systemNumber)
  }
}

extension ConsentAction {
  static let system = "http://terminology.hl7.org/CodeSystem/consentaction"

  /// Whether an action of that code is this one: a read is an access; a write collects or corrects.
  /// Whether what is read will be used or disclosed can't be told here.
  fileprivate func truth(ofCode code: String) -> Truth {
    switch (self, code) {
    case (.read, "access"), (.write, "collect"), (.write, "correct"): .yes
    case (.read, "correct"), (.write, "access"), (.write, "use"), (.write, "disclose"): .no
    default: .unknown
    }
  }
}
