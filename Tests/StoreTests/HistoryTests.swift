import FHIRModel
import KeyValue
import Store
import Testing

@Suite("a history")
struct HistoryTests {
  /// Three resources of two types, changed a second apart: P1 O1 P1' O2 O1† P1″.
  private func filled(_ kind: Bench.EngineKind = .memory) throws -> Fixture {
    let fixture = try Fixture(kind)
    fixture.bench.set(clock: try Instant("2026-11-30T10:00:00Z"))
    let writes: [Interaction] = [
      .update(try .patient("p", family: "One"), if: .none),
      .create(try .observation(of: "p"), ifNoneExist: nil),
      .update(try .patient("p", family: "Two"), if: .none),
      .update(try .observation("o", of: "q"), if: .none),
      .delete(try id("Observation/made-1"), if: .none),
      .update(try .patient("p", family: "Three"), if: .none),
    ]
    for write in writes {
      try fixture.perform(write)
      fixture.bench.advanceClock(milliseconds: 1000)
    }
    return fixture
  }

  private func names(_ page: HistoryPage) -> [String] {
    page.entries.map { "\($0.change) \($0.version.id) \($0.version.version.number)" }
  }

  static let all = [
    "update Patient/p 3", "delete Observation/made-1 2", "update Observation/o 1",
    "update Patient/p 2", "create Observation/made-1 1", "update Patient/p 1",
  ]

  @Test(
    "of everything, a type or a resource runs from the newest version to the oldest",
    arguments: Bench.EngineKind.allCases)
  func order(kind: Bench.EngineKind) throws {
    let fixture = try filled(kind)
    let patient = try #require(ResourceType("Patient"))
    #expect(names(try fixture.history(.system)) == Self.all)
    #expect(
      names(try fixture.history(.type(patient))) == Self.all.filter { $0.contains("Patient") })
    let instance = try fixture.history(.instance(try id("Observation/made-1")))
    #expect(names(instance) == Self.all.filter { $0.contains("made-1") })
    #expect(instance.total == 2)
    #expect(instance.entries[0].version.bytes.isEmpty)
    #expect(instance.entries[1].version.text.contains("8867-4"))
    #expect(throws: InteractionError.notFound(try id("Patient/none"))) {
      try fixture.history(.instance(try id("Patient/none")))
    }
  }

  @Test("begins at the version made at _since")
  func since() throws {
    let fixture = try filled()
    let page = try fixture.history(
      .system, HistoryQuery(since: try Instant("2026-11-30T10:00:03Z")))
    #expect(names(page) == Array(Self.all.prefix(3)))
    let instance = try fixture.history(
      .instance(try id("Patient/p")), HistoryQuery(since: try Instant("2026-11-30T10:00:02Z")))
    #expect(names(instance) == ["update Patient/p 3", "update Patient/p 2"])
    #expect(instance.total == 2)
  }

  @Test("of _at holds what was current in that time")
  func at() throws {
    let fixture = try filled()
    let start = try Instant("2026-11-30T10:00:02.500Z")
    let end = try Instant("2026-11-30T10:00:04Z")
    let query = HistoryQuery(at: start..<end)
    #expect(
      names(try fixture.history(.system, query)) == [
        "update Observation/o 1", "update Patient/p 2", "create Observation/made-1 1",
      ])
    #expect(
      names(try fixture.history(.instance(try id("Patient/p")), query)) == ["update Patient/p 2"])
    let late = try Instant("2026-11-30T11:00:00Z")
    #expect(
      names(try fixture.history(.system, HistoryQuery(at: late..<Instant(ticks: late.ticks + 1))))
        == ["update Patient/p 3", "update Observation/o 1"])
  }

  @Test("is the same in pages, whatever is written between them", arguments: [1, 2, 4])
  func pages(count: Int) throws {
    for scope in [HistoryScope.system, .instance(try id("Patient/p"))] {
      let fixture = try filled()
      let whole = names(try fixture.history(scope))
      var collected: [String] = []
      var page: String?
      repeat {
        let part = try fixture.history(scope, HistoryQuery(count: count, page: page))
        #expect(part.entries.count <= count)
        collected += names(part)
        page = part.next
        try fixture.perform(
          .update(.patient("p", family: "Four \(collected.count)"), if: .none))
        fixture.bench.advanceClock(milliseconds: 10)
      } while page != nil
      #expect(collected == whole)
    }
  }

  @Test("opens only the pages that it sealed itself")
  func seals() throws {
    let fixture = try filled()
    let page = try #require(try fixture.history(.system, HistoryQuery(count: 1)).next)
    let patient = try #require(ResourceType("Patient"))
    let foreign: [(HistoryScope, HistoryQuery)] = [
      (.type(patient), HistoryQuery(page: page)),
      (.system, HistoryQuery(since: Instant(ticks: 0), page: page)),
      (.system, HistoryQuery(page: String(page.dropLast()))),
      (.system, HistoryQuery(page: "")),
    ]
    for (scope, query) in foreign {
      #expect(throws: InteractionError.invalidPage) { try fixture.history(scope, query) }
    }
  }

  @Test("goes on over more changes than are read at once")
  func many() throws {
    let fixture = try Fixture(.memory)
    for turn in 0..<150 {
      try fixture.perform(.update(.patient("p", family: "F\(turn)"), if: .none))
      try fixture.perform(
        .update(.observation("o\(turn % 3)", of: "p", value: "\(turn)"), if: .none))
      fixture.bench.advanceClock(milliseconds: 1)
    }
    let entries = try fixture.history(.system, HistoryQuery(count: 1000)).entries
    #expect(entries.count == 300)
    #expect(entries.map(\.version.lastUpdated) == entries.map(\.version.lastUpdated).sorted(by: >))
    #expect(Set(entries.map(\.version)).count == 300)
  }
}

