import Access
import FHIRModel
import Synchronization
import Wearables

/// The imports of this server, one after the other where `background` runs them.
///
/// An export is on the disk with its description before anyone is told that it was taken over. What a
/// process did not end, another one resumes: importing again changes nothing. How it ended stays to be
/// asked until it is removed, or is old.
final class ImportJobs: Sendable {
  private let guardedStore: GuardedStore
  private let configuration: ServiceConfiguration
  private let spool: ExportSpool?
  private let state = Mutex(State())
  /// Held while the disk is brought to what `state` says, which nobody has to wait for.
  private let disk = Mutex(())

  private struct State {
    /// In the order in which they came.
    var jobs: [ImportJob] = []
    /// Whose are being taken over now.
    var arriving: [Caller.Identity] = []
    var isStopped = false

    /// Whose wait or are under way.
    var waiting: [Caller.Identity] {
      arriving + jobs.filter { !$0.isOver }.map(\.order.caller.identity)
    }
  }

  /// Those that are over are forgotten when one caller has more of them.
  private static let keptCountMaximumOfCaller = 100
  /// And when all have more: then of the callers who have the most.
  private static let keptCountMaximum = 1_000
  /// And when they came as long ago.
  private static let keptTicks = 30 * 86_400 * Instant.ticksPerSecond
  /// Uploads wait on the disk, so not many wait.
  private static let waitingCountMaximum = 8
  /// And fewer of one person or app, so that none has to wait for another's alone.
  private static let waitingCountMaximumOfCaller = 4

  init(guardedStore: GuardedStore, _ configuration: ServiceConfiguration) {
    self.guardedStore = guardedStore
    self.configuration = configuration
    do {
      spool = try configuration.importFolder.map { path throws(ExportSpool.Failure) in
        try ExportSpool(in: path)
      }
    } catch {
      configuration.report(error)
      spool = nil
    }
  }

  subscript(_ id: String) -> ImportJob? {
    state.withLock { $0.jobs.first { $0.id == id } }
  }

  /// Takes an export over and begins its import, or lets it wait for those before it.
  ///
  /// - Parameter body: its file is held until the import is over.
  /// - Throws: `InteractionError.unavailable` if too many wait or this server takes none over,
  ///   `.storageFull`; nothing is left of it then.
  func start(_ order: ImportOrder, _ body: Request) throws -> ImportJob {
    guard configuration.background != nil, let spool else {
      throw InteractionError.unavailable(reason: "this server takes no exports in")
    }
    let identity = order.caller.identity
    let isTaken = state.withLock { state in
      guard !state.isStopped, Self.mayWait(identity, with: state.waiting) else { return false }
      state.arriving.append(identity)
      return true
    }
    guard isTaken else {
      throw InteractionError.unavailable(reason: "too many imports wait; try again later")
    }
    let job = ImportJob(order)
    do {
      defer {
        state.withLock { state in
          _ = state.arriving.firstIndex(of: identity).map { state.arriving.remove(at: $0) }
        }
      }
      try take(body, of: job, into: spool)
    }
    forgetOld()
    begin(job, holding: body.file)
    return job
  }

  /// Whether one more of a caller may wait with those that do.
  private static func mayWait(
    _ caller: Caller.Identity, with waiting: [Caller.Identity]
  ) -> Bool {
    guard waiting.count < waitingCountMaximum else { return false }
    if case .operator = caller { return true }
    return waiting.count { $0 == caller } < waitingCountMaximumOfCaller
  }

  private func take(_ body: Request, of job: ImportJob, into spool: ExportSpool) throws {
    do throws(ExportSpool.Failure) {
      if let file = body.file {
        try spool.take(fileAt: file.path, as: job.id)
      } else {
        try spool.take(body.body, as: job.id)
      }
      try spool.describe(job.id, as: job.description(in: .waiting))
    } catch {
      try? spool.remove(job.id)
      switch error {
      case .full: throw InteractionError.storageFull
      case .other: throw error
      }
    }
    state.withLock { state in
      state.jobs.append(job)
      // It was taken over while the server was being stopped: the next process reads it.
      if state.isStopped { job.cancel() }
    }
  }

  /// Goes on with what an earlier process took over.
  func resume() {
    guard let spool else { return }
    do {
      for name in try spool.strangers() { configuration.report(Stranger(name: name)) }
      for (id, bytes, hasExport) in try spool.descriptions() {
        guard let job = ImportJob(bytes), job.id == id else {
          configuration.report(Unreadable(id: id))
          continue
        }
        if job.isOver, hasExport { try spool.removeExport(id) }
        if !job.isOver, !hasExport { job.enter(.failed(ImportJob.isGone)) }
        state.withLock { $0.jobs.append(job) }
      }
    } catch {
      configuration.report(error)
    }
    let jobs = state.withLock { state in
      state.jobs.sort { ($0.order.received, $0.id) < ($1.order.received, $1.id) }
      return state.jobs
    }
    forgetOld()
    for job in jobs where !job.isOver { begin(job, holding: nil) }
  }

