import Crypto
import Dispatch
import FHIRModel
import KeyValue
import Store
import Synchronization

/// The one door to the store: every interaction is judged, performed and recorded here, and its
/// answer leaves after its entry in the access log is durable.
package final class GuardedStore: Sendable {
  package struct Configuration: Sendable {
    package var addresses: OwnAddresses
    /// The offset of dates that are written without one.
    package var zone: UTCOffset
    package var logPolicy: LogPolicy
    /// Seals the places where pages of the log begin.
    package var pageKey: [UInt8]
    /// A read that looks at more keys than these is done on a thread of its own. The count of a page
    /// that is counted as it is given stays below.
    package var keyCountAtOnce = 20_000
    package var clock: @Sendable () -> Instant

    package init(
      addresses: OwnAddresses = .none, zone: UTCOffset = .utc, logPolicy: LogPolicy = .beforeAnswer,
      pageKey: [UInt8], clock: @escaping @Sendable () -> Instant
    ) {
      self.addresses = addresses
      self.zone = zone
      self.logPolicy = logPolicy
      self.pageKey = pageKey
      self.clock = clock
    }
  }

  /// The tables that an engine needs beside the store's.
  package static let tables: [Table] = [.tokens, .log, .logByPatient, .consentChanges]

  package let tokens = TokenRegister()
  package let log = AccessLog()
  let engine: any Engine
  let store: ResourceStore
  let configuration: Configuration
  let consents: ConsentBook
  let audits: AuditEventSearch
  let buffer: LogBuffer
  let longReads = LongReads()
  private let patients = KnownPatients()

  package init(engine: any Engine, store: ResourceStore, configuration: Configuration) {
    self.engine = engine
    self.store = store
    self.configuration = configuration
    consents = ConsentBook(
      store: store, addresses: configuration.addresses, zone: configuration.zone)
    audits = AuditEventSearch(
      log: log, addresses: configuration.addresses, pageKey: configuration.pageKey)
    buffer = LogBuffer(
      engine: engine, log: log, policy: configuration.logPolicy, clock: configuration.clock)
  }

  /// Who shows this token.
  ///
  /// - Throws: `InteractionError.unauthenticated`, `.unavailable` if the store can't be read now;
  ///   `StorageError`.
  package func authenticate(bearer: String) throws -> Caller {
    do {
      let now = configuration.clock()
      if let caller = try tokens.caller(bearer, at: now, since: engine.latestCommit) {
        return caller
      }
      return try engine.read { try tokens.authenticate(bearer, at: now, in: $0) }
    } catch {
      throw error.asAnswered
    }
  }

  /// Performs a request; returns before it is durable, and before a read that looks at much is done.
  ///
  /// - Parameter completion: called once, with a result for each interaction, when the answer may
  ///   leave: on this thread, on one for long reads or on the writer's, where it must not block.
  package func submit(_ request: AccessRequest, completion: @escaping Completion) {
    prepare(answerTo: request) { results in { completion(results) } }
  }

  /// The same for an answer that takes time to make.
  ///
  /// - Parameter prepare: makes it of a result for each interaction, for a read on the thread that
  ///   found them; what it gives is called when the answer may leave, on the threads of `completion`.
  ///   If the log can't be written, another answer is made instead, and the first never leaves.
  package func prepare(
    answerTo request: AccessRequest, by prepare: @escaping Preparation
  ) {
    submit(request, mayMove: true, prepare)
  }

  private func submit(
    _ request: AccessRequest, mayMove: Bool, _ prepare: @escaping Preparation
  ) {
    if request.writes {
      write(request) { prepare($0)() }
    } else {
      read(request, mayMove: mayMove, prepare)
    }
  }

  /// Performs a request and waits until it is durable.
  ///
  /// Must not be called from a completion: the writer would wait for itself.
  package func perform(_ request: AccessRequest) -> [Result<Outcome, any Error>] {
    let results = Mutex<[Result<Outcome, any Error>]>([])
    let isDone = DispatchSemaphore(value: 0)
    submit(request, mayMove: false) { answered in
      {
        results.withLock { $0 = answered }
        isDone.signal()
      }
    }
    isDone.wait()
    return results.withLock { $0 }
  }

  /// Performs one of the many requests of an import, as `perform` does; then the engine lets go of
  /// the pages that it read once they are many, so that a large import takes little more memory than a
  /// small one.
  package func takeIn(_ request: AccessRequest) -> [Result<Outcome, any Error>] {
    let results = perform(request)
    engine.releasePages(over: Self.mappedByteCountMaximum)
    return results
  }

  /// A little more than a program and its libraries take.
  private static let mappedByteCountMaximum = 36 << 20

  /// Writes the log entries that wait in memory; to be called at intervals when they are buffered.
  package func flushLog() { buffer.flush() }

  /// Ends what goes on beside the callers, and writes the log entries that wait in memory; to be
  /// called before the engine is closed.
  package func finish() {
    longReads.finish()
    buffer.flush()
  }

  /// The patient that a number in facets stands for.
  func patient(
    _ number: UInt32, in reader: borrowing Reader, isCommitted: Bool
  ) throws -> ResourceID? {
    try patients.patient(number, of: store, in: reader, isCommitted: isCommitted)
  }
}

/// The patients that numbers in facets stand for, as far as they were met.
private final class KnownPatients: Sendable {
  private static let keptCountMaximum = 65_536
  private let known = Mutex<[UInt32: ResourceID]>([:])

  func patient(
    _ number: UInt32, of store: ResourceStore, in reader: borrowing Reader,
    isCommitted: Bool
  ) throws -> ResourceID? {
    if let id = known.withLock({ $0[number] }) { return id }
    guard let id = try store.patient(of: number, in: reader) else { return nil }
    if isCommitted {
      known.withLock { known in
        if known.count >= Self.keptCountMaximum { known.removeAll() }
        known[number] = id
      }
    }
    return id
  }
}
