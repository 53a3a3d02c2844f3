import FHIRModel
import Testing

@testable import Access

/// Who may write and read what: caller × resource × verb, with both sides of each rule.
@Suite("a caller")
struct RulesTests {
  enum Who: String, CaseIterable, Sendable {
    case `operator`, person, app, appWithoutConsent, appWithoutScope, appForReading

    func caller() throws -> Caller {
      switch self {
      case .operator: Scene.operator
      case .person: try Scene.person("a")
      case .app: try Scene.app("app", for: "a", "patient/*.cruds")
      case .appWithoutConsent: try Scene.app("other", for: "a", "patient/*.cruds")
      case .appWithoutScope: try Scene.app("app", for: "a", "patient/Condition.cruds")
      case .appForReading: try Scene.app("app", for: "a", "patient/*.rs")
      }
    }
  }

  enum Verdict: Sendable, Equatable {
    case done, forbidden, notFound, notAllowed
  }

  /// A verb on a resource, and what becomes of it for each caller in the order of `Who`.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let interaction: @Sendable () throws -> Interaction
    let verdicts: [Verdict]

    init(
      _ name: String, _ verdicts: [Verdict],
      _ interaction: @escaping @Sendable () throws -> Interaction
    ) {
      testDescription = name
      self.interaction = interaction
      self.verdicts = verdicts
    }
  }

  static func update(_ text: String) throws -> Interaction {
    .update(try Scene.resource(text), if: .none)
  }

  static func query(_ text: String) throws -> Query {
    guard case .search(let query) = try Scene.search(text) else { throw TestFailure("no search") }
    return query
  }

  static let ownObservation = Sample.observation("mine", of: "a", code: "8480-6")
  static let theirObservation = Sample.observation("theirs", of: "b", code: "8480-6")
  static let device = #"{"resourceType":"Device","id":"app"}"#
  static let practitioner = #"{"resourceType":"Practitioner","id":"p"}"#
  static let joint = """
    {"resourceType":"Observation","id":"new","status":"final","code":{"text":"x"},\
    "subject":{"reference":"Patient/b"},"performer":[{"reference":"Patient/a"}]}
    """
  static let provenance = """
    {"resourceType":"Provenance","target":[{"reference":"Observation/mine"}],\
    "recorded":"2026-11-30T08:00:00Z","agent":[{"who":{"reference":"Patient/a"}}]}
    """
  static let auditEvent = """
    {"resourceType":"AuditEvent","id":"1","type":{"code":"rest"},"recorded":\
    "2026-11-30T08:00:00Z","agent":[{"requestor":true}],"source":{"observer":{"display":"x"}}}
    """

  static let rows: [Row] = [
    Row("creates in the compartment", [.done, .done, .done, .forbidden, .forbidden, .forbidden]) {
      .create(try Scene.resource(Sample.observation("x", of: "a")), ifNoneExist: nil)
    },
    Row(
      "creates in another's compartment",
      [.done, .forbidden, .forbidden, .forbidden, .forbidden, .forbidden]
    ) {
      .create(try Scene.resource(Sample.observation("x", of: "b")), ifNoneExist: nil)
    },
    Row(
      "creates what is partly another's",
      [.done, .forbidden, .forbidden, .forbidden, .forbidden, .forbidden]
    ) { .create(try Scene.resource(joint), ifNoneExist: nil) },
    Row("updates in the compartment", [.done, .done, .done, .forbidden, .forbidden, .forbidden]) {
      try update(ownObservation)
    },
    Row(
      "updates another's", [.done, .forbidden, .forbidden, .forbidden, .forbidden, .forbidden]
    ) { try update(theirObservation) },
    Row(
      "takes another's over", [.done, .forbidden, .forbidden, .forbidden, .forbidden, .forbidden]
    ) { try update(Sample.observation("theirs", of: "a")) },
    Row(
      "gives its own away", [.done, .forbidden, .forbidden, .forbidden, .forbidden, .forbidden]
    ) { try update(Sample.observation("mine", of: "b")) },
    Row("makes one under an id", [.done, .done, .done, .forbidden, .forbidden, .forbidden]) {
      try update(Sample.observation("fresh", of: "a"))
    },
    Row("deletes its own", [.done, .done, .done, .notFound, .forbidden, .forbidden]) {
      .delete(try Scene.id("Observation/mine"), if: .none)
    },
    Row("deletes another's", [.done, .notFound, .notFound, .notFound, .forbidden, .forbidden]) {
      .delete(try Scene.id("Observation/theirs"), if: .none)
    },
    Row(
      "deletes what isn't there", [.done, .notFound, .notFound, .notFound, .forbidden, .forbidden]
    ) {
      .delete(try Scene.id("Observation/ghost"), if: .none)
    },
    Row(
      "updates the match of a condition",
      [.done, .done, .done, .forbidden, .forbidden, .forbidden]
    ) {
      .conditionalUpdate(
        try Scene.resource(Sample.observation("mine", of: "a", code: "1")),
        matching: try query("Observation?_id=mine"), if: .none)
    },
    Row(
      "updates a match that is another's",
      [.done, .forbidden, .forbidden, .forbidden, .forbidden, .forbidden]
    ) {
      .conditionalUpdate(
        try Scene.resource(Sample.observation("theirs", of: "a", code: "1")),
        matching: try query("Observation?_id=theirs"), if: .none)
    },
    Row(
      "revises a match that is another's",
      [.done, .forbidden, .forbidden, .forbidden, .forbidden, .forbidden]
    ) {
      .conditionalRevision(
        Rewriting(of: try Scene.resource(Sample.observation("theirs", of: "a", code: "1"))),
        matching: try query("Observation?_id=theirs"))
    },
    Row(
      "creates unless its own exists", [.done, .done, .done, .forbidden, .forbidden, .forbidden]
    ) {
      .create(
        try Scene.resource(Sample.observation("x", of: "a")),
        ifNoneExist: try query("Observation?_id=mine"))
    },
    Row(
      "creates unless another's exists", [.done, .done, .done, .forbidden, .forbidden, .forbidden]
    ) {
      .create(
        try Scene.resource(Sample.observation("x", of: "a")),
        ifNoneExist: try query("Observation?_id=theirs"))
    },
    Row(
      "deletes a match that is another's", [.done, .done, .done, .done, .forbidden, .forbidden]
    ) { .conditionalDelete(matching: try query("Observation?_id=theirs")) },
    Row("writes its Patient", [.done, .done, .done, .forbidden, .forbidden, .forbidden]) {
      try update(#"{"resourceType":"Patient","id":"a","active":true}"#)
    },
    Row(
      "writes another's Patient",
      [.done, .forbidden, .forbidden, .forbidden, .forbidden, .forbidden]
    ) { try update(#"{"resourceType":"Patient","id":"b","active":true}"#) },
    Row("gives a Consent", [.done, .done, .forbidden, .forbidden, .forbidden, .forbidden]) {
      try update(Sample.consent("new", of: "a", Sample.permit("x")))
    },
    Row("withdraws a Consent", [.done, .done, .forbidden, .forbidden, .forbidden, .forbidden]) {
      .delete(try Scene.id("Consent/c"), if: .none)
    },
    Row(
      "gives a Consent for another",
      [.done, .forbidden, .forbidden, .forbidden, .forbidden, .forbidden]
    ) { try update(Sample.consent("new", of: "b", Sample.permit("x"))) },
    Row("registers a Device", [.done, .forbidden, .forbidden, .forbidden, .forbidden, .forbidden]) {
      try update(device)
    },
    Row(
      "writes what is nobody's",
      [.done, .forbidden, .forbidden, .forbidden, .forbidden, .forbidden]
    ) { try update(practitioner) },
    Row(
      "writes a Provenance",
      [.notAllowed, .notAllowed, .notAllowed, .notAllowed, .forbidden, .forbidden]
    ) { .create(try Scene.resource(provenance), ifNoneExist: nil) },
    Row(
      "writes an AuditEvent",
      [.notAllowed, .notAllowed, .forbidden, .forbidden, .forbidden, .forbidden]
    ) { try update(auditEvent) },
    Row(
      "deletes an AuditEvent",
      [.notAllowed, .notAllowed, .forbidden, .forbidden, .forbidden, .forbidden]
    ) { .delete(try Scene.id("AuditEvent/1"), if: .none) },
    Row("reads its own", [.done, .done, .done, .notFound, .forbidden, .done]) {
      .read(try Scene.id("Observation/mine"))
    },
    Row("reads its own history", [.done, .done, .done, .notFound, .forbidden, .done]) {
      .history(.instance(try Scene.id("Observation/mine")), HistoryQuery())
    },
    Row("reads its own first version", [.done, .done, .done, .notFound, .forbidden, .done]) {
      .vread(try Scene.id("Observation/mine"), .first)
    },
    Row("reads another's", [.done, .notFound, .notFound, .notFound, .forbidden, .notFound]) {
      .read(try Scene.id("Observation/theirs"))
    },
    Row(
      "reads what isn't there", [.notFound, .notFound, .notFound, .notFound, .forbidden, .notFound]
    ) {
      .read(try Scene.id("Observation/ghost"))
    },
    Row("reads another's history", [.done, .notFound, .notFound, .notFound, .forbidden, .notFound])
    {
      .history(.instance(try Scene.id("Observation/theirs")), HistoryQuery())
    },
    Row("searches", [.done, .done, .done, .done, .forbidden, .done]) {
      try Scene.search("Observation?code=8480-6")
    },
    Row("reads what is nobody's", [.done, .notFound, .notFound, .notFound, .forbidden, .notFound]) {
      .read(try Scene.id("Practitioner/p"))
    },
    Row("reads the log", [.done, .done, .forbidden, .forbidden, .forbidden, .forbidden]) {
      try Scene.search("AuditEvent?_count=1")
    },
  ]

  @Test("may", arguments: rows)
  func row(_ row: Row) throws {
    for (who, expected) in zip(Who.allCases, row.verdicts) {
      let scene = try Scene()
      try scene.put(
        Sample.patient("a"), Sample.patient("b"), Sample.observation("mine", of: "a"),
        Sample.observation("theirs", of: "b"), Self.practitioner,
        Sample.consent("c", of: "a", Sample.permit("app")))
      let verdict: Verdict? =
        switch try scene.refusal(of: try row.interaction(), by: try who.caller()) {
        case nil: .done
        case .forbidden: .forbidden
        case .notFound: .notFound
        case .notAllowed: .notAllowed
        default: nil
        }
      #expect(verdict == expected, "\(who)")
      let entry = try #require(try scene.page("AuditEvent?_count=1").matches.first)
      let event = try JSONDocument(parsing: Array(entry.bytes)).root
      #expect(event["outcome"]?.string == (expected == .done ? "0" : "4"), "\(who)")
    }
  }

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

  @Test("that is an app writes only what its Consent says, and what it could see")
  func consentToWrite() throws {
    let scene = try Scene()
    let app = try Scene.app("app", for: "a", "patient/*.cruds")
    let types = #""class":[{"system":"http://hl7.org/fhir/resource-types","code":"Observation"}]"#
    let codes = #""code":[{"coding":[{"system":"http://loinc.org","code":"85354-9"}]}]"#
    try scene.put(
      Sample.patient("a"), Sample.observation("hidden", of: "a", code: "85354-9"),
      Sample.consent(
        "c", of: "a", Sample.permit("app", types + #","provision":[{"type":"deny",\#(codes)}]"#)))
    try scene.put(Sample.observation("o", of: "a"), by: app)
    let table: [(String, Bool)] = [
      (Sample.observation("o", of: "a", code: "85354-9"), false),
      (Sample.observation("hidden", of: "a"), false),
      (Sample.observation("new", of: "a", code: "85354-9"), false),
      (#"{"resourceType":"Patient","id":"a","active":true}"#, false),
      (Sample.observation("o", of: "a", code: "8480-6"), true),
    ]
    for (text, isDone) in table {
      let refusal = try scene.refusal(of: try Self.update(text), by: app)
      #expect((refusal == nil) == isDone, "\(text)")
    }
    #expect(
      try scene.refusal(of: .delete(try Scene.id("Observation/hidden"), if: .none), by: app)
        == .notFound(try Scene.id("Observation/hidden")))
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

  @Test("whose scope has a limit sees and writes only within it")
  func scopeLimits() throws {
    let scene = try Scene()
    let limit =
      "?category=http://terminology.hl7.org/CodeSystem/observation-category|vital-signs"
    let app = try Scene.app("app", for: "a", "patient/Observation.cruds" + limit)
    try scene.put(Sample.patient("a"), Sample.consent("c", of: "a", Sample.permit("app")))
    try scene.put(Sample.observation("v", of: "a", category: "vital-signs"), by: app)
    let lab = Sample.observation("l", of: "a", category: "laboratory")
    #expect(try scene.refusal(of: try Self.update(lab), by: app) != nil)
    try scene.put(lab)
    #expect(try scene.canRead("Observation/v", app))
    #expect(try !scene.canRead("Observation/l", app))
    #expect(try scene.found("Observation?code=8867-4", by: app) == ["Observation/v"])
    #expect(try scene.page("Observation?_summary=count", by: app).total == 1)
    let odd = try Scene.app("app", for: "a", "patient/Observation.rs?nosuchparam=x")
    let refusal = try scene.refusal(of: try Scene.search("Observation?code=8867-4"), by: odd)
    guard case .forbidden = refusal else { throw TestFailure("\(String(describing: refusal))") }
  }

  @Test(
    "that sends nothing which can be written is judged and logged all the same",
    arguments: zip(
      Who.allCases, [Verdict.done, .done, .done, .forbidden, .forbidden, .forbidden]))
  func untried(who: Who, verdict: Verdict) throws {
    let scene = try Scene()
    try scene.put(
      Sample.patient("a"),
      Sample.consent("c", of: "a", Sample.permit("app", Self.heartRate)))
    let caller = try who.caller()
    let type = try #require(ResourceType("Observation"))
    func outcome(for patient: String) throws -> Verdict {
      do {
        try scene.store.perform(
          UntriedWrite(of: type, for: try Scene.id("Patient/" + patient), by: caller))
        return .done
      } catch InteractionError.forbidden {
        return .forbidden
      }
    }
    #expect(try outcome(for: "a") == verdict)
    // Whether there is such a person makes no difference to who may not know.
    let other: Verdict = who == .operator ? .done : .forbidden
    #expect(try outcome(for: "b") == other)
    let mine = try scene.page("AuditEvent?patient=a&subtype=update&outcome=4&_summary=count")
    #expect(mine.total == (who == .operator ? 1 : 2))
  }

  @Test("that begins an import is judged and logged before it runs")
  func beginning() throws {
    let scene = try Scene()
    try scene.put(Sample.patient("a"))
    let type = try #require(ResourceType("Observation"))
    let own = try Scene.id("Patient/a")
    try scene.store.perform(
      UntriedWrite(of: type, for: own, by: try Scene.person("a"), isBeginning: true))
    let done = try scene.page("AuditEvent?patient=a&subtype=update&outcome=0&agent=Patient/a")
    #expect(done.matches.count == 1)
    #expect(throws: InteractionError.self) {
      try scene.store.perform(
        UntriedWrite(of: type, for: own, by: try Scene.person("b"), isBeginning: true))
    }
    #expect(try scene.page("AuditEvent?agent=Patient/b&outcome=4").matches.count == 1)
  }

  private static let heartRate =
    #""code":[{"coding":[{"system":"http://loinc.org","code":"8867-4"}]}]"#
}
