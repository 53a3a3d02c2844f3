import Access
import FHIRModel
import Synchronization
import Wearables

/// The imports of this server, one after the other where `background` runs them. They are kept in memory:
/// after a restart nobody knows of them, and an export that was cut short is sent again.
final class ImportJobs: Sendable {
  private let guardedStore: GuardedStore
  private let background: ServiceConfiguration.Background?
  private let folder: String?
  private let shelf: (@Sendable (ResourceID, Caller) -> SampleShelf)?
  private let state = Mutex(State())

  private struct State {
    /// In the order in which they began.
    var jobs: [ImportJob] = []
    var isStopped = false
  }

  /// Those that are over are forgotten when there are more.
  private static let keptCountMaximum = 100
  /// Uploads wait on the disk, so not many wait.
  private static let waitingCountMaximum = 8

  init(guardedStore: GuardedStore, _ configuration: ServiceConfiguration) {
    self.guardedStore = guardedStore
    background = configuration.background
    folder = configuration.temporaryFolder
    shelf = configuration.shelf
  }

  subscript(_ id: String) -> ImportJob? {
    state.withLock { $0.jobs.first { $0.id == id } }
  }

  /// Begins an import, or lets it wait for those before it.
  ///
  /// - Parameter body: kept until the import is over.
  /// - Throws: `InteractionError.unavailable` if too many wait, or there is no thread for them.
  func start(
    _ export: AppleExport, of body: BodyFile?, _ options: AppleHealthOptions, by caller: Caller,
    from peer: String, id: String, keepingSamples: Bool = false
  ) throws -> ImportJob {
    guard let background else {
      throw InteractionError.unavailable(reason: "this server takes no exports in")
    }
    let job = ImportJob(id: id, owner: caller.principal)
    let isTaken = state.withLock { state in
      guard !state.isStopped, state.jobs.count(where: { !$0.isOver }) < Self.waitingCountMaximum
      else { return false }
      while state.jobs.count >= Self.keptCountMaximum,
        let place = state.jobs.firstIndex(where: \.isOver)
      {
        state.jobs.remove(at: place)
      }
      state.jobs.append(job)
      return true
    }
    guard isTaken else {
      throw InteractionError.unavailable(reason: "too many imports wait; try again later")
    }
    background { [guardedStore, folder, shelf] in
      defer { withExtendedLifetime(body) {} }
      var importer = AppleHealthImport(
        export, options, sorter: SpillSampleSorter(folder: folder),
        perform: { batch in
          guardedStore.perform(
            AccessRequest(
              batch.interactions, by: caller, from: peer, sourceSystem: batch.sourceSystem))
        }, watch: { try job.note($0) })
      if keepingSamples { importer.shelf = shelf?(options.patient, caller) }
      Self.run(job, &importer, of: export)
    }
    return job
  }

  /// Lets the import under way end soon, and begins no more.
  func stop() {
    let jobs = state.withLock { state in
      state.isStopped = true
      return state.jobs
    }
    for job in jobs { job.cancel() }
  }

  private static func run(
    _ job: ImportJob, _ importer: inout AppleHealthImport, of export: AppleExport
  ) {
    do {
      try job.note(ImportProgress())
      job.enter(.running)
      job.enter(.done(try importer.run()))
    } catch {
      job.enter(.failed(words(for: error).replacing(export.path, with: "what was sent")))
    }
  }

  private static func words(for error: any Error) -> String {
    switch error {
    case is ImportJob.Cancelled: "it was given up; what was in by then stays"
    case is InteractionError: Verdict(on: error).reason
    case let failure as AppleExport.Failure: failure.description
    default: "\(error)"
    }
  }
}
