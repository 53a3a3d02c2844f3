import FHIRModel
import Store

/// Whether a store that was killed holds what was acknowledged, and nothing by halves.
struct Check {
  private let subject: Subject

  init(_ subject: Subject) { self.subject = subject }

  /// What is wrong; empty if all is well.
  func faults(acknowledged facts: [Fact]) throws -> [String] {
    var faults: [String] = []
    var newest: [String: (number: UInt32, isLive: Bool)] = [:]
    for fact in facts {
      switch fact {
      case .version(let name, let number, let isLive):
        if newest[name].map({ $0.number < number }) ?? true { newest[name] = (number, isLive) }
      case .group(let tag):
        let count = try subject.ids("_tag", "urn:t|\(tag)").count
        if count != Subject.groupCount { faults.append("group \(tag) has \(count) members") }
      case .identifier(let value):
        let count = try subject.ids("identifier", "urn:k|\(value)").count
        if count != 1 { faults.append("\(count) resources have the identifier \(value)") }
      }
    }
    for (name, (number, isLive)) in newest {
      faults += try self.faults(of: name, acknowledged: number, isLive: isLive)
    }
    faults += try unacknowledgedGroups()
    let integrity = try subject.engine.read { snapshot in
      try Integrity(of: subject.store, in: snapshot)
    }
    return faults + integrity.differences.map(\.description)
  }

  /// The current version of each resource that is there.
  func standing(_ names: [String]) throws -> [Fact] {
    try names.compactMap { name in
      try current(name).map { .version(name: name, number: $0.number, isLive: $0.isLive) }
    }
  }

  /// `nil` if there never was such a resource.
  func current(_ name: String) throws -> (number: UInt32, isLive: Bool)? {
    guard let id = ResourceID("Patient/\(name)") else { return nil }
    do {
      guard case .found(let version) = try subject.answer(.read(id)) else { return nil }
      return (version.version.number, true)
    } catch InteractionError.gone(_, let version) {
      return (version.number, false)
    } catch InteractionError.notFound {
      return nil
    }
  }

  /// A writer waits for each acknowledgement, so at most one version can be there beyond it.
  private func faults(
    of name: String, acknowledged: UInt32, isLive: Bool
  ) throws -> [String] {
    guard let id = ResourceID("Patient/\(name)") else { return ["\(name) is no id"] }
    let scope = HistoryScope.instance(id)
    let query = HistoryQuery(count: 1000)
    let entries: [HistoryEntry]
    do {
      guard case .history(let page) = try subject.answer(.history(scope, query)) else { return [] }
      entries = page.entries.reversed()
    } catch InteractionError.notFound {
      return ["\(name) is lost"]
    }
    var faults: [String] = []
    let numbers = entries.map(\.version.version.number)
    if numbers != Array(1...UInt32(numbers.count)) { faults.append("\(name) has \(numbers)") }
    guard let last = numbers.last, acknowledged...acknowledged + 1 ~= last else {
      return faults + ["\(name) has \(numbers.last ?? 0) versions, \(acknowledged) acknowledged"]
    }
    let version = entries[Int(acknowledged) - 1].version
    if version.isDeleted == isLive { faults.append("\(name) \(acknowledged) is of another kind") }
    for entry in entries where !entry.version.isDeleted {
      let family = try Self.family(entry.version)
      if family != "f\(entry.version.version.number)" {
        faults.append("\(name) \(entry.version.version.number) says \(family ?? "nothing")")
      }
    }
    return faults
  }

  /// Groups are whole even if nobody was told of them.
  private func unacknowledgedGroups() throws -> [String] {
    let query = HistoryQuery(count: 1000)
    guard let type = ResourceType("Patient"),
      case .history(let page) = try subject.answer(.history(.type(type), query))
    else { return [] }
    let tags = Set(try page.entries.compactMap { try Self.tag($0.version) })
    return try tags.compactMap { tag in
      let count = try subject.ids("_tag", "urn:t|\(tag)").count
      return count == Subject.groupCount ? nil : "group \(tag) has \(count) members"
    }
  }

  private static func family(_ version: StoredVersion) throws -> String? {
    let root = try JSONDocument(parsing: version.bytes).root
    for name in root["name"]?.elements.map({ $0 }) ?? [] { return name["family"]?.string }
    return nil
  }

  private static func tag(_ version: StoredVersion) throws -> String? {
    guard !version.isDeleted else { return nil }
    let root = try JSONDocument(parsing: version.bytes).root
    for tag in root["meta"]?["tag"]?.elements.map({ $0 }) ?? [] { return tag["code"]?.string }
    return nil
  }
}
