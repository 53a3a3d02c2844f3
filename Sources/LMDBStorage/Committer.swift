import CLMDB
import KeyValue

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Commits groups of changes as `Engine.submit` says, on the writer's thread.
struct Committer {
  private let environment: Environment
  private var reserve: Reserve

  init(_ environment: Environment) {
    self.environment = environment
    reserve = Reserve(
      dataFile: environment.folder.dataFile, byteCount: environment.options.reserveByteCount)
  }

  private struct MapIsFull: Error {}

  /// How the changes of one attempt are run.
  private struct Manner {
    var isNested = false
    var mayUseReserve = false
  }

  /// Commits the changes together or, where that fails, one by one, and completes them.
  mutating func commit(_ group: [Change]) {
    var rest = group[...]
    while !rest.isEmpty {
      do {
        let results = try attempt(rest)
        for (change, result) in zip(rest, results) { change.completion(result) }
        rest = rest.dropFirst(results.count)
      } catch {
        for change in rest { commitAlone(change) }
        return
      }
    }
  }

  private mutating func commitAlone(_ change: Change) {
    do {
      change.completion(try resultAlone(of: change))
    } catch {
      change.completion(.failure(error))
    }
  }

  private mutating func resultAlone(
    of change: Change
  ) throws -> Swift.Result<Commit, any Error> {
    let reserved = Manner(mayUseReserve: true)
    for manner in change.mayUseReserve ? [Manner(), reserved] : [Manner()] {
      do {
        return try attempt([change], manner)[0]
      } catch StorageError.full {}
    }
    var refused = change
    refused.perform = { _ in throw StorageError.full }
    return try attempt([refused], reserved)[0]
  }

  /// Runs and commits the changes, or the first of them until they are too many bytes.
  ///
  /// - Returns: for each that was run the commit or its own error.
  /// - Throws: what undid them all.
  private mutating func attempt(
    _ changes: ArraySlice<Change>, _ manner: Manner = Manner()
  ) throws -> [Swift.Result<Commit, any Error>] {
    var manner = manner
    while true {
      do {
        let ceiling = try ceiling(mayUseReserve: manner.mayUseReserve)
        do {
          return try run(changes, isNested: manner.isNested)
        } catch is MapIsFull {
          guard try environment.growMap(to: ceiling) else { throw StorageError.full }
        }
      } catch is NeedsNesting {
        manner.isNested = true
      } catch is MapWasResized {
        try environment.followMap()
      }
    }
  }

  /// How large the map may be for the next attempt; where it is larger, it is made so small.
  private mutating func ceiling(mayUseReserve: Bool) throws -> Int {
    let options = environment.options
    if mayUseReserve { return options.mapByteCountMaximum }
    let sizes = try environment.sizes()
    // Without a reserve on the disk there is still room in the file's free pages.
    let ceiling = reserve.isKept(behind: sizes.used) ? options.ordinaryMapByteCount : sizes.used
    if sizes.map > max(ceiling, sizes.used) { try environment.shrinkMap(to: ceiling) }
    return ceiling
  }

  private func run(
    _ changes: ArraySlice<Change>, isNested: Bool
  ) throws -> [Swift.Result<Commit, any Error>] {
    let group = WriteGroup(nests: isNested)
    do {
      return try run(changes, group)
    } catch StorageError.full where !isDiskFull(for: group) {
      throw MapIsFull()
    } catch StorageError.system(_, EIO, _) where isDiskFull(for: group) {
      // LMDB says EIO where the system wrote only a part, as it does when the disk fills up.
      throw StorageError.full
    }
  }

  /// Whether the disk may be what the group was too much for. Pages are written whole, so the bytes
  /// that were put are not the last word.
  private func isDiskFull(for group: WriteGroup) -> Bool {
    environment.folder.growableByteCount.map { $0 < group.byteCount * 2 + 1 << 20 } ?? false
  }

  private func run(
    _ changes: ArraySlice<Change>, _ group: WriteGroup
  ) throws -> [Swift.Result<Commit, any Error>] {
    try unsafe environment.pass { pointer in
      try unsafe withTransaction(pointer, 0) { transaction in
        var lent = unsafe WriteTransaction(LMDBTransaction(transaction, in: environment, group))
        var results: [Swift.Result<Commit, any Error>] = []
        results.reserveCapacity(changes.count)
        for change in changes where group.byteCount <= environment.options.groupByteCountMaximum {
          results.append(try outcome(of: change, in: &lent, group))
        }
        if let failure = group.failure { throw failure }
        if group.needsNesting { throw NeedsNesting() }
        return results
      }
    }
  }

  private func outcome(
    of change: Change, in transaction: inout WriteTransaction, _ group: WriteGroup
  ) throws -> Swift.Result<Commit, any Error> {
    do {
      try isolated(&transaction, group) { try change.perform(&$0) }
    } catch let failure as Refusal {
      do {
        try isolated(&transaction, group) { try change.recover(failure.reason, &$0) }
      } catch let failure as Refusal {
        return .failure(failure.reason)
      }
    }
    return .success(transaction.reader.commit)
  }

  /// What a change's own closure threw, with the transaction as it was before.
  private struct Refusal: Error {
    var reason: any Error
  }

  /// Runs a part of a change so that nothing of it stays when it throws.
  private func isolated(
    _ transaction: inout WriteTransaction, _ group: WriteGroup,
    _ body: (inout WriteTransaction) throws -> Void
  ) throws {
    do {
      try transaction.nested(body)
    } catch {
      if let failure = group.failure { throw failure }
      if group.needsNesting { throw NeedsNesting() }
      throw Refusal(reason: error)
    }
  }
}
