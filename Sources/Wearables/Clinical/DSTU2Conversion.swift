/// Makes R4 of a resource in DSTU2, the first release that hospitals gave to phones.
///
/// - SeeAlso: https://hl7.org/fhir/DSTU2/resourcelist.html
struct DSTU2Conversion {
  var table = DSTU2Table.shared

  /// Whether anything is known of how that type changed.
  func knows(_ type: String) -> Bool { table.knows(type) }

  /// The resource in R4. What has no place there is left out.
  func converted(_ resource: JSONTree) -> JSONTree {
    guard let type = resource["resourceType"]?.text else { return resource }
    var result = renamingSystems(converted(resource, as: type))
    for rule in table.defaults(of: type) where rule.forms == [.person] {
      // Who it is, is said where references are rewritten.
      if let name = rule.target.first, result[name] == nil { result.set(name, to: .object([])) }
    }
    return result
  }

  private func convertedInside(_ resource: JSONTree) -> JSONTree {
    resource["resourceType"]?.text.map { converted(resource, as: $0) } ?? resource
  }

  private func converted(_ value: JSONTree, as type: String) -> JSONTree {
    if case .array(let elements) = value {
      let needed = table.needs(of: type)
      return .array(
        elements.map { converted($0, as: type) }.filter { element in
          needed.allSatisfy { element[$0] != nil }
        })
    }
    guard case .object(let members) = value else { return value }
    var result = JSONTree.object([])
    var overrides = Overrides()
    for member in members {
      convert(member, of: type, into: &result, &overrides)
    }
    for (name, code) in overrides.codes { result.set(name, to: .text(code)) }
    for rule in table.defaults(of: type) { setDefault(rule, in: &result) }
    for name in overrides.leftOut { result.remove(name) }
    return result
  }

  /// What elements say of others, which holds whatever those say.
  private struct Overrides {
    var codes: [(name: String, code: String)] = []
    var leftOut: [String] = []
  }

  private func setDefault(_ rule: DSTU2Table.Rule, in result: inout JSONTree) {
    guard let name = rule.target.first, result[name] == nil else { return }
    func isThere(_ names: ArraySlice<String>) -> Bool { names.contains { result[$0] != nil } }
    let arguments = rule.arguments[...]
    switch rule.forms.first {
    case .set?:
      guard let code = arguments.first, !isThere(arguments.dropFirst()) else { return }
      result.set(name, to: .text(code))
    case .implied?:
      guard arguments.count > 2, isThere(arguments.dropFirst(2)) else { return }
      result.set(name, to: Self.concept(arguments[0], arguments[1]))
    case .absent?:
      guard !isThere(arguments) else { return }
      result.set(name, to: Self.unknown)
    default: return
    }
  }

  private static func concept(_ system: String, _ code: String) -> JSONTree {
    .object([
      "coding": .array([.object(["system": .text(system), "code": .text(code)])])
    ])
  }

  /// - SeeAlso: https://hl7.org/fhir/R4/extension-data-absent-reason.html
  private static let unknown: JSONTree = .object([
    "extension": .array([
      .object([
        "url": .text("http://hl7.org/fhir/StructureDefinition/data-absent-reason"),
        "valueCode": .text("unknown"),
      ])
    ])
  ])

  private func convert(
    _ member: JSONTree.Member, of type: String, into result: inout JSONTree,
    _ overrides: inout Overrides
  ) {
    switch member.name {
    case "meta": return result.set("meta", to: converted(member.value, as: "Meta"))
    case "contained":
      let kept = member.value.elements.filter {
        !table.leavesOut($0["resourceType"]?.text ?? "")
      }
      if !kept.isEmpty { result.set("contained", to: .array(kept.map(convertedInside))) }
      return
    default: break
    }
    // What is said of a primitive beside its value goes where the value goes.
    let isBeside = member.name.hasPrefix("_")
    let rules = table.rules(for: isBeside ? String(member.name.dropFirst()) : member.name, of: type)
    guard !rules.isEmpty else { return result.set(member.name, to: member.value) }
    for rule in rules {
      if isBeside {
        guard rule.forms.isEmpty, rule.target.count == 1 else { continue }
        result.set("_" + rule.target[0], to: member.value)
      } else {
        apply(rule, to: member.value, in: &result, &overrides)
      }
    }
  }

