extension Resource {
  /// The content with `id`, `meta.versionId` and `meta.lastUpdated` set; every other byte stays.
  ///
  /// What is missing is added in front: `id` after `resourceType`, `meta` after `id`.
  package func stamped(
    id: LogicalID, version: VersionID, lastUpdated: Instant
  ) -> [UInt8] {
    var splices: [Splice] = []
    let root = document.root
    var added: [UInt8] = []
    if let old = root["id"] {
      splices.append(Splice(old.rawRange, with: Self.quoted(id.text)))
    } else {
      added += Array(",\"id\":".utf8) + Self.quoted(id.text)
    }
    let stamp: [(name: String, value: [UInt8])] = [
      ("versionId", Self.quoted(String(version.number))),
      ("lastUpdated", Self.quoted(lastUpdated.utf8Text)),
    ]
    if let meta = root["meta"] {
      splices += Self.splices(setting: stamp, in: meta)
    } else {
      let members = stamp.map { Self.quoted($0.name) + [UInt8(ascii: ":")] + $0.value }
      added += Array(",\"meta\":{".utf8) + members[0] + [UInt8(ascii: ",")] + members[1]
      added.append(UInt8(ascii: "}"))
    }
    if !added.isEmpty, let type = root["resourceType"] {
      let end = type.rawRange.upperBound
      splices.append(Splice(end..<end, with: added))
    }
    return document.bytes(applying: splices)
  }

  /// Sets members of an object that has members already.
  private static func splices(
    setting members: [(name: String, value: [UInt8])], in object: JSONValue
  ) -> [Splice] {
    members.map { name, value in
      if let old = object[name] { return Splice(old.rawRange, with: value) }
      let start = object.rawRange.lowerBound + 1
      let text = quoted(name) + [UInt8(ascii: ":")] + value + [UInt8(ascii: ",")]
      return Splice(start..<start, with: text)
    }
  }

  private static func quoted(_ text: String) -> [UInt8] { quoted(Array(text.utf8)) }

  /// For texts that need no escapes: ids, numbers, instants.
  private static func quoted(_ text: [UInt8]) -> [UInt8] {
    [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
  }
}

/// Bytes that take the place of a part of a document.
struct Splice {
  let range: Range<Int>
  let bytes: [UInt8]

  init(_ range: Range<Int>, with bytes: [UInt8]) {
    self.range = range
    self.bytes = bytes
  }
}

extension JSONDocument {
  /// The text with the splices made; they must not overlap. Of several insertions at one place the
  /// first comes first.
  func bytes(applying splices: [Splice]) -> [UInt8] {
    let ordered = splices.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + splices.reduce(0) { $0 + $1.bytes.count })
    var position = 0
    for (_, splice) in ordered {
      result += bytes[position..<splice.range.lowerBound]
      result += splice.bytes
      position = splice.range.upperBound
    }
    result += bytes[position...]
    return result
  }
}
