import FHIRModel
import Testing

@testable import Access

/// What a caller may learn of what is hidden from them.
extension RulesTests {
  /// A condition asks as a search does, so that whose answer it changed could be tried out.
  @Test(
    "learns nothing by a condition of what they may not know",
    arguments: ["_id=theirs", "patient=b", "patient=b&code=8867-4", "_id=theirs,others"])
  func conditions(condition: String) throws {
    let scene = try Scene()
    try scene.put(
      Sample.patient("a"), Sample.patient("b"), Sample.observation("theirs", of: "b"),
      Sample.observation("others", of: "b"), Sample.observation("hidden", of: "a", code: "85354-9"),
      Sample.consent("c", of: "a", Sample.permit("app", Self.heartRate)))
    let query = try Self.query("Observation?" + condition)
    let app = try Scene.app("app", for: "a", "patient/*.cruds")
    for (id, caller) in [("byPerson", try Scene.person("a")), ("byApp", app)] {
      let mine = try Scene.resource(Sample.observation(id, of: "a"))
      guard case .created = try scene.perform(.create(mine, ifNoneExist: query), by: caller),
        case .created = try scene.perform(
          .conditionalUpdate(mine, matching: query, if: .none), by: caller),
        case .deleted(nil) = try scene.perform(.conditionalDelete(matching: query), by: caller)
      else { throw TestFailure("\(condition) found something") }
    }
    let hidden = try Self.query("Observation?_id=hidden")
    let mine = try Scene.resource(Sample.observation("x", of: "a"))
    guard case .created = try scene.perform(.create(mine, ifNoneExist: hidden), by: app),
      case .deleted(nil) = try scene.perform(.conditionalDelete(matching: hidden), by: app)
    else { throw TestFailure("what the Consent hides was found") }
    #expect(try scene.found("Observation?_id=theirs,others,hidden").count == 3)
  }

  @Test(
    "is told the same of an id that is taken as of a free one, unless the content is their own",
    arguments: [Who.person, .app])
  func takenIDs(who: Who) throws {
    let scene = try Scene()
    let caller = try who.caller()
    try scene.put(
      Sample.patient("a"), Sample.patient("b"), Sample.patient("gone"),
      Sample.observation("theirs", of: "b"), Sample.observation("deleted", of: "b"),
      Sample.consent("c", of: "a", Sample.permit("app")))
    try scene.perform(.delete(try Scene.id("Observation/deleted"), if: .none))
    try scene.perform(.delete(try Scene.id("Patient/gone"), if: .none))
    func refusals(_ contents: [String], _ interaction: (Resource) -> Interaction) throws
      -> [InteractionError?]
    {
      try contents.map { try scene.refusal(of: interaction(try Scene.resource($0)), by: caller) }
    }
    let alike = Array(repeating: Rules.foreignContent, count: 3)
    let observations = ["theirs", "deleted", "free"].map { Sample.observation($0, of: "b") }
    for contents in [observations, ["b", "gone", "free"].map(Sample.patient)] {
      for precondition in [Precondition.none, .ifMatch([.first]), .ifExists, .ifNoneExists] {
        #expect(try refusals(contents) { .update($0, if: precondition) } == alike)
      }
    }
    let unused = try Self.query("Observation?code=none")
    #expect(
      try refusals(observations) { .conditionalUpdate($0, matching: unused, if: .none) } == alike)
    // The one difference, which the choice of ids by clients brings with it.
    let own = ["theirs", "deleted", "free"].map { Sample.observation($0, of: "a") }
    #expect(
      try refusals(own) { .update($0, if: .none) }
        == [Rules.foreignContent, Rules.foreignContent, nil])
  }

  @Test("that is an app sees no older version of what is hidden from it since")
  func hiddenSince() throws {
    let scene = try Scene()
    let app = try Scene.app("app", for: "a", "patient/*.rs")
    let restricted =
      #"{"system":"http://terminology.hl7.org/CodeSystem/v3-Confidentiality","code":"R"}"#
    let label = #""provision":[{"type":"deny","securityLabel":[\#(restricted)]}]"#
    try scene.put(
      Sample.patient("a"), Sample.observation("o", of: "a"),
      Sample.consent("c", of: "a", Sample.permit("app", label)))
    let id = try Scene.id("Observation/o")
    let older: [Interaction] = [
      .vread(id, .first), .history(.instance(id), HistoryQuery()),
      .history(.type(id.type), HistoryQuery()),
    ]
    func shown() -> [Int] {
      older.map { interaction in
        switch try? scene.perform(interaction, by: app) {
        case .found: 1
        case .history(let page): page.entries.count
        default: 0
        }
      }
    }
    #expect(shown() == [1, 1, 1])
    try scene.put(Sample.observation("o", of: "a", label: restricted))
    #expect(shown() == [0, 0, 0])
    try scene.put(Sample.observation("o", of: "a"))
    #expect(shown() == [1, 2, 2])
  }
}
