import FHIRModel

/// A method at a shape of address, and what it does there.
struct Route: Sendable {
  /// What a route needs of the address, and makes of it.
  enum Handler: Sendable {
    case system(@Sendable (Call) throws -> Plan)
    case type(@Sendable (Call, ResourceType) throws -> Plan)
    case instance(@Sendable (Call, ResourceID) throws -> Plan)
    case version(@Sendable (Call, ResourceID, VersionID) throws -> Plan)
  }

  let method: String
  let shape: Place.Shape
  /// The interaction's code in a CapabilityStatement; `nil` for what it doesn't speak of.
  let code: String?
  /// Whether it is served without a token.
  let isOpen: Bool
  let handler: Handler

  init(
    _ method: String, _ shape: Place.Shape, code: String? = nil, isOpen: Bool = false,
    _ handler: Handler
  ) {
    self.method = method
    self.shape = shape
    self.code = code
    self.isOpen = isOpen
    self.handler = handler
  }

  /// - Throws: what the handler throws, and what says that the address names nothing.
  func plan(_ call: Call) throws -> Plan {
    switch handler {
    case .system(let handle): return try handle(call)
    case .type(let handle): return try handle(call, try call.place.resourceType)
    case .instance(let handle): return try handle(call, try resourceID(at: call.place))
    case .version(let handle):
      let id = try resourceID(at: call.place)
      guard let version = VersionID(call.place.versionText) else {
        throw Refusal.unknownVersion(call.place.versionText)
      }
      return try handle(call, id, version)
    }
  }

  private func resourceID(at place: Place) throws -> ResourceID {
    if let id = LogicalID(place.id) { return ResourceID(try place.resourceType, id) }
    // What can't be there is not found; but it can't be put there either.
    throw method == "PUT"
      ? Refusal.unreadable(reason: Refusal.wordsForID(place.idText))
      : Refusal.impossibleID(place.idText)
  }
}

extension Place {
  fileprivate var idText: String { String(decoding: id, as: UTF8.self) }
  fileprivate var versionText: String { String(decoding: version, as: UTF8.self) }

  fileprivate var resourceType: ResourceType {
    get throws {
      guard let type else { throw Refusal.unknownPath(shape.rawValue) }
      return type
    }
  }
}
