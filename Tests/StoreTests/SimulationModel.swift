import FHIRModel
import Store

/// What a store should hold, as a plain dictionary.
struct SimulationModel {
  struct Version: Equatable {
    var change: HistoryEntry.Change
    /// `nil` for a deletion.
    var content: Content?
  }

  /// The content that the simulation writes: a Patient's.
  struct Content: Equatable {
    var family: String
    var identifier: String
  }

  var versions: [String: [Version]] = [:]

  func current(_ name: String) -> Content? { versions[name]?.last?.content }

  func currentVersion(_ name: String) -> UInt32? {
    current(name) == nil ? nil : UInt32(versions[name]?.count ?? 0)
  }

  func matches(_ identifier: String) -> [String] {
    versions.keys.filter { current($0)?.identifier == identifier }.sorted()
  }

  /// What the store should answer to a write, the model being changed as the store should be.
  enum Answer: Equatable {
    case created(String)
    case updated(String)
    case unchanged(String)
    case deleted, nothingDeleted
    case conflict, multiple, mismatch
  }

  mutating func write(
    _ name: String, _ content: Content, by change: HistoryEntry.Change
  ) -> Answer {
    let before = current(name)
    if before == content { return .unchanged(name) }
    versions[name, default: []].append(Version(change: change, content: content))
    return before == nil ? .created(name) : .updated(name)
  }

  func holds(_ precondition: Precondition, for name: String) -> Bool {
    let version = currentVersion(name)
    return switch precondition {
    case .none: true
    case .ifMatch(let list): version.map { list.map(\.number).contains($0) } ?? false
    case .ifExists: version != nil
    case .ifNoneExists: version == nil
    }
  }

  mutating func update(
    _ name: String, _ content: Content, if precondition: Precondition
  ) -> Answer {
    guard holds(precondition, for: name) else { return .conflict }
    return write(name, content, by: .update)
  }

  mutating func delete(_ name: String, if precondition: Precondition) -> Answer {
    guard holds(precondition, for: name) else { return .conflict }
    guard current(name) != nil else { return .nothingDeleted }
    versions[name]?.append(Version(change: .delete, content: nil))
    return .deleted
  }

  mutating func create(_ made: String, _ content: Content, ifNoneExist: String?) -> Answer {
    let found = ifNoneExist.map(matches) ?? []
    if found.count > 1 { return .multiple }
    if let match = found.first { return .unchanged(match) }
    return write(made, content, by: .create)
  }

  mutating func conditionalUpdate(
    _ name: String?, made: String, _ content: Content, matching: String,
    if precondition: Precondition
  ) -> Answer {
    let found = matches(matching)
    if found.count > 1 { return .multiple }
    if let match = found.first {
      if let name, name != match { return .mismatch }
      return update(match, content, if: precondition)
    }
    guard let name else {
      guard holds(precondition, for: made) else { return .conflict }
      return write(made, content, by: .create)
    }
    guard current(name) == nil, holds(precondition, for: name) else { return .conflict }
    return write(name, content, by: .update)
  }

  mutating func conditionalDelete(matching: String) -> Answer {
    let found = matches(matching)
    if found.count > 1 { return .multiple }
    return found.first.map { delete($0, if: .none) } ?? .nothingDeleted
  }
}
