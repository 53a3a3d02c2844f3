import Access
import Dispatch
import FHIRModel
import KeyValue
import REST
import Search
import Store
import Synchronization

/// A service over a store in memory, with a clock that moves a second with each look at it.
package final class Scene: Sendable {
  package static let base = "https://store.example.org/fhir"

  package let engine: any Engine
  package let store: GuardedStore
  package let service: Service
  private let reported = Mutex(0)

  /// How many failures the operator was told of.
  package var reportCount: Int { reported.withLock { $0 } }

  package init(
    engine: (any Engine)? = nil, address: PublicAddress = .fixed(base),
    origins: AllowedOrigins = .any, importFolder: String? = nil,
    runsImports: Bool = true
  ) throws {
    let engine = engine ?? MemoryEngine(tables: ResourceStore.tables + GuardedStore.tables)
    self.engine = engine
    let seconds = Mutex(try Instant("2026-11-30T08:00:00Z").ticks)
    let clock: @Sendable () -> Instant = {
      seconds.withLock { ticks in
        ticks += Instant.ticksPerSecond
        return Instant(ticks: ticks)
      }
    }
    let numbers = Mutex(0)
    let key = [UInt8](repeating: 7, count: 32)
    let index = SearchIndex(
      configuration: SearchConfiguration(
        addresses: OwnAddresses([Self.base]), pageKey: key, now: clock))
    let resources = ResourceStore(
      index: index, clock: clock,
      newID: {
        let number = numbers.withLock { number in
          number += 1
          return number
        }
        guard let id = LogicalID("made-\(number)") else { preconditionFailure("an id") }
        return id
      })
    let store = GuardedStore(
      engine: engine, store: resources,
      configuration: GuardedStore.Configuration(
        addresses: OwnAddresses([Self.base]), pageKey: key, clock: clock))
    self.store = store
    let told = Mutex<@Sendable () -> Void>({})
    var configuration = ServiceConfiguration(
      publicAddress: address, origins: origins, clock: clock,
      report: { _ in told.withLock { $0 }() })
    let imports = DispatchQueue(label: "imports")
    configuration.background = { work in if runsImports { imports.async(execute: work) } }
    let spooling = DispatchQueue(label: "spooling")
    configuration.spooling = { work in spooling.async(execute: work) }
    configuration.importFolder = importFolder
    service = Service(guardedStore: store, configuration: configuration)
    told.withLock { $0 = { [self] in reported.withLock { $0 += 1 } } }
  }

  /// Answers a request, however long the store takes.
  package func response(to request: Request) async -> Response {
    await withCheckedContinuation { continuation in
      service.respond(to: request) { continuation.resume(returning: $0) }
    }
  }

  /// A token for whom a fixture names: `operator`, `person Patient/1`, `app CLIENT Patient/1 SCOPES`.
  package func token(for words: String) throws -> String {
    let words = words.split(separator: " ", maxSplits: 3).map(String.init)
    let principal = try principal(words)
    return try engine.write { transaction in
      try store.tokens.create(for: principal, at: Instant(ticks: 0), in: &transaction).text
    }
  }

  private func principal(_ words: [String]) throws -> Principal {
    switch (words.first, words.count) {
    case ("operator", 1): return .operator(name: "tester")
    case ("person", 2):
      guard let person = ResourceID(words[1]) else { break }
      return .person(person)
    case ("app", 4):
      guard let client = LogicalID(words[1]), let patient = ResourceID(words[2]) else { break }
      return .app(client: client, patient: patient, scopes: Scopes(words[3]))
    default: break
    }
    throw FixtureError.form("'\(words)' names nobody")
  }
}