  /// A description that this program can't read; it and the export stay.
  struct Unreadable: Error, CustomStringConvertible {
    let id: String
    var description: String { "the import \(id) can't be resumed: its description is unreadable" }
  }

  /// What is no file is none of this server's.
  struct Stranger: Error, CustomStringConvertible {
    let name: String
    var description: String { "\(name) among the imports is no file: it is left and not read" }
  }

  /// Ends an import if it is under way, and removes all that is kept of it.
  ///
  /// - Returns: whether it was under way.
  func remove(_ job: ImportJob) throws -> Bool {
    job.cancel()
    let isUnderWay = !job.isOver
    state.withLock { $0.jobs.removeAll { $0 === job } }
    try disk.withLock { _ in try spool?.remove(job.id) }
    return isUnderWay
  }

  /// Lets the import under way end soon, and begins no more; what isn't over is for the next process.
  func stop() {
    let jobs = state.withLock { state in
      state.isStopped = true
      return state.jobs
    }
    for job in jobs { job.cancel() }
  }

  private func forgetOld() {
    let earliest = configuration.clock().ticks - Self.keptTicks
    let forgotten = state.withLock { state in
      let kept = KeptImports(
        atMost: Self.keptCountMaximum, ofCaller: Self.keptCountMaximumOfCaller, since: earliest)
      let forgotten = kept.forgotten(of: state.jobs)
      let identities = Set(forgotten.map { ObjectIdentifier($0) })
      state.jobs.removeAll { identities.contains(ObjectIdentifier($0)) }
      return forgotten
    }
    for job in forgotten { keep { try spool?.remove(job.id) } }
  }

  /// Does something on the disk without which only more stays there than need be.
  private func keep(_ body: () throws -> Void) {
    do { try body() } catch { configuration.report(error) }
  }
}

extension ImportJobs {
  private func begin(_ job: ImportJob, holding body: BodyFile?) {
    configuration.background? { [self] in
      defer { withExtendedLifetime(body) {} }
      run(job)
    }
  }

  private func run(_ job: ImportJob) {
    guard let spool else { return }
    let path = spool.path(of: job.id)
    do {
      try job.note(ImportProgress())
      guard spool.hasExport(job.id) else { return end(job, .failed(ImportJob.isGone)) }
      job.enter(.running)
      var json = JSONWriter()
      let report = try report(of: job, readFrom: path)
      json.object { report.write(to: &$0) }
      end(job, .done(json.bytes))
    } catch is ImportJob.Cancelled {
      // It was removed, or the next process goes on with it.
    } catch {
      end(job, .failed(Self.words(for: error).replacing(path, with: "what was sent")))
    }
  }

  private func report(of job: ImportJob, readFrom path: String) throws -> AppleHealthReport {
    let order = job.order
    let options = try order.options(at: configuration.clock())
    var importer = AppleHealthImport(
      try AppleExport(path: path), options,
      sorter: SpillSampleSorter(folder: configuration.temporaryFolder),
      perform: { [guardedStore] batch in
        guardedStore.takeIn(AccessRequest(batch, by: order.caller, from: order.peer))
      }, prepare: { [guardedStore] in guardedStore.prepare($0) }, watch: { try job.note($0) })
    if order.keepsSamples { importer.shelf = configuration.shelf?(options.patient, order.caller) }
    var report = try importer.run()
    // A document that is no file of an archive has the spool's name for it.
    if let document = report.document, path.hasSuffix("/" + document) { report.document = nil }
    return report
  }

  /// How it ended is on the disk before the export is removed: else it would be read again.
  private func end(_ job: ImportJob, _ phase: ImportJob.Phase) {
    defer { job.enter(phase) }
    keep {
      try disk.withLock { _ in
        // It may have been removed meanwhile.
        guard state.withLock({ $0.jobs.contains { $0 === job } }) else { return }
        try spool?.describe(job.id, as: job.description(in: phase))
        try spool?.removeExport(job.id)
      }
    }
  }

  private static func words(for error: any Error) -> String {
    switch error {
    // A single request that is refused so changed nothing; of an import, batches before went in.
    case InteractionError.storageFull:
      "the store has no room for the rest; what went in before stays. Send it again when there is room"
    case is InteractionError: Verdict(on: error).reason
    case let failure as AppleExport.Failure: failure.description
    default: "\(error)"
    }
  }
}
