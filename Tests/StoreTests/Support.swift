import FHIRModel
import Foundation
import KeyValue
import LMDBStorage
import Search
import Store
import Synchronization
import Testing

/// A store over an engine of its own, with a clock and ids that repeat from run to run.
final class Bench: Sendable {
  enum EngineKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory, lmdb

    var testDescription: String { rawValue }
  }

  private struct State {
    var engine: any Engine
    var now = Instant(ticks: 1_796_000_000 * Instant.ticksPerSecond)
    var idCount = 0
  }

  let kind: EngineKind
  private let folder: String
  private let state: Mutex<State>

  init(_ kind: EngineKind) throws {
    self.kind = kind
    folder = NSTemporaryDirectory() + "kiln-store-\(UUID().uuidString)"
    state = Mutex(State(engine: try Self.engine(kind, folder)))
  }

  deinit {
    engine.close()
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func engine(_ kind: EngineKind, _ folder: String) throws -> any Engine {
    switch kind {
    case .memory: return MemoryEngine(tables: ResourceStore.tables)
    case .lmdb:
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      // What is tested here is not the disk.
      return try LMDBEngine(
        at: folder, tables: ResourceStore.tables, format: ResourceStore.format,
        options: LMDBOptions(reserveByteCount: 1 << 16, flushes: false))
    }
  }

  var engine: any Engine { state.withLock { $0.engine } }

  /// Closes an engine on disk and opens it again.
  func reopen() throws {
    guard kind == .lmdb else { return }
    engine.close()
    let opened = try Self.engine(kind, folder)
    state.withLock { $0.engine = opened }
  }

  /// How many ids were made. An engine may run a change more than once, and each run makes its own.
  var idCount: Int { state.withLock { $0.idCount } }

  func set(clock now: Instant) { state.withLock { $0.now = now } }

  func advanceClock(milliseconds: Int64) {
    state.withLock { $0.now.ticks += milliseconds * Instant.ticksPerSecond / 1000 }
  }

  func store() -> ResourceStore {
    let configuration = SearchConfiguration(
      addresses: OwnAddresses(["http://kiln.example/fhir"]),
      pageKey: Array(repeating: 7, count: 32),
      now: { [self] in state.withLock { $0.now } })
    return ResourceStore(
      index: SearchIndex(configuration: configuration),
      clock: { [self] in state.withLock { $0.now } },
      newID: { [self] in
        state.withLock { state in
          state.idCount += 1
          return LogicalID("made-\(state.idCount)")!
        }
      })
  }
}

/// A store with its bench, as most tests use it.
struct Fixture {
  let bench: Bench
  let store: ResourceStore

  init(_ kind: Bench.EngineKind) throws { self.init(try Bench(kind)) }

  init(_ bench: Bench) {
    self.bench = bench
    store = bench.store()
  }

  @discardableResult
  func perform(
    _ write: Interaction, permit: @escaping @Sendable (WriteIntent) throws -> Void = { _ in }
  ) throws -> Outcome {
    let store = store
    return try bench.engine.write { transaction in
      try store.perform(write, in: &transaction, permit: permit)
    }
  }

  func answer(
    _ read: Interaction, isVisible: ((Facets) throws -> Bool)? = nil
  ) throws -> Outcome {
    try bench.engine.read { snapshot in
      try store.answer(read, in: snapshot, isVisible: isVisible)
    }
  }

  func integrity() throws -> Integrity {
    try bench.engine.read { snapshot in try Integrity(of: store, in: snapshot) }
  }

  func history(
    _ scope: HistoryScope, _ query: HistoryQuery = HistoryQuery(),
    isVisible: ((Facets) throws -> Bool)? = nil
  ) throws -> HistoryPage {
    try answer(.history(scope, query), isVisible: isVisible).history
  }

  func found(_ query: String, isVisible: ((Facets) throws -> Bool)? = nil) throws -> [String] {
    try answer(.search(try Query.reading(query)), isVisible: isVisible).matches.map {
      $0.id.description
    }
  }
}

extension Outcome {
  /// The version that was found or written.
  var version: StoredVersion {
    get throws {
      switch self {
      case .found(let version), .created(let version), .updated(let version),
        .unchanged(let version), .deleted(let version?):
        version
      case .deleted(nil), .searchset, .history: throw Unexpected(outcome: "\(self)")
      }
    }
  }

  var history: HistoryPage {
    get throws {
      guard case .history(let page) = self else { throw Unexpected(outcome: "\(self)") }
      return page
    }
  }

  var matches: [SearchMatch] {
    get throws {
      guard case .searchset(let page) = self else { throw Unexpected(outcome: "\(self)") }
      return page.matches
    }
  }

  /// The case alone, to be compared with.
  var kind: String {
    switch self {
    case .found: "found"
    case .created: "created"
    case .updated: "updated"
    case .unchanged: "unchanged"
    case .deleted(nil): "nothing deleted"
    case .deleted: "deleted"
    case .searchset: "searchset"
    case .history: "history"
    }
  }
}

struct Unexpected: Error { var outcome: String }

extension StoredVersion {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension Query {
  /// Reads `Type?name=value&…`, nothing encoded.
  static func reading(_ text: String) throws -> Query {
    let parts = text.split(separator: "?", maxSplits: 1)
    let parameters = parts.dropFirst().first?.split(separator: "&") ?? []
    return Query(
      type: ResourceType(parts[0]),
      parameters: parameters.map { parameter in
        let sides = parameter.split(
          separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return QueryParameter(name: String(sides[0]), value: String(sides.last ?? ""))
      })
  }
}

extension Resource {
  /// Reads JSON that is known to be right.
  static func reading(_ json: String) throws -> Resource {
    try Resource(parsing: Array(json.utf8))
  }

  static func patient(_ id: String? = nil, family: String, identifier: String? = nil) throws
    -> Resource
  {
    let identity = id.map { #""id":"\#($0)","# } ?? ""
    let name = identifier.map { #","identifier":[{"system":"urn:k","value":"\#($0)"}]"# } ?? ""
    return try reading(
      #"{"resourceType":"Patient",\#(identity)"name":[{"family":"\#(family)"}]\#(name)}"#)
  }

  static func observation(
    _ id: String? = nil, of patient: String, code: String = "8867-4", at moment: String? = nil,
    value: String = "72.50"
  ) throws -> Resource {
    let identity = id.map { #""id":"\#($0)","# } ?? ""
    let effective = moment.map { #","effectiveDateTime":"\#($0)""# } ?? ""
    return try reading(
      """
      {"resourceType":"Observation",\(identity)"status":"final","category":[{"coding":[{"system":\
      "http://terminology.hl7.org/CodeSystem/observation-category","code":"vital-signs"}]}],\
      "code":{"coding":[{"system":"http://loinc.org","code":"\(code)"}]},\
      "subject":{"reference":"Patient/\(patient)"}\(effective),\
      "valueQuantity":{"value":\(value),"unit":"/min"}}
      """)
  }
}

func id(_ text: String) throws -> ResourceID { try #require(ResourceID(text)) }
