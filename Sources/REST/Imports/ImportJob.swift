import Access
import FHIRModel
import Synchronization
import Wearables

/// An import that was taken over: what has become of it, for whoever asks.
final class ImportJob: Sendable {
  let order: ImportOrder
  private let state: Mutex<State>

  private struct State {
    var phase: Phase
    var progress = ImportProgress()
    var isCancelled = false
  }

  enum Phase: Sendable {
    /// For the imports before it.
    case waiting
    case running
    /// With the report as JSON.
    case done([UInt8])
    /// With the words that its owner is told.
    case failed(String)
  }

  /// The import is to end.
  struct Cancelled: Error {}

  /// Why it failed if there is no export any more.
  static let isGone = "what was sent is gone"

  init(_ order: ImportOrder, _ phase: Phase = .waiting) {
    self.order = order
    state = Mutex(State(phase: phase))
  }

  var id: String { order.id }

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
  ///
  /// - Parameter hasCounts: whether it says how much of what the export holds. Apps aren't told: what
  ///   they may know is what the person's Consents let them read.
  func content(hasCounts: Bool) -> [UInt8] {
    let (phase, progress) = state.withLock { ($0.phase, $0.progress) }
    var json = JSONWriter()
    json.object { json in
      json.member("id", id)
      json.member("status", phase.name)
      if hasCounts { json.member("progress", object: { progress.write(to: &$0) }) }
      if hasCounts || !phase.hasCounts { phase.write(to: &json) }
    }
    return json.bytes
  }

  /// What is kept of it: the order, and how it ended if it did.
  func description(in phase: Phase) -> [UInt8] {
    let progress = state.withLock { $0.progress }
    var json = JSONWriter()
    json.object { json in
      order.write(to: &json)
      json.member("status", phase.name)
      json.member("progress", object: { progress.write(to: &$0) })
      phase.write(to: &json)
    }
    return json.bytes
  }

  /// Reads what `description` gave; `nil` for anything else. What didn't end begins anew.
  convenience init?(_ bytes: [UInt8]) {
    guard let root = try? JSONDocument(parsing: bytes).root, let order = ImportOrder(root) else {
      return nil
    }
    switch root["status"]?.string {
    case "done":
      guard let report = root["report"]?.rawBytes else { return nil }
      self.init(order, .done(Array(report)))
    case "failed": self.init(order, .failed(root["reason"]?.string ?? ""))
    default: self.init(order)
    }
    if isOver, let progress = root["progress"].map({ ImportProgress($0) }) {
      state.withLock { $0.progress = progress }
    }
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

  fileprivate var hasCounts: Bool { if case .done = self { true } else { false } }

  fileprivate func write(to json: inout JSONWriter) {
    switch self {
    case .waiting, .running: break
    case .done(let report):
      json.name("report")
      json.raw(report)
    case .failed(let reason): json.member("reason", reason)
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

  fileprivate init(_ json: JSONValue) {
    func number(_ name: String) -> Int? { json[name]?.numberText.flatMap { Int($0) } }
    self.init(
      records: number("records") ?? 0, byteCount: number("bytes") ?? 0,
      byteCountTotal: number("bytesTotal"), resources: number("resources") ?? 0)
  }
}
