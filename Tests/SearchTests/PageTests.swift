import FHIRModel
import KeyValue
import Search
import Testing

@Suite("Pages of a search fit together")
struct PageTests {
  let store = SearchTestStore()
  let type: ResourceType

  init() throws {
    type = try #require(ResourceType("Observation"))
    for number in 0..<12 { try put("o\(number)", day: number + 1) }
  }

  private func put(_ id: String, day: Int, code: String = "c") throws {
    let resource = ResourceID(type, try #require(LogicalID(id)))
    try store.put(
      resource,
      """
      {"resourceType":"Observation","id":"\(id)","status":"final","subject":{"reference":"Patient/p"},
      "code":{"coding":[{"code":"\(code)"}]},"effectiveDateTime":"2026-10-\(day < 10 ? "0" : "")\(day)"}
      """)
  }

  private static let queries = [
    "status=final", "patient=p&code=c&_sort=-date", "patient=p&date=ge2026-10-01", "_sort=status",
    "_sort=-date,_id", "code=c&_sort=date", "status:not=draft",
  ]

  /// All pages, with a change after the first.
  private func ids(
    _ query: String, pageCount: Int, isVisible: (@Sendable (UInt64) -> Bool)? = nil,
    afterFirst change: () throws -> Void = {}
  ) throws -> (ids: [String], totals: Set<Int?>) {
    var ids: [String] = []
    var totals: Set<Int?> = []
    var page = ""
    var isFirst = true
    repeat {
      let found = try store.matches(
        "\(query)&_count=\(pageCount)\(page)", of: type, isVisible: isVisible)
      ids += found.numbers.map(store.id)
      totals.insert(found.total)
      page = found.next.map { "&_page=\($0)" } ?? ""
      if isFirst { try change() }
      isFirst = false
    } while !page.isEmpty
    return (ids, totals)
  }

  @Test(
    "what is created meanwhile does not appear, what is untouched appears once", arguments: queries)
  func changing(query: String) throws {
    let (ids, _) = try ids(
      query, pageCount: 3,
      afterFirst: {
        for number in 20..<30 { try put("o\(number)", day: number - 10) }
        try store.put(ResourceID(type, try #require(LogicalID("o5"))), nil)
      })
    let untouched = Set((0..<12).map { "o\($0)" }).subtracting(["o5"])
    #expect(Set(ids.filter { $0 != "o5" && $0 != "?" }) == untouched)
    #expect(Set(ids).count == ids.count)
  }

  @Test("what may not be seen is in no page and no total", arguments: queries)
  func visibility(query: String) throws {
    let isVisible: @Sendable (UInt64) -> Bool = { $0 % 3 == 0 }
    let (ids, totals) = try ids(query, pageCount: 2, isVisible: isVisible)
    #expect(Set(ids) == ["o2", "o5", "o8", "o11"])
    #expect(ids.count == 4)
    #expect(totals == [4])
    let count = try store.matches(query + "&_count=0", of: type, isVisible: isVisible)
    #expect(count.total == 4)
    #expect(count.numbers.isEmpty && count.next == nil)
  }

  @Test("a place opens for its own search and store only")
  func seals() throws {
    let place = try #require(try store.matches("status=final&_count=2", of: type).next)
    let changed = place.dropLast() + (place.hasSuffix("A") ? "B" : "A")
    for query in [
      "status=final&code=c&_page=\(place)", "status=final&_sort=date&_page=\(place)",
      "status=final&_page=\(changed)", "status=final&_page=", "status=final&_page=x",
    ] where !query.hasSuffix("=") {
      #expect(throws: InteractionError.invalidPage, "\(query)") {
        try store.matches(query, of: type)
      }
    }
    let other = SearchTestStore(pageKey: Array(repeating: 8, count: 32))
    #expect(throws: InteractionError.invalidPage) {
      try other.matches("status=final&_page=\(place)", of: type)
    }
  }

  @Test(
    "what has one moment in several zones comes once each, however small the pages",
    arguments: ["_sort=date", "_sort=-date", ""])
  func zones(sort: String) throws {
    let moments = ["10:00:00Z", "11:00:00+01:00", "05:00:00-05:00", "07:00:00-03:00"]
    for (number, moment) in moments.enumerated() {
      try store.put(
        ResourceID(type, try #require(LogicalID("z\(number)"))),
        """
        {"resourceType":"Observation","id":"z\(number)","status":"final",
        "subject":{"reference":"Patient/z"},"code":{"coding":[{"code":"x"},{"code":"y"}]},
        "effectiveDateTime":"2026-10-01T\(moment)"}
        """)
    }
    for query in ["patient=z&code=x", "patient=z&code=x,y", "patient=z&date=2026"] {
      for pageCount in 1...5 {
        let (ids, _) = try ids("\(query)&\(sort)", pageCount: pageCount)
        #expect(ids.sorted() == ["z0", "z1", "z2", "z3"], "\(query) \(pageCount)")
      }
    }
  }

  @Test("the main search is a walk of the main index, and says so")
  func explanation() throws {
    let query =
      "patient=p&code=http://loinc.org|8867-4&date=ge2026-10-01&date=lt2026-11-01&_sort=-date"
    let plan = try store.index.plan(Query(parsing: query, type: type))
    #expect(plan.explanation[0].contains("main index"))
    #expect(!plan.explanation.contains { $0.contains("is checked") })
    let other = try store.index.plan(Query(parsing: "status=final", type: type))
    #expect(!other.explanation[0].contains("main index"))
  }

  @Test("a conditional interaction looks for two matches in any order")
  func conditional() throws {
    let query = try Query(parsing: "status=final&_sort=-value-quantity", type: type)
    let plan = try store.index.plan(query)
    #expect(plan.explanation.contains { $0.contains("all matches are read and sorted") })
    let conditional = plan.forConditional
    #expect(!conditional.explanation.contains { $0.contains("sorted") })
    let found = try store.engine.read { try store.index.run(conditional, in: $0, source: store) }
    #expect(found.numbers.count == 2 && found.total == nil)
  }

  @Test("an unknown parameter is refused, or left out with a warning")
  func unknown() throws {
    #expect(throws: InteractionError.unknownParameter(name: "typo")) {
      try store.matches("status=final&typo=1", of: type)
    }
    let found = try store.matches("status=final&typo=1", of: type, handling: .lenient)
    #expect(found.numbers.count == 12)
    #expect(found.warnings.count == 1)
    #expect(found.used == [QueryParameter(name: "status", value: "final")])
    // fhirpy counts so.
    #expect(try store.matches("_count=0&_totalMethod=count", of: type).total == 12)
  }

  @Test("an update writes only what differs")
  func updates() throws {
    let before = try store.entries().stored
    try put("o3", day: 4, code: "other")
    let after = try store.entries()
    #expect(after.stored == after.expected)
    // The code stands in code, combo-code (the same unit) and both orders of the main index.
    #expect(after.stored.subtracting(before).count == 3)
    #expect(before.subtracting(after.stored).count == 3)
  }
}