@Suite("what a caller may not see")
struct VisibilityTests {
  @Test(
    "is not there: not in reads, pages, totals or histories", arguments: Bench.EngineKind.allCases)
  func invisible(kind: Bench.EngineKind) throws {
    let fixture = try Fixture(kind)
    for (name, patient) in [("o1", "p"), ("o2", "q"), ("o3", "p"), ("o4", "q")] {
      try fixture.perform(.update(.observation(name, of: patient), if: .none))
    }
    try fixture.perform(.delete(try id("Observation/o4"), if: .none))
    let theirs = try #require(
      try fixture.bench.engine.read { snapshot in
        try fixture.store.index.terms.lookup(.reference(try id("Patient/q")), in: snapshot)
      })
    let isVisible: (Facets) -> Bool = { !$0.patients.contains(theirs) }
    let hidden = try id("Observation/o2")
    for read: Interaction in [
      .read(hidden), .vread(hidden, .first), .vread(hidden, VersionID(9)),
      .history(.instance(hidden), HistoryQuery()),
    ] {
      #expect(throws: InteractionError.notFound(hidden)) {
        try fixture.answer(read, isVisible: isVisible)
      }
    }
    // What is gone is not even gone.
    let gone = try id("Observation/o4")
    #expect(throws: InteractionError.notFound(gone)) {
      try fixture.answer(.read(gone), isVisible: isVisible)
    }
    let search = try Query.reading("Observation?code=8867-4&_total=accurate")
    guard case .searchset(let page) = try fixture.answer(.search(search), isVisible: isVisible)
    else { throw Unexpected(outcome: "no searchset") }
    #expect(page.total == 2)
    #expect(Set(page.matches.map(\.id.id.text)) == ["o1", "o3"])
    #expect(try fixture.history(.system, isVisible: isVisible).entries.count == 2)
    #expect(try fixture.history(.system).entries.count == 5)
  }

  @Test("is judged by compartment, codes, labels and time")
  func facets() throws {
    let fixture = try Fixture(.memory)
    let json = """
      {"resourceType":"Observation","id":"o","meta":{"security":[{"system":"urn:s","code":"R"}]},\
      "status":"final","category":[{"coding":[{"system":"urn:c","code":"a"},{"code":"b"}]}],\
      "code":{"coding":[{"system":"http://loinc.org","code":"8867-4"},{"system":"urn:c",\
      "code":"hr"}]},"subject":{"reference":"http://kiln.example/fhir/Patient/p"},\
      "performer":[{"reference":"Patient/q"},{"reference":"Practitioner/x"}],\
      "effectivePeriod":{"start":"2026-10-25T00:00:00+02:00","end":"2026-10-25T23:59:59+01:00"}}
      """
    try fixture.perform(.update(.reading(json), if: .none)) { intent in
      let facets = try #require(intent.next)
      #expect(facets.patients.count == 2)
      #expect(facets.codes.count == 2)
      #expect(facets.categories.count == 2)
      #expect(facets.categories.contains { $0 & 0xFFFF_FFFF == 0 })
      #expect(facets.securityLabels.count == 1)
      let day = try Instant("2026-10-24T22:00:00Z")..<Instant("2026-10-25T23:00:00Z")
      #expect(facets.effective == day)
    }
    let open = try Resource.reading(
      #"{"resourceType":"Encounter","id":"e","status":"planned","class":{"code":"AMB"},"period":{"start":"2026"}}"#
    )
    try fixture.perform(.update(open, if: .none)) { intent in
      let year = try Instant("2026-01-01T00:00:00Z")
      #expect(intent.next?.effective == year..<Instant.distantFuture)
      #expect(intent.next?.patients == [])
    }
    try fixture.perform(.update(.patient("p", family: "P"), if: .none)) { intent in
      #expect(intent.next?.patients.count == 1)
      #expect(intent.next?.effective == nil)
    }
    #expect(try fixture.integrity().differences == [])
  }
}
