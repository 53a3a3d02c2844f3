import Access
import Crypto
import Dispatch
import FHIRModel
import FoundationEssentials
import KeyValue
import LMDBStorage
import Search
import Store

/// The parts of an open store, put together the one way that every door uses.
package struct Assembly: Sendable {
  package let engine: any Engine
  package let store: ResourceStore
  package let guarded: GuardedStore
  /// The engine, if it has files.
  package private(set) var disk: LMDBEngine?
  /// The store was last served under other addresses: references that begin with those or with the
  /// new ones are found rightly after a `reindex`.
  package let wantsReindex: Bool
  /// The index was made by other tables of search parameters.
  package let hasOutdatedIndex: Bool

  /// Every table of a store.
  package static let tables =
    ResourceStore.tables + GuardedStore.tables + [.secrets]

  /// How a store is put together.
  package struct Options: Sendable {
    /// References that begin with one of these are relative ones. `nil`: what the store was last
    /// served under.
    package var addresses: OwnAddresses?
    package var logPolicy = LogPolicy.beforeAnswer
    package var engine = LMDBOptions()
    /// Whether a store may be opened whose index other tables than this program's were used for:
    /// to look at it or to make it anew, not to search.
    package var takesOutdatedIndex = false
    /// Whether resources are about to be written: what checking them takes is read beside the opening
    /// then, and else with the first.
    package var isForImport = false

    package init() {}

    package static let forImport: Options = {
      var options = Options()
      options.isForImport = true
      return options
    }()
  }

  /// Opens the store in `folder`, making it where there is none.
  ///
  /// - Throws: `StorageError` if it can't be opened, `OutdatedIndex`, `RandomError` if a new one gets
  ///   no secret.
  package static func open(_ folder: String, _ options: Options = Options()) throws -> Assembly {
    if options.isForImport {
      DispatchQueue.global(qos: .userInitiated).async { Specification.load() }
    }
    let engine = try LMDBEngine(
      at: folder, tables: tables, format: ResourceStore.format, options: options.engine)
    do {
      var assembly = try Assembly(over: engine, options)
      assembly.disk = engine
      return assembly
    } catch {
      engine.close()
      throw error
    }
  }

  /// Puts a store together over an engine that has `tables`.
  package init(over engine: any Engine, _ options: Options = Options()) throws {
    self.engine = engine
    let pageKey = try Self.pageKey(of: engine)
    let kept = try Self.addresses(keptIn: engine)
    let addresses = options.addresses ?? kept
    let index = SearchIndex(
      configuration: SearchConfiguration(
        addresses: addresses, pageKey: pageKey, now: Self.clock))
    store = ResourceStore(index: index, clock: Self.clock, newID: Self.newID)
    guarded = GuardedStore(
      engine: engine, store: store,
      configuration: GuardedStore.Configuration(
        addresses: addresses, logPolicy: options.logPolicy, pageKey: pageKey,
        clock: Self.clock))
    let store = store
    wantsReindex =
      try kept != .none && addresses != kept && engine.read { try store.nextNumber(in: $0) > 1 }
    if addresses != kept { try Self.keep(addresses, in: engine) }
    hasOutdatedIndex = try !Self.hasIndexOfToday(engine, store)
    guard !hasOutdatedIndex || options.takesOutdatedIndex else { throw OutdatedIndex() }
  }

  /// Builds every index anew, as this program would have made it.
  ///
  /// - Throws: `StorageError`, `StoreError`.
  package func reindex() throws {
    try store.reindex(engine)
    try Self.markIndex(of: engine)
  }

  /// Ends the reads under way, writes the log entries that wait in memory and closes the store.
  package func close() {
    guarded.finish()
    engine.close()
  }

  package static let clock: @Sendable () -> Instant = {
    Instant(ticks: Int64(Date().timeIntervalSince1970 * 1000) * (Instant.ticksPerSecond / 1000))
  }

  /// A UUID of version 7: its time comes first, so that new ids land side by side in the table.
  ///
  /// - SeeAlso: https://www.rfc-editor.org/rfc/rfc9562#section-5.7
  package static let newID: @Sendable () -> LogicalID = {
    let milliseconds = UInt64(clock().ticks / (Instant.ticksPerSecond / 1000))
    return LogicalID(
      uuid: milliseconds << 16 | 0x7000 | randomNumbers.next() >> 52,
      1 << 63 | randomNumbers.next() >> 2)
  }

  private static let randomNumbers = RandomNumbers()

  /// The key that seals the places of pages: made once, so that a link outlives a restart.
  private static func pageKey(of engine: any Engine) throws -> [UInt8] {
    let name = Key(Array("pages".utf8))
    if let stored = try engine.read({ try $0.value(at: name, in: .secrets) }) { return stored }
    let made = try randomBytes(count: 32)
    return try engine.write { transaction in
      if let stored = try transaction.reader.value(at: name, in: .secrets) { return stored }
      try transaction.put(made, at: name, in: .secrets)
      return made
    }
  }
}

extension Assembly {
  private static let addresses = Key(Array("addresses".utf8))

  /// What the index was made with: what commands without a server read references by.
  private static func addresses(keptIn engine: any Engine) throws -> OwnAddresses {
    let kept = try engine.read { try $0.value(at: addresses, in: .secrets) }
    return OwnAddresses(text: String(decoding: kept ?? [], as: UTF8.self))
  }

  private static func keep(_ own: OwnAddresses, in engine: any Engine) throws {
    try engine.write { try $0.put(Array(own.text.utf8), at: addresses, in: .secrets) }
  }
}

extension Assembly {
  private static let indexMark = Key(Array("index".utf8))

  /// Whether the index was made as this program makes it. A store without resources gets the mark.
  private static func hasIndexOfToday(
    _ engine: any Engine, _ store: ResourceStore
  ) throws -> Bool {
    let (kept, isEmpty) = try engine.read { snapshot in
      (
        try snapshot.value(at: indexMark, in: .secrets),
        try store.nextNumber(in: snapshot) <= 1
      )
    }
    if kept == Key().appending(SearchIndex.mark).bytes { return true }
    if isEmpty { try markIndex(of: engine) }
    return isEmpty
  }

  private static func markIndex(of engine: any Engine) throws {
    let mark = Key().appending(SearchIndex.mark).bytes
    try engine.write { try $0.put(mark, at: indexMark, in: .secrets) }
  }
}

/// The index of a store was made by other tables of search parameters, as another version of this
/// program has them: searches would miss what is there, Consents among it.
package struct OutdatedIndex: Error, CustomStringConvertible {
  package let description =
    "the index of this store was made by another version's search parameters: stop its servers, "
    + "then run 'kiln reindex'"

  package init() {}
}

extension Table {
  /// What the store knows of itself: the key that seals pages, its own addresses, the index's mark.
  fileprivate static let secrets = Table(position: 60, name: "secrets", kind: .values)
}
