import FHIRModel

extension FHIRStore {
  /// Reads the current version, or an earlier one.
  ///
  /// - Parameters:
  ///   - reference: `Observation/1`, or `Observation/1/_history/2`.
  ///   - caller: who reads.
  /// - Throws: ``StoreFailure/notFound(reason:)`` where there is nothing that the caller may see,
  ///   ``StoreFailure/gone(reason:)`` for what was deleted.
  public func read(_ reference: String, as caller: StoreCaller) throws -> StoredResource {
    guard case .found(let version) = try perform(try readInteraction(reference), as: caller) else {
      throw StoreFailure.unavailable(reason: "a read was answered as something else")
    }
    return StoredResource(version)
  }

  /// Stores a new resource under an id of the store's making.
  ///
  /// - Parameters:
  ///   - json: a resource; an id in it is ignored.
  ///   - query: `identifier=system|value`: nothing is stored if that matches something already.
  ///   - caller: who writes.
  /// - Throws: ``StoreFailure/invalid(_:)`` naming the places where `json` is no valid resource.
  @discardableResult
  public func create(
    _ json: [UInt8], ifNoneMatches query: String? = nil, as caller: StoreCaller
  ) throws -> WriteResult {
    try write(as: caller) {
      let resource = try Resource(parsing: json)
      let condition = try query.map { try Query(parsing: $0, type: resource.type) }
      return .create(resource, ifNoneExist: condition)
    }
  }

  /// Writes a resource under the id that is in it.
  ///
  /// - Parameters:
  ///   - json: a resource with its id.
  ///   - version: the version that must stand; `nil` for whatever stands or nothing.
  ///   - caller: who writes.
  /// - Throws: ``StoreFailure/conflict(current:)`` if it is another.
  @discardableResult
  public func update(
    _ json: [UInt8], ifVersion version: Int? = nil, as caller: StoreCaller
  ) throws -> WriteResult {
    try write(as: caller) {
      let resource = try Resource(parsing: json)
      let versions = version.map { [UInt32(exactly: $0).map(VersionID.init)].compactMap(\.self) }
      return .update(resource, if: versions.map(Precondition.ifMatch) ?? .none)
    }
  }

  /// Updates the one resource that matches, or stores a new one: however many callers do this at
  /// once, there is one.
  ///
  /// - Parameters:
  ///   - json: a resource; without an id, or with that of the match.
  ///   - query: `identifier=system|value`, for the type of the resource.
  ///   - caller: who writes.
  @discardableResult
  public func update(
    _ json: [UInt8], matching query: String, as caller: StoreCaller
  ) throws -> WriteResult {
    try write(as: caller) {
      let resource = try Resource(parsing: json)
      let query = try Query(parsing: query, type: resource.type)
      return .conditionalUpdate(resource, matching: query, if: .none)
    }
  }

  /// Deletes a resource; its versions stay in the history.
  ///
  /// - Parameters:
  ///   - reference: `Observation/1`.
  ///   - caller: who deletes.
  @discardableResult
  public func delete(_ reference: String, as caller: StoreCaller) throws -> WriteResult {
    try write(as: caller) { .delete(try Self.id(reference), if: .none) }
  }

  private func write(
    as caller: StoreCaller, _ interaction: () throws -> Interaction
  ) throws -> WriteResult {
    try WriteResult(try perform(try StoreFailure.translating(interaction), as: caller))
  }

  private func readInteraction(_ reference: String) throws -> Interaction {
    let parts = reference.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[2] == "_history" else { return .read(try Self.id(reference)) }
    guard let version = VersionID(parts[3]) else {
      throw StoreFailure.wrongUse(reason: "“\(parts[3])” is no version")
    }
    return .vread(try Self.id(parts[0...1].joined(separator: "/")), version)
  }

  static func id(_ reference: String) throws -> ResourceID {
    guard let id = ResourceID(reference) else {
      throw StoreFailure.wrongUse(reason: "“\(reference)” is no type and id")
    }
    return id
  }
}
