import FHIRModel
import KeyValue
import Search
import SeededNumbers
import Testing

/// - SeeAlso: https://hl7.org/fhir/R4/search.html#sort
@Suite("_sort")
struct SortingTests {
  private let type: ResourceType
  private let store = SearchTestStore()

  init() throws { type = try #require(ResourceType("Observation")) }

  /// What the test knows of an Observation.
  private struct Known {
    var id: String
    var value: Int?
    var day: Int?
  }

  @Test(
    "gives all pages of many matches in the order of a plain sort, missing values last",
    arguments: [1, 7, 40, 1000])
  func pages(pageCount: Int) throws {
    var generator = SplitMix64(seed: 11)
    let known = try (0..<300).map { try put($0, &generator) }
    for (query, precedes) in Self.orders {
      let expected = known.enumerated().sorted { left, right in
        precedes(left.element, right.element) ?? (left.offset < right.offset)
      }
      let (ids, totals) = try pages(of: query, pageCount: pageCount)
      #expect(ids == expected.map(\.element.id), "\(query)")
      #expect(totals == [300])
    }
  }

  @Test("takes the same moment written with two offsets for the same")
  func offsets() throws {
    for (id, date, status) in [
      ("a", "2026-10-25T02:00:00+02:00", "final"), ("b", "2026-10-25T00:00:00Z", "amended"),
      ("c", "2026-10-24T19:00:00-05:00", "corrected"),
    ] {
      try put(id, #""status":"\#(status)","effectiveDateTime":"\#(date)""#)
    }
    #expect(try pages(of: "_sort=date,status", pageCount: 2).ids == ["b", "c", "a"])
    #expect(try pages(of: "_sort=-date,-status", pageCount: 2).ids == ["a", "c", "b"])
  }

  @Test("makes no difference to a count")
  func count() throws {
    for number in 0..<5 { try put("o\(number)", #""status":"final""#) }
    let found = try store.matches("_sort=-date,status&_summary=count", of: type)
    #expect(found.numbers.isEmpty && found.next == nil && found.total == 5)
  }

  /// Whether the first comes before the second; `nil` if they are alike.
  private typealias Precedes = @Sendable (Known, Known) -> Bool?

  private static let orders: [(query: String, precedes: Precedes)] = [
    ("_sort=value-quantity", { before($0.value, $1.value) }),
    ("_sort=-value-quantity", { before($0.value, $1.value, isDescending: true) }),
    (
      "_sort=-value-quantity,date",
      { before($0.value, $1.value, isDescending: true) ?? before($0.day, $1.day) }
    ),
    (
      "_sort=date,value-quantity",
      { before($0.day, $1.day) ?? before($0.value, $1.value) }
    ),
  ]

  private static func before(_ left: Int?, _ right: Int?, isDescending: Bool = false) -> Bool? {
    switch (left, right) {
    case (let left?, let right?): left == right ? nil : (left < right) != isDescending
    case (nil, nil): nil
    case (let left, _): left != nil
    }
  }

  private func put(_ number: Int, _ generator: inout SplitMix64) throws -> Known {
    var known = Known(id: "o\(number)")
    var members = #""status":"final""#
    if Int.random(in: 0..<5, using: &generator) > 0 {
      let value = Int.random(in: -20...20, using: &generator)
      known.value = value
      members += #","valueQuantity":{"value":\#(value)}"#
    }
    if Int.random(in: 0..<5, using: &generator) > 0 {
      let day = Int.random(in: 10...28, using: &generator)
      known.day = day
      members += #","effectiveDateTime":"2026-10-\#(day)""#
    }
    try put(known.id, members)
    return known
  }

  private func put(_ id: String, _ members: String) throws {
    try store.put(
      ResourceID(type, try #require(LogicalID(id))),
      #"{"resourceType":"Observation","id":"\#(id)","code":{"text":"x"},\#(members)}"#)
  }

  private func pages(of query: String, pageCount: Int) throws -> (ids: [String], totals: Set<Int?>)
  {
    var ids: [String] = []
    var totals: Set<Int?> = []
    var place: String? = ""
    while let page = place {
      let found = try store.matches(
        "\(query)&_count=\(pageCount)" + (page.isEmpty ? "" : "&_page=\(page)"), of: type)
      ids += found.numbers.map(store.id)
      totals.insert(found.total)
      place = found.next
    }
    return (ids, totals)
  }
}
