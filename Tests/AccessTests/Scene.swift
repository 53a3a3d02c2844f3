import FHIRModel
import KeyValue
import Search
import Store
import Synchronization
import Testing

@testable import Access

/// A guarded store in memory with a clock that the test sets, and requests in few words.
final class Scene: Sendable {
  let engine: any Engine
  let store: GuardedStore
  let clock = TestClock()
  private static let start = "2026-11-30T08:00:00Z"

  init(
    engine: (any Engine)? = nil, logPolicy: LogPolicy = .beforeAnswer,
    addresses: OwnAddresses = .none, keyCountAtOnce: Int? = nil
  ) throws {
    let clock = self.clock
    clock.set(try Instant(Self.start))
    self.engine = engine ?? MemoryEngine(tables: ResourceStore.tables + GuardedStore.tables)
    let key = [UInt8](repeating: 7, count: 32)
    let index = SearchIndex(
      configuration: SearchConfiguration(addresses: addresses, pageKey: key, now: { clock.now }))
    let numbers = Mutex(0)
    let resources = ResourceStore(
      index: index, clock: { clock.now },
      newID: {
        let number = numbers.withLock { number in
          number += 1
          return number
        }
        guard let id = LogicalID("made-\(number)") else { preconditionFailure("an id") }
        return id
      })
    var configuration = GuardedStore.Configuration(
      addresses: addresses, logPolicy: logPolicy, pageKey: key, clock: { clock.now })
    if let keyCountAtOnce { configuration.keyCountAtOnce = keyCountAtOnce }
    store = GuardedStore(engine: self.engine, store: resources, configuration: configuration)
  }

  static let `operator` = Caller(.operator(name: "tester"))

  static func person(_ id: String) throws -> Caller {
    Caller(.person(try #require(ResourceID("Patient/" + id))))
  }

  static func app(_ client: String, for patient: String, _ scopes: String) throws -> Caller {
    Caller(
      .app(
        client: try #require(LogicalID(client)),
        patient: try #require(ResourceID("Patient/" + patient)), scopes: Scopes(scopes)))
  }

  /// Performs one interaction.
  @discardableResult
  func perform(_ interaction: Interaction, by caller: Caller = Scene.operator) throws -> Outcome {
    try #require(store.perform(AccessRequest([interaction], by: caller, from: "127.0.0.1")).first)
      .get()
  }

  /// How one interaction was refused; `nil` if it was not.
  func refusal(of interaction: Interaction, by caller: Caller) throws -> InteractionError? {
    do {
      try perform(interaction, by: caller)
      return nil
    } catch let error as InteractionError {
      return error
    }
  }

  /// Writes resources under the ids that they have.
  func put(_ resources: String..., by caller: Caller = Scene.operator) throws {
    for text in resources { try perform(.update(try Self.resource(text), if: .none), by: caller) }
  }

  static func resource(_ text: String) throws -> Resource {
    try Resource(parsing: Array(text.utf8))
  }

  static func search(_ text: String) throws -> Interaction {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = parts.count > 1 ? String(parts[1]) : ""
    return .search(try Query(parsing: query, type: ResourceType(parts[0])))
  }

  static func id(_ text: String) throws -> ResourceID { try #require(ResourceID(text)) }

  /// What a search shows, as `Type/id`, in its order.
  func found(_ search: String, by caller: Caller = Scene.operator) throws -> [String] {
    try page(search, by: caller).matches.map(\.id.description)
  }

  func page(_ search: String, by caller: Caller = Scene.operator) throws -> SearchPage {
    guard case .searchset(let page) = try perform(try Self.search(search), by: caller) else {
      throw TestFailure("not a searchset")
    }
    return page
  }

  /// Whether the caller can read the resource.
  func canRead(_ id: String, _ caller: Caller) throws -> Bool {
    switch try refusal(of: .read(try Self.id(id)), by: caller) {
    case nil: true
    case .notFound: false
    case let error?: throw error
    }
  }

  /// The resource's JSON.
  func json(_ id: String, by caller: Caller = Scene.operator) throws -> JSONValue {
    guard case .found(let version) = try perform(.read(try Self.id(id)), by: caller) else {
      throw TestFailure("not found")
    }
    return try JSONDocument(parsing: version.bytes).root
  }
}

struct TestFailure: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}

final class TestClock: Sendable {
  private let time = Mutex(Instant(ticks: 0))

  var now: Instant { time.withLock { $0 } }

  func set(_ instant: Instant) { time.withLock { $0 = instant } }

  func advance(seconds: Int64) {
    time.withLock { $0 = Instant(ticks: $0.ticks + seconds * Instant.ticksPerSecond) }
  }
}

/// Resources in few words.
enum Sample {
  static func patient(_ id: String) -> String { #"{"resourceType":"Patient","id":"\#(id)"}"# }

  static func observation(
    _ id: String, of patient: String, code: String = "8867-4", category: String? = nil,
    effective: String? = nil, label: String? = nil, more: String = ""
  ) -> String {
    var members = #""resourceType":"Observation","id":"\#(id)","status":"final""#
    if let label { members += #","meta":{"security":[\#(label)]}"# }
    if let category {
      members += """
        ,"category":[{"coding":[{"system":\
        "http://terminology.hl7.org/CodeSystem/observation-category","code":"\(category)"}]}]
        """
    }
    members += #","code":{"coding":[{"system":"http://loinc.org","code":"\#(code)"}]}"#
    members += #","subject":{"reference":"Patient/\#(patient)"}"#
    if let effective { members += #","effectiveDateTime":"\#(effective)""# }
    return "{" + members + more + "}"
  }

  /// A Consent of the patient, active and about privacy, with this root provision.
  static func consent(
    _ id: String, of patient: String, _ provision: String, status: String = "active",
    scope: String = "patient-privacy", more: String = ""
  ) -> String {
    """
    {"resourceType":"Consent","id":"\(id)","status":"\(status)","scope":{"coding":[{"system":\
    "http://terminology.hl7.org/CodeSystem/consentscope","code":"\(scope)"}]},"category":[{\
    "coding":[{"system":"http://loinc.org","code":"59284-0"}]}],"patient":{"reference":\
    "Patient/\(patient)"},"policyRule":{"text":"privacy"},"provision":{\(provision)}\(more)}
    """
  }

  /// `"type":"permit"` with the client's Device as actor, and more elements after a comma.
  static func permit(_ client: String, _ more: String = "") -> String {
    #""type":"permit",\#(actor("Device/" + client))"# + (more.isEmpty ? "" : "," + more)
  }

  static func deny(_ more: String = "") -> String {
    #""type":"deny""# + (more.isEmpty ? "" : "," + more)
  }

  static func actor(_ reference: String) -> String {
    """
    "actor":[{"role":{"coding":[{"system":\
    "http://terminology.hl7.org/CodeSystem/v3-ParticipationType","code":"IRCP"}]},\
    "reference":{"reference":"\(reference)"}}]
    """
  }
}

extension SearchPage {
  /// The JSON of the matches.
  var contents: [[UInt8]] { matches.map { Array(json(of: $0)) } }
}
