import FHIRModel
import KeyValue
import Search
import Synchronization

/// Resources in memory with a real index over a memory engine.
final class SearchTestStore: ResourceSource, Sendable {
  private struct State {
    var documents: [UInt64: Resource] = [:]
    var numbers: [ResourceID: UInt64] = [:]
    var next: UInt64 = 1
  }

  let engine: MemoryEngine
  let index: SearchIndex
  private let state = Mutex(State())

  init(pageKey: [UInt8] = Array(repeating: 7, count: 32)) {
    index = SearchIndex(
      configuration: SearchConfiguration(
        addresses: OwnAddresses(["http://kiln.example/fhir"]), pageKey: pageKey,
        now: { Instant(ticks: 17_960_000_000_000_000) }))
    engine = MemoryEngine(tables: SearchIndex.tables)
  }

  /// Writes a version, or with `nil` deletes; the number of the resource.
  @discardableResult
  func put(_ id: ResourceID, _ json: String?) throws -> UInt64 {
    let number = state.withLock { state in
      if let number = state.numbers[id] { return number }
      state.next += 1
      state.numbers[id] = state.next - 1
      return state.next - 1
    }
    let old = state.withLock { $0.documents[number] }
    let new = try json.map { try Resource(trusted: JSONDocument(parsing: Array($0.utf8))) }
    let (before, after) = (old.map { version($0, id) }, new.map { version($0, id) })
    let index = index
    try engine.write { transaction in
      try index.replace(number, of: id.type, old: before, new: after, in: &transaction)
    }
    state.withLock { $0.documents[number] = new }
    return number
  }

  func version(_ resource: Resource, _ id: ResourceID) -> IndexedVersion {
    IndexedVersion(
      resource: resource, id: id.id, lastUpdated: Instant(ticks: 17_000_000_000_000_000))
  }

  var resources: [(number: UInt64, resource: Resource)] {
    state.withLock { $0.documents.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
  }

  func document(
    of number: UInt64, in reader: borrowing Reader
  ) throws -> JSONDocument? {
    state.withLock { $0.documents[number]?.document }
  }

  func number(of id: ResourceID, in reader: borrowing Reader) throws -> UInt64? {
    state.withLock { $0.numbers[id] }
  }

  func nextNumber(in reader: borrowing Reader) throws -> UInt64 {
    state.withLock { $0.next }
  }

  func matches(
    _ query: String, of type: ResourceType, handling: Query.Handling = .strict,
    isVisible: (@Sendable (UInt64) -> Bool)? = nil
  ) throws -> SearchMatches {
    let plan = try index.plan(Query(parsing: query, type: type, handling: handling))
    return try engine.read { snapshot in
      try index.run(plan, in: snapshot, source: Filtered(store: self, isVisible: isVisible))
    }
  }

  /// The ids that a query finds, all pages of them.
  func ids(_ query: String, of type: ResourceType, pageCount: Int = 1000) throws -> [String] {
    var ids: [String] = []
    var page = ""
    repeat {
      let found = try matches("\(query)&_count=\(pageCount)\(page)", of: type)
      ids += found.numbers.map(id)
      page = found.next.map { "&_page=\($0)" } ?? ""
    } while !page.isEmpty
    return ids
  }

  func id(of number: UInt64) -> String {
    state.withLock { $0.documents[number]?.id?.text } ?? "?"
  }

  /// What the index holds, and what its resources say it should hold.
  func entries() throws -> (stored: Set<Row>, expected: Set<Row>) {
    let resources = resources
    return try engine.read { snapshot in
      var stored: Set<Row> = []
      for table in SearchIndex.postingTables {
        try snapshot.walkPostings(table, .everything, .forward) { key, number in
          stored.insert(Row(table: table, key: Key(key), number: number))
          return .next
        }
      }
      var expected: Set<Row> = []
      for (number, resource) in resources {
        guard let id = resource.id else { continue }
        let version = version(resource, ResourceID(resource.type, id))
        for entry in try index.entries(of: version, in: snapshot) {
          expected.insert(Row(table: entry.table, key: entry.key, number: number))
        }
      }
      return (stored, expected)
    }
  }

  /// The store as a caller sees it who may not see everything.
  private struct Filtered: ResourceSource {
    var store: SearchTestStore
    var isVisible: (@Sendable (UInt64) -> Bool)?

    func document(
      of number: UInt64, in reader: borrowing Reader
    ) throws -> JSONDocument? {
      try store.document(of: number, in: reader)
    }

    func number(
      of id: ResourceID, in reader: borrowing Reader
    ) throws -> UInt64? {
      try store.number(of: id, in: reader)
    }

    func nextNumber(in reader: borrowing Reader) throws -> UInt64 {
      try store.nextNumber(in: reader)
    }

    func isVisible(
      _ number: UInt64, in reader: borrowing Reader
    ) throws -> Bool {
      isVisible?(number) ?? true
    }
  }

  struct Row: Hashable {
    var table: Table
    var key: Key
    var number: UInt64
  }
}
