import FHIRModel

/// What the path of a request names.
struct Place: Hashable, Sendable {
  /// The shapes of the addresses, in the specification's own notation.
  ///
  /// - SeeAlso: https://hl7.org/fhir/R4/http.html#summary
  enum Shape: String, CaseIterable, Sendable {
    case health = "/health"
    case dailyValues = "/wearables/daily-values"
    case system = "[base]"
    case metadata = "[base]/metadata"
    case systemSearch = "[base]/_search"
    case systemHistory = "[base]/_history"
    case type = "[base]/[type]"
    case typeSearch = "[base]/[type]/_search"
    case typeHistory = "[base]/[type]/_history"
    case instance = "[base]/[type]/[id]"
    case instanceHistory = "[base]/[type]/[id]/_history"
    case version = "[base]/[type]/[id]/_history/[vid]"
  }

  var shape: Shape
  var type: ResourceType?
  /// The id and the number of the version as they are written; they need not be any.
  var id = ""
  var version = ""
}

extension Place {
  /// Reads a path, one slash at its end allowed.
  ///
  /// - Parameter base: the path of FHIR's base, `/fhir`.
  /// - Throws: `Refusal` or `InteractionError.unknownResourceType` if nothing is served there.
  init(path: ArraySlice<UInt8>, base: String) throws {
    if path.elementsEqual(Shape.health.rawValue.utf8) {
      self.init(shape: .health)
    } else if path.elementsEqual(Shape.dailyValues.rawValue.utf8) {
      self.init(shape: .dailyValues)
    } else if path.starts(with: base.utf8) {
      try self.init(segments: Self.segments(of: path.dropFirst(base.utf8.count)), of: path)
    } else {
      throw Refusal.unknownPath(String(decoding: path, as: UTF8.self))
    }
  }

  private static func segments(of rest: ArraySlice<UInt8>) throws -> [String] {
    guard !rest.isEmpty else { return [] }
    let slash = UInt8(ascii: "/")
    var parts = rest.split(separator: slash, omittingEmptySubsequences: false)
    if parts.last?.isEmpty == true { parts.removeLast() }
    return try parts.map { part in
      guard let text = percentDecodedPath(part) else {
        throw Refusal.unreadable(reason: "the path has a percent escape that is none")
      }
      return text
    }
  }

  /// - Parameter segments: what stands between the slashes after the base, with the empty text
  ///   before the first of them.
  private init(segments: [String], of path: ArraySlice<UInt8>) throws {
    let unknown = Refusal.unknownPath(String(decoding: path, as: UTF8.self))
    guard segments.first?.isEmpty ?? true else { throw unknown }
    let names = segments.dropFirst()
    if let last = names.last, last.hasPrefix("$") { throw Refusal.unknownOperation(last) }
    switch (names.count, names.last) {
    case (0, _): self.init(shape: .system)
    case (1, "metadata"): self.init(shape: .metadata)
    case (1, "_search"): self.init(shape: .systemSearch)
    case (1, "_history"): self.init(shape: .systemHistory)
    case (1, _): self.init(shape: .type, type: try Self.type(names[1]))
    case (2, "_search"): self.init(shape: .typeSearch, type: try Self.type(names[1]))
    case (2, "_history"): self.init(shape: .typeHistory, type: try Self.type(names[1]))
    case (2, _): self.init(shape: .instance, type: try Self.type(names[1]), id: names[2])
    case (3, "_history"):
      self.init(shape: .instanceHistory, type: try Self.type(names[1]), id: names[2])
    case (4, let version?) where names[3] == "_history":
      self.init(
        shape: .version, type: try Self.type(names[1]), id: names[2], version: version)
    default: throw unknown
    }
  }

  private static func type(_ name: String) throws -> ResourceType {
    guard let type = ResourceType(name) else { throw InteractionError.unknownResourceType(name) }
    return type
  }
}

private func percentDecodedPath(_ part: ArraySlice<UInt8>) -> String? {
  guard part.contains(UInt8(ascii: "%")) else { return String(validating: part, as: UTF8.self) }
  // A plus is itself in a path; only forms write a space with it.
  let escaped = part.flatMap { $0 == UInt8(ascii: "+") ? Array("%2B".utf8) : [$0] }
  return try? [QueryParameter](percentEncoded: (escaped + Array("=".utf8))[...]).first?.name
}
