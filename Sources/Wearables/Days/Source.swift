/// What measured or recorded a sample: an app, a watch, a phone.
package struct Source: Hashable, Sendable {
  /// Sources of a kind that measures more come first when several cover the same time.
  package enum Kind: UInt8, Hashable, Comparable, Sendable {
    case watch, phone, other

    package static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
  }

  /// Normalised, see `normalised`.
  package let name: String
  /// The bundle identifier or package name, where the export tells it.
  package let identifier: String?
  package let kind: Kind

  package init(name: String, identifier: String? = nil, kind: Kind) {
    self.name = Self.normalised(name)
    self.identifier = identifier
    self.kind = kind
  }

  /// A source of an Apple Health export: its kind comes from the device's description, else from
  /// its own name.
  ///
  /// - Parameter device: `<<HKDevice: 0x28…>, name:Apple Watch, manufacturer:Apple Inc., …>`.
  package init(appleName name: String, device: String? = nil) {
    let kind = Self.kind(in: device ?? "")
    self.init(name: name, kind: kind == .other ? Self.kind(in: name) : kind)
  }

  private static func kind(in text: String) -> Kind {
    let words = normalised(text).lowercased().split { !$0.isLetter }
    if words.contains("watch") { return .watch }
    return words.contains { ["iphone", "ipod", "phone"].contains($0) } ? .phone : .other
  }

  /// The same name however its spaces and apostrophes are written (“John’s Apple Watch” has a
  /// no-break space), without control characters.
  package static func normalised(_ name: String) -> String {
    var text = ""
    for character in name.unicodeScalars {
      switch character {
      // What stands for bytes that were no text.
      case "\u{FFFD}": continue
      case "\u{2018}", "\u{2019}", "\u{02BC}": text.append("'")
      case _ where character.properties.isWhitespace: if text.last != " " { text.append(" ") }
      case _ where character.properties.generalCategory == .control: continue
      case _ where character.properties.generalCategory == .format: continue
      default: text.unicodeScalars.append(character)
      }
    }
    return text.last == " " || text.first == " "
      ? String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) : text
  }
}

/// The sources of one import, by the positions that samples hold.
package struct SourceList: Sendable {
  package private(set) var sources: [Source] = []
  private var positions: [Source: UInt16] = [:]

  package init() {}

  package subscript(_ position: UInt16) -> Source { sources[Int(position)] }

  /// The position of a source, which is added if it is new; `nil` when 65,535 are there already.
  package mutating func position(of source: Source) -> UInt16? {
    if let known = positions[source] { return known }
    guard sources.count < Int(UInt16.max) else { return nil }
    let position = UInt16(sources.count)
    sources.append(source)
    positions[source] = position
    return position
  }
}
