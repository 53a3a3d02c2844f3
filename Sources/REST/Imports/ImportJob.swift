import Access
import FHIRModel
import Synchronization
import Wearables

/// An import under way: what has become of it, for whoever asks.
final class ImportJob: Sendable {
  let id: String
  let owner: Principal
  private let state = Mutex(State())

  private struct State {
    var phase = Phase.waiting
    var progress = ImportProgress()
    var isCancelled = false
  }

  enum Phase: Sendable {
    /// For the imports before it.
    case waiting
    case running
    case done(AppleHealthReport)
    /// With the words that its owner is told.
    case failed(String)
  }

  /// The import was given up.
  struct Cancelled: Error {}

  init(id: String, owner: Principal) {
    self.id = id
    self.owner = owner
  }

  /// Whether that caller may ask for it.
  func isOf(_ caller: Caller) -> Bool {
    if case .operator = caller.principal { return true }
    return caller.principal == owner
  }

  var isOver: Bool {
    state.withLock {
      switch $0.phase {
      case .done, .failed: true
      case .waiting, .running: false
      }
    }
  }

  func enter(_ phase: Phase) { state.withLock { $0.phase = phase } }
  func cancel() { state.withLock { $0.isCancelled = true } }

  /// - Throws: `Cancelled`, which ends the import.
  func note(_ progress: ImportProgress) throws {
    try state.withLock {
      $0.progress = progress
      if $0.isCancelled { throw Cancelled() }
    }
  }

  /// The state as JSON.
  var content: [UInt8] {
    let (phase, progress) = state.withLock { ($0.phase, $0.progress) }
    var json = JSONWriter()
    json.object { json in
      json.member("id", id)
      json.member("status", phase.name)
      json.member("progress", object: { progress.write(to: &$0) })
      switch phase {
      case .waiting, .running: break
      case .done(let report): json.member("report", object: { report.write(to: &$0) })
      case .failed(let reason): json.member("reason", reason)
      }
    }
    return json.bytes
  }

  /// How far it is, in a header's words.
  var progressText: String {
    let progress = state.withLock { $0.progress }
    guard let total = progress.byteCountTotal, total > 0 else {
      return "\(progress.records) records"
    }
    return "\(progress.byteCount * 100 / total) %, \(progress.records) records"
  }
}

extension ImportJob.Phase {
  fileprivate var name: String {
    switch self {
    case .waiting: "waiting"
    case .running: "running"
    case .done: "done"
    case .failed: "failed"
    }
  }
}

extension ImportProgress {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("records", records)
    json.member("bytes", byteCount)
    if let byteCountTotal { json.member("bytesTotal", byteCountTotal) }
    json.member("resources", resources)
  }
}
