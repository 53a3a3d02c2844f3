import Access
import FHIRModel
import Kiln

extension Command {
  static let search = Command(
    name: "search", summary: "Searches as an operator: kiln search 'Observation?code=8867-4'.",
    operands: ["TYPE?QUERY"],
    options: [
      .store, .flag("--explain", "print how the search is done instead of its matches"),
      .flag("--json", "print the explanation as JSON; matches always are"),
    ]
  ) { arguments in
    let parts = arguments.operands[0].split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let type = ResourceType(parts[0]) else {
      throw UsageError("search: \(parts[0]) is not a resource type of R4")
    }
    let query = try Query(parsing: parts.count > 1 ? String(parts[1]) : "", type: type)
    let assembly = try Assembly.open(try arguments.existingStore())
    defer { assembly.close() }
    if arguments.has("--explain") {
      let plan = try assembly.store.index.plan(query)
      guard !arguments.has("--json") else {
        Output.line(String(decoding: plan.explanationJSON, as: UTF8.self))
        return 0
      }
      for line in plan.explanation { Output.line(line) }
      return 0
    }
    let request = AccessRequest(
      [.search(query)], by: Caller(.operator(name: "kiln search")))
    guard case .searchset(let page) = try assembly.guarded.perform(request).first?.get() else {
      return 1
    }
    for match in page.matches { Output.line(String(decoding: page.json(of: match), as: UTF8.self)) }
    if let total = page.total { Output.notice("\(total) matches") }
    return 0
  }
}
