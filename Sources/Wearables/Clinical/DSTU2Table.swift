import FHIRModel

/// What changed from DSTU2 to R4: `spec/tables/dstu2.tsv`.
struct DSTU2Table: Sendable {
  struct Rule: Sendable {
    /// The path under which the value goes on: empty if it is left out.
    let target: [String]
    /// The type by whose rules the value's own elements are converted.
    let type: String?
    let forms: [Form]
    /// Codes that changed; an empty one is left out.
    let changes: [String: String]
    /// The values that are no change.
    let arguments: [String]
  }

  /// In the order in which they are applied.
  enum Form: String, CaseIterable, Sendable {
    case concept, code, prefix, note, not, when, first, array, up, by, set, implied, absent, person,
      needs, without
  }

  private let rules: [String: [String: [Rule]]]

  /// The rules for an element; empty if it stays as it is.
  func rules(for element: String, of type: String) -> [Rule] { rules[type]?[element] ?? [] }

  /// What is set where nothing is.
  func defaults(of type: String) -> [Rule] { rules(for: "", of: type) }

  /// Whether resources of that type are left out where they are contained.
  func leavesOut(_ type: String) -> Bool { defaults(of: type).contains { $0.target.isEmpty } }

  /// What an element of a list of that type must have.
  func needs(of type: String) -> [String] {
    defaults(of: type).filter { $0.forms == [.needs] }.flatMap(\.target)
  }

  func knows(_ type: String) -> Bool { rules[type] != nil }

  init(parsing text: String) {
    var rules: [String: [String: [Rule]]] = [:]
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.dropFirst()
    for line in lines {
      var cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      while cells.count < 6 { cells.append("") }
      rules[cells[0], default: [:]][cells[1], default: []].append(Rule(cells))
    }
    self.rules = rules
  }

  static let shared = DSTU2Table(parsing: Specification.dstu2)
}

extension DSTU2Table.Rule {
  fileprivate init(_ cells: [String]) {
    target = cells[2] == "-" ? [] : cells[2].split(separator: "/").map(String.init)
    type = cells[3].isEmpty ? nil : cells[3]
    let words = cells[4].split(separator: " ").map(String.init)
    forms = DSTU2Table.Form.allCases.filter { words.contains($0.rawValue) }
    var changes: [String: String] = [:]
    var arguments: [String] = []
    for value in cells[5].split(separator: " ") {
      let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 {
        changes[String(parts[0])] = String(parts[1])
      } else {
        arguments.append(String(value))
      }
    }
    self.changes = changes
    self.arguments = arguments
  }
}
