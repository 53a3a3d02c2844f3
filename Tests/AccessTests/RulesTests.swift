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
      let entry = try #require(try scene.page("AuditEvent?_count=1").contents.first)
      let event = try JSONDocument(parsing: entry).root
      #expect(event["outcome"]?.string == (expected == .done ? "0" : "4"), "\(who)")
    }
  }

  static let heartRate =
    #""code":[{"coding":[{"system":"http://loinc.org","code":"8867-4"}]}]"#
}
