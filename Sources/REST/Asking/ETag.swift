import FHIRModel

/// The entity tags of `If-Match` and `If-None-Match`. The weak and the strong form of a tag are
/// taken alike, since a version has one representation only.
///
/// - SeeAlso: https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3
enum EntityTags: Hashable, Sendable {
  /// `*`
  case any
  /// The versions that are named. A tag that is well formed but none of ours is left out: it can't
  /// match.
  case versions([VersionID])

  /// - Throws: `Refusal.header` if the value is no list of entity tags.
  init(_ value: String, of header: String) throws {
    guard value != "*" else {
      self = .any
      return
    }
    let tags = try Self.opaqueTags(value, of: header)
    self = .versions(tags.compactMap { VersionID($0) })
  }

  func contains(_ version: VersionID) -> Bool {
    switch self {
    case .any: true
    case .versions(let versions): versions.contains(version)
    }
  }

  private static func opaqueTags(_ value: String, of header: String) throws -> [Substring] {
    let malformed = Refusal.header(
      name: header, reason: "'\(value)' is no list of entity tags such as W/\"3\"")
    var tags: [Substring] = []
    var rest = value.trimmed
    while !rest.isEmpty {
      if rest.hasPrefix("W/") { rest = rest.dropFirst(2) }
      guard rest.popFirst() == "\"", let end = rest.firstIndex(of: "\"") else { throw malformed }
      tags.append(rest[..<end])
      rest = rest[end...].dropFirst().trimmed
      guard rest.isEmpty || rest.popFirst() == "," else { throw malformed }
      rest = rest.trimmed
    }
    guard !tags.isEmpty else { throw malformed }
    return tags
  }
}

extension VersionID {
  /// `W/"3"`
  var entityTag: String { "W/\"\(number)\"" }
}

extension [UInt8] {
  /// Appends `W/"3"`.
  mutating func append(entityTagOf version: VersionID) {
    append(contentsOf: "W/\"".utf8)
    append(contentsOf: String(version.number).utf8)
    append(UInt8(ascii: "\""))
  }
}
