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
  /// From behind the last part that varies to behind the first tag, in bytes.
  package let tagEndBehindVarying: Int

  /// A pattern of an element of which nobody counted a fault.
  ///
  /// - Parameters:
  ///   - text: the element from its `<` to its end, with white space before it.
  ///   - varying: tells which part of an attribute's value varies, by its name and its value as they are
  ///     written; asked for each attribute of the element, and not of those in it.
  /// - Returns: `nil` for one that is written in any other way than programs do it, `name="value"` behind
  ///   a space, no reference but the five, no control character in tags; or of which nothing varies.
  package init?(
    of text: Span<UInt8>,
    varying: (_ name: Span<UInt8>, _ value: Span<UInt8>) -> Range<Int>?
  ) {
    guard Self.isPlain(text), let (holes, tagEnd) = Self.holes(in: text, varying),
      let last = holes.last
    else { return nil }
    tagCount = text.indices.count { text[$0] == UInt8(ascii: "<") }
    tagEndBehindVarying = tagEnd - last.upperBound
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
  ///   - start: where in it to begin.
  ///   - places: is given the place of each part that varies, in their order, if the text matches.
  /// - Returns: how many bytes match: all of an element; `nil` if it is another.
  @inline(__always)
  func match(
    _ text: Span<UInt8>, from start: Int, _ places: inout [Range<Int>]
  ) -> Int? {
    places.removeAll(keepingCapacity: true)
    var position = start
    let bytes = bytes
    let (fixed, end) = (bytes.span, text.count &- ByteScan.paddingByteCount)
    for run in runs {
      if run.lowerBound > 0 {
        let next = ByteScan.firstOfMarkup(in: text, from: position, to: end)
        places.append(position..<next)
        position = next
      }
      let behind = position &+ run.count
      guard behind <= end,
        text.extracting(position..<behind).equals(fixed.extracting(run))
      else { return nil }
      position = behind
    }
    return position &- start
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

  /// What varies in the values of the first tag, and where that ends; `nil` if it is written otherwise.
  private static func holes(
    in text: Span<UInt8>, _ varying: (Span<UInt8>, Span<UInt8>) -> Range<Int>?
  ) -> (holes: [Range<Int>], tagEnd: Int)? {
    var holes: [Range<Int>] = []
    // Anything else before it may be a fault, or mean something else where it is met again.
    let start = text.indices.first { text[$0] > 0x20 } ?? text.count
    guard start < text.count, text[start] == UInt8(ascii: "<") else { return nil }
    var position = start + text.extracting(start...).firstPosition(of: UInt8(ascii: " "))
    guard text.extracting(start + 1..<position).isName else { return nil }
    while position + 1 < text.count, text[position] == UInt8(ascii: " ") {
      let nameStart = position + 1
      let nameEnd = nameStart + text.extracting(nameStart...).firstPosition(of: UInt8(ascii: "="))
      let start = nameEnd + 2
      guard start < text.count, text[nameEnd + 1] == UInt8(ascii: "\"") else { return nil }
      let end = start + text.extracting(start...).firstPosition(of: UInt8(ascii: "\""))
      guard end < text.count else { return nil }
      let name = text.extracting(nameStart..<nameEnd)
      guard name.isName else { return nil }
      if let part = varying(name, text.extracting(start..<end)) {
        let hole = start + part.lowerBound..<start + part.upperBound
        guard text.extracting(hole).hasNoReference else { return nil }
        holes.append(hole)
      }
      position = end + 1
    }
    let rest = text.extracting(position...)
    if rest.hasPrefix(">") { return (holes, position + 1) }
    return rest.hasPrefix("/>") ? (holes, position + 2) : nil
  }
}

extension Span<UInt8> {
  /// Whether it begins with that.
  fileprivate func hasPrefix(_ text: StaticString) -> Bool {
    count >= text.utf8CodeUnitCount && extracting(first: text.utf8CodeUnitCount).equals(text)
  }

  fileprivate var isName: Bool {
    count > 0
      && indices.allSatisfy { position in
        switch self[position] {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: false
        }
      }
  }

  fileprivate var hasNoReference: Bool {
    indices.allSatisfy { self[$0] != UInt8(ascii: "&") && self[$0] != UInt8(ascii: ";") }
  }
}