  private func apply(
    _ rule: DSTU2Table.Rule, to value: JSONTree, in result: inout JSONTree,
    _ overrides: inout Overrides
  ) {
    if rule.forms.contains(.when) {
      if value.bool == true { overrides.codes += rule.changes.map { ($0.key, $0.value) } }
      return
    }
    if rule.forms.contains(.without) {
      overrides.leftOut += value.text.flatMap { rule.changes[$0] }.map { [$0] } ?? []
      return
    }
    if rule.forms.contains(.by) { return distribute(value, by: rule, in: &result) }
    var changed: JSONTree? = value
    if let type = rule.type { changed = converted(value, as: type) }
    for form in rule.forms { changed = changed.flatMap { reformed($0, by: form, of: rule) } }
    guard let changed, changed != .array([]) else { return }
    if rule.forms.contains(.up) {
      for member in changed.members { result.set(member.name, to: member.value) }
      return
    }
    put(changed, at: rule.target, in: &result)
  }

  private func put(_ value: JSONTree, at path: [String], in result: inout JSONTree) {
    switch path.count {
    case 0: return
    case 1: result.set(path[0], to: value)
    default:
      var inner = result[path[0]]?.elements.first ?? .object([])
      inner.set(path[1], to: value)
      result.set(path[0], to: .array([inner]))
    }
  }

  /// `nil` leaves the value out.
  private func reformed(
    _ value: JSONTree, by form: DSTU2Table.Form, of rule: DSTU2Table.Rule
  ) -> JSONTree? {
    switch form {
    case .code, .concept:
      guard let code = value.text else { return value }
      let new = rule.changes[code] ?? code
      guard !new.isEmpty else { return nil }
      guard form == .concept else { return .text(new) }
      return Self.concept(rule.arguments.first ?? "", new)
    case .note: return .array([.object(["text": value])])
    case .not: return value.bool.map { .bool(!$0) } ?? value
    case .first: return value.elements.first ?? value
    case .array:
      if case .array = value { return value }
      return .array([value])
    case .up, .by, .when, .set, .prefix, .implied, .absent, .person, .needs, .without: return value
    }
  }

  /// Puts each element's value where the code beside it says.
  private func distribute(
    _ value: JSONTree, by rule: DSTU2Table.Rule, in result: inout JSONTree
  ) {
    guard rule.arguments.count == 2 else { return }
    for element in value.elements {
      guard let code = element[rule.arguments[0]]?.text, let target = rule.changes[code],
        let value = element[rule.arguments[1]]
      else { continue }
      result.set(target, to: .array((result[target]?.elements ?? []) + [value]))
    }
  }

  /// Code systems of FHIR's own whose addresses changed, wherever they stand.
  private func renamingSystems(_ value: JSONTree) -> JSONTree {
    switch value {
    case .scalar: return value
    case .array(let elements): return .array(elements.map(renamingSystems))
    case .object(let members):
      return .object(
        members.map { member in
          let isSystem = member.name == "system" && member.value.text != nil
          return JSONTree.Member(
            name: member.name,
            value: isSystem ? renamedSystem(member.value) : renamingSystems(member.value))
        })
    }
  }

  private func renamedSystem(_ value: JSONTree) -> JSONTree {
    let rules = table.rules(for: "system", of: "Coding")
    guard let text = value.text, let rule = rules.first,
      let change = rule.changes.first(where: { text.hasPrefix($0.key) })
    else { return value }
    return .text(change.value + text.dropFirst(change.key.count))
  }
}
