import FHIRModel
import KeyValue
import Search
import Synchronization

extension Integrity {
  /// Checks the whole store with one reader.
  ///
  /// - Throws: `StorageError`; what is wrong in the store is not thrown but listed.
  package init(of store: ResourceStore, in reader: borrowing Reader) throws {
    self.init()
    for part in try Part.all(of: store, in: reader) {
      add(try part.checked(in: store.withoutTerms, reader))
    }
    try finish(of: store, in: reader)
  }

  /// Checks the whole store, its parts side by side, all as they stand in one commit.
  ///
  /// - Parameter run: runs the work it is given on as many threads as it likes, and returns when all
  ///   of them are through.
  /// - Throws: `StorageError`; what is wrong in the store is not thrown but listed.
  package init(
    of store: ResourceStore, in engine: any Engine,
    run: (_ work: @Sendable () -> Void) -> Void
  ) throws {
    self = try engine.read { reader in
      let parts = Parts(try Part.all(of: store, in: reader))
      let commit = reader.commit
      run { parts.work(at: commit, store.withoutTerms, engine) }
      var all = Integrity()
      for found in try parts.found(with: store.withoutTerms, reader) { all.add(found) }
      try all.finish(of: store, in: reader)
      return all
    }
  }

  private mutating func finish(of store: ResourceStore, in reader: borrowing Reader) throws {
    let store = store.withoutTerms
    try nameStrays(of: store, in: reader)
    for problem in try store.index.terms.problems(in: reader) { note(.wrongTerm, problem) }
  }
}

extension ResourceStore {
  /// The same with an index that knows no term but those that stand in the store.
  fileprivate var withoutTerms: ResourceStore {
    ResourceStore(
      index: SearchIndex(configuration: index.configuration), clock: clock, newID: newID)
  }
}

/// A part of a check, of which many may be under way at once.
private enum Part: Sendable {
  case resources(Range<UInt64>)
  case checksums(Table)
  case count(Table)
  case postings(Table)

  private static let resourcesAtOnce: UInt64 = 2000

  /// The longest first.
  static func all(of store: ResourceStore, in reader: borrowing Reader) throws -> [Part] {
    var parts = SearchIndex.postingTables.map(Part.postings)
    parts += [Table.current, .superseded, .samples].map(Part.checksums)
    parts += [Table.ids, .changes, .superseded].map(Part.count)
    let end = try store.nextNumber(in: reader)
    var first: UInt64 = 1
    while first < end {
      parts.append(.resources(first..<min(end, first + resourcesAtOnce)))
      first += resourcesAtOnce
    }
    return parts
  }

  func checked(in store: ResourceStore, _ reader: borrowing Reader) throws -> Integrity {
    var found = Integrity()
    switch self {
    case .resources(let numbers): try found.checkResources(numbers, of: store, in: reader)
    case .checksums(let table): try found.checkChecksums(of: table, in: reader)
    case .count(let table): try found.count(table, in: reader)
    case .postings(let table): try found.addStanding(table, in: reader)
    }
    return found
  }
}

/// The parts of a check, given to whoever has time.
private final class Parts: Sendable {
  private struct State {
    var next = 0
    var found: [Integrity?]
    var failure: (any Error)?

    /// The next part; `nil` if none is left or one failed.
    mutating func take(of count: Int) -> Int? {
      guard next < count, failure == nil else { return nil }
      defer { next += 1 }
      return next
    }
  }

  private let parts: [Part]
  private let state: Mutex<State>

  init(_ parts: [Part]) {
    self.parts = parts
    state = Mutex(State(found: Array(repeating: nil, count: parts.count)))
  }

  /// Checks parts until none is left. A thread whose snapshot is of a later commit checks none: what
  /// was written meanwhile would not agree with the rest.
  func work(at commit: Commit, _ store: ResourceStore, _ engine: any Engine) {
    do {
      try engine.read { reader in
        if reader.commit == commit { try work(with: store, reader) }
      }
    } catch {
      state.withLock { $0.failure = $0.failure ?? error }
    }
  }

  /// What was found, in the order of the parts; those that are left are checked now.
  func found(with store: ResourceStore, _ reader: borrowing Reader) throws -> [Integrity] {
    try work(with: store, reader)
    return try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.found.compactMap(\.self)
    }
  }

  private func work(with store: ResourceStore, _ reader: borrowing Reader) throws {
    while let position = state.withLock({ $0.take(of: parts.count) }) {
      let found = try parts[position].checked(in: store, reader)
      state.withLock { $0.found[position] = found }
    }
  }
}
