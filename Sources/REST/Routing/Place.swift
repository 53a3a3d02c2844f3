import FHIRModel

/// What the path of a request names.
struct Place: Hashable, Sendable {
  /// The shapes of the addresses, in the specification's own notation.
  ///
  /// - SeeAlso: https://hl7.org/fhir/R4/http.html#summary
  enum Shape: String, CaseIterable, Sendable {
    case health = "/health"
    case dailyValues = "/wearables/daily-values"
    case summary = "/wearables/summary"
    case appleHealth = "/wearables/apple-health"
    case `import` = "/wearables/imports/[id]"
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

    /// Those whose notation is the path itself.
    static let besideBase: [Shape] = allCases.filter { !$0.rawValue.hasPrefix("[") }
  }

  var shape: Shape
  var type: ResourceType?
  /// The id and the number of the version as they are written; they need not be any.
  var id: ArraySlice<UInt8> = []
  var version: ArraySlice<UInt8> = []
}

extension Place {
  /// Reads a path, one slash at its end allowed.
  ///
  /// - Parameter base: the path of FHIR's base, `/fhir`.
  /// - Throws: `Refusal` or `InteractionError.unknownResourceType` if nothing is served there.
  init(path: ArraySlice<UInt8>, base: String) throws {
    if let shape = Shape.besideBase.first(where: { path.elementsEqual($0.rawValue.utf8) }) {
      self.init(shape: shape)
    } else if path.starts(with: Self.importsPath.utf8) {
      self.init(shape: .import, id: path.dropFirst(Self.importsPath.utf8.count))
    } else if path.starts(with: base.utf8) {
      try self.init(segments: Self.segments(of: path.dropFirst(base.utf8.count)), of: path)
    } else {
      throw Refusal.unknownPath(text(path))
    }
  }

  private static let importsPath = "/wearables/imports/"

  /// What stands between the slashes after the base, with the nothing before the first of them.
  private static func segments(of rest: ArraySlice<UInt8>) throws -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    parts.reserveCapacity(6)
    var start = rest.startIndex
    for position in rest.indices where rest[position] == UInt8(ascii: "/") {
      parts.append(rest[start..<position])
      start = position + 1
    }
    parts.append(rest[start...])
    if parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
    guard rest.contains(UInt8(ascii: "%")) else { return parts }
    return try parts.map(percentDecoded)
  }

  private init(segments: [ArraySlice<UInt8>], of path: ArraySlice<UInt8>) throws {
    let last = segments[segments.count - 1]
    if last.first == UInt8(ascii: "$") { throw Refusal.unknownOperation(text(last)) }
    guard segments[0].isEmpty else { throw Refusal.unknownPath(text(path)) }
    switch segments.count {
    case 1: self.init(shape: .system)
    case 2: try self.init(first: last)
    case 3: try self.init(type: segments[1], second: last)
    case 4 where last.elementsEqual("_history".utf8):
      self.init(shape: .instanceHistory, type: try Self.type(segments[1]), id: segments[2])
    case 5 where segments[3].elementsEqual("_history".utf8):
      self.init(
        shape: .version, type: try Self.type(segments[1]), id: segments[2], version: last)
    default: throw Refusal.unknownPath(text(path))
    }
  }

  private init(first name: ArraySlice<UInt8>) throws {
    if name.elementsEqual("metadata".utf8) {
      self.init(shape: .metadata)
    } else if name.elementsEqual("_history".utf8) {
      self.init(shape: .systemHistory)
    } else if name.elementsEqual("_search".utf8) {
      self.init(shape: .systemSearch)
    } else {
      self.init(shape: .type, type: try Self.type(name))
    }
  }

  private init(type: ArraySlice<UInt8>, second name: ArraySlice<UInt8>) throws {
    let type = try Self.type(type)
    if name.elementsEqual("_history".utf8) {
      self.init(shape: .typeHistory, type: type)
    } else if name.elementsEqual("_search".utf8) {
      self.init(shape: .typeSearch, type: type)
    } else {
      self.init(shape: .instance, type: type, id: name)
    }
  }

  private static func type(_ name: ArraySlice<UInt8>) throws -> ResourceType {
    let name = text(name)
    guard let type = ResourceType(name) else { throw InteractionError.unknownResourceType(name) }
    return type
  }
}

private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

/// - Throws: `Refusal.unreadable` for an escape that is none.
private func percentDecoded(_ part: ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
  // A plus is itself in a path; only forms write a space with it.
  let escaped = part.flatMap { $0 == UInt8(ascii: "+") ? Array("%2B".utf8) : [$0] }
  let parameters = try? [QueryParameter](percentEncoded: (Array("p=".utf8) + escaped)[...])
  guard let parameters else {
    throw Refusal.unreadable(reason: "the path has a percent escape that is none")
  }
  return Array((parameters.first?.value ?? "").utf8)[...]
}
