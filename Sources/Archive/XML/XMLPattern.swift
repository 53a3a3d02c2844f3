/// An element that others repeat but for some of their values: what stands around these is compared as
/// it is, which is much faster than to take it apart again.
///
/// A text that matches has the same elements with the same attributes, and no more, for in what varies
/// there is no quote, reference, `<`, `>` or control character.
package final class XMLPattern: Sendable {
  /// The element whole, with what stood before it.
  private let bytes: [UInt8]
  /// The parts of `bytes` around what varies, one more than there are of that.
  private let runs: [Range<Int>]

  /// How many tags it has: it is nested no deeper.
  let tagCount: Int
  /// How many parts of the first tag vary, and from behind the last of them to behind the tag, in bytes.
  let firstVaryingCount: Int
  let tagEndBehindVarying: Int

  /// A pattern of an element of which nobody counted a fault.
  ///
  /// - Parameters:
  ///   - text: the element from its `<` to its end, with white space before it.
  ///   - varying: tells which part of an attribute's value varies, by the number of its tag from 0, its
  ///     name and its value as they are written; asked for each attribute.
  /// - Returns: `nil` for one that is written in any other way than programs do it, `name="value"` behind
  ///   a space, no reference but the five, no control character in tags; or of which nothing varies.
  package init?(
    of text: Span<UInt8>,
    varying: (_ tag: Int, _ name: Span<UInt8>, _ value: Span<UInt8>) -> Range<Int>?
  ) {
    guard Self.isPlain(text), let tags = Self.tags(of: text),
      let first = Self.holes(in: text, tags, of: 0, varying), let last = first.last
    else { return nil }
    tagCount = tags.count
    firstVaryingCount = first.count
    tagEndBehindVarying = tags[0].upperBound - last.upperBound
    var holes = first
    for tag in tags.indices.dropFirst() where text[tags[tag].lowerBound + 1] != UInt8(ascii: "/") {
      guard let more = Self.holes(in: text, tags, of: tag, varying) else { return nil }
      holes += more
    }
    var bytes: [UInt8] = []
    bytes.append(copying: text)
    self.bytes = bytes
    var runs: [Range<Int>] = []
    var start = 0
    for hole in holes {
      runs.append(start..<hole.lowerBound)
      start = hole.upperBound
    }
    runs.append(start..<bytes.count)
    self.runs = runs
  }

  /// Compares an element with this one.
  ///
  /// - Parameters:
  ///   - text: with padding behind it (`ByteScan`).
  ///   - start: where in it the element begins.
  ///   - run: of the parts around what varies, as many are known to be there; afterwards, if it is another
  ///     element, as many are.
  ///   - places: of each part that varies before that run, and afterwards of more of them.
  /// - Returns: where the element ends; `nil` if it is another.
  @inline(__always)
  func match(
    _ text: Span<UInt8>, from start: Int, knowing run: inout Int, _ places: inout [Range<Int>]
  ) -> Int? {
    var position = run == 0 ? start : places[run &- 1].upperBound
    let (bytes, runs) = (bytes, runs)
    let (fixed, end) = (bytes.span, text.count &- ByteScan.paddingByteCount)
    while true {
      let part = runs[run]
      let behind = position &+ part.count
      guard behind <= end,
        text.extracting(position..<behind).equals(fixed.extracting(part))
      else { return nil }
      run &+= 1
      if run == runs.count { return behind }
      position = ByteScan.firstOfMarkup(in: text, from: behind, to: end)
      places.append(behind..<position)
    }
  }

  /// How many of the first parts around what varies are the same in both.
  func commonRunCount(with other: XMLPattern) -> Int {
    let count = min(runs.count, other.runs.count)
    return (0..<count).first { bytes[runs[$0]] != other.bytes[other.runs[$0]] } ?? count
  }

  /// Whether the text has no reference but the five and no control character inside of tags.
  private static func isPlain(_ text: Span<UInt8>) -> Bool {
    var isInTag = false
    for position in text.indices {
      switch text[position] {
      case UInt8(ascii: "<"):
        if isInTag { return false }
        isInTag = true
      case UInt8(ascii: ">"):
        if !isInTag { return false }
        isInTag = false
      case UInt8(ascii: "&"):
        let rest = text.extracting(position...)
        guard references.contains(where: { rest.hasPrefix($0) }) else { return false }
      case ..<0x20: if isInTag { return false }
      default: break
      }
    }
    return !isInTag
  }

  private static let references: [StaticString] = ["&lt;", "&gt;", "&amp;", "&quot;", "&apos;"]

  /// Where the tags stand; `nil` if anything but white space stands before the first: it may be a fault,
  /// or mean something else where it is met again.
  private static func tags(of text: Span<UInt8>) -> [Range<Int>]? {
    var tags: [Range<Int>] = []
    var start: Int?
    for position in text.indices {
      switch text[position] {
      case UInt8(ascii: "<"): start = position
      case UInt8(ascii: ">"): if let start { tags.append(start..<position + 1) }
      case 0x21...: if start == nil { return nil }
      default: break
      }
    }
    return tags.isEmpty ? nil : tags
  }

  /// What varies in the values of a tag; `nil` if it is written otherwise.
  private static func holes(
    in text: Span<UInt8>, _ tags: [Range<Int>], of tag: Int,
    _ varying: (Int, Span<UInt8>, Span<UInt8>) -> Range<Int>?
  ) -> [Range<Int>]? {
    var holes: [Range<Int>] = []
    let end = tags[tag].upperBound
    func first(_ byte: UInt8, from position: Int) -> Int {
      position + text.extracting(position..<end).firstPosition(of: byte)
    }
    var position = nameEnd(in: text, from: tags[tag].lowerBound + 1, to: end)
    guard position > tags[tag].lowerBound + 1 else { return nil }
    while text[position] == UInt8(ascii: " ") {
      let name = position + 1..<nameEnd(in: text, from: position + 1, to: end)
      let start = name.upperBound + 2
      guard !name.isEmpty, start < end, text[start - 2] == UInt8(ascii: "="),
        text[start - 1] == UInt8(ascii: "\"")
      else { return nil }
      let value = start..<first(UInt8(ascii: "\""), from: start)
      guard value.upperBound < end else { return nil }
      if let part = varying(tag, text.extracting(name), text.extracting(value)) {
        let hole = start + part.lowerBound..<start + part.upperBound
        guard text.extracting(hole).hasNoReference else { return nil }
        holes.append(hole)
      }
      position = value.upperBound + 1
    }
    let rest = text.extracting(position..<end)
    return rest.equals(">") || rest.equals("/>") ? holes : nil
  }

  /// The end of a name of letters.
  private static func nameEnd(in text: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var position = start
    while position < end, text[position].isLetter { position += 1 }
    return position
  }
}

extension Span<UInt8> {
  /// Whether it begins with that.
  fileprivate func hasPrefix(_ text: StaticString) -> Bool {
    count >= text.utf8CodeUnitCount && extracting(first: text.utf8CodeUnitCount).equals(text)
  }

  fileprivate var hasNoReference: Bool {
    indices.allSatisfy { self[$0] != UInt8(ascii: "&") && self[$0] != UInt8(ascii: ";") }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
}
