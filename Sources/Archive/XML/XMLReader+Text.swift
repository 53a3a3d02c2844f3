extension XMLReader {
  /// Reads text up to the next tag, or as much of it as there is.
  mutating func stepInText() -> Step {
    let start = position
    let end = window.first(UInt8(ascii: "<"), from: start, to: window.count)
    if isTextSkipped || nesting.isEmpty {
      position = end
      return .passed
    }
    let isWhole = end < window.count || window.isComplete
    return give(start..<end, isWhole: isWhole, as: .text)
  }

  /// Reads what stands between `<![CDATA[` and `]]>`, as much of it as there is.
  mutating func stepInCDATA() -> Step {
    let start = position
    let end = window.firstPosition(of: "]]>", from: start)
    let isWhole = end != nil
    // The window's last two bytes may belong to the end.
    let stop = end ?? boundary(max(start, window.count - (window.isComplete ? 0 : 2)))
    if isWhole, start == stop {
      position = stop + 3
      isInCDATA = false
      return .passed
    }
    if isTextSkipped || nesting.isEmpty {
      position = stop
      return isWhole || stop > start ? .passed : .needsMore
    }
    return give(start..<stop, isWhole: isWhole || window.isComplete, as: .verbatim)
  }

  /// Makes a text event of `range`, without what may go on behind the window.
  private mutating func give(
    _ range: Range<Int>, isWhole: Bool, as kind: XMLDecoded.Place
  ) -> Step {
    guard !range.isEmpty else { return .needsMore }
    let end = isWhole ? range.upperBound : cut(range, as: kind)
    guard range.lowerBound < end else { return .needsMore }
    let range = range.lowerBound..<end
    position = end
    isTextDecoded = needsDecoding(range, as: kind)
    textRange = isTextDecoded ? tag.decode(window, range, as: kind) : range
    return .event(.text)
  }

  /// Where text that goes on can be parted: not inside of a reference or a pair of line ends.
  private func cut(_ range: Range<Int>, as kind: XMLDecoded.Place) -> Int {
    var end = range.upperBound
    if window[end - 1] == 0x0d { end -= 1 }
    guard kind == .text else { return end }
    let tail = max(range.lowerBound, end - XMLDecoded.referenceByteCountMaximum)..<end
    return tail.last { window[$0] == UInt8(ascii: "&") } ?? end
  }

  /// The last place at or before `position` where a character begins.
  private func boundary(_ position: Int) -> Int {
    var position = position
    while position > 0, window[position] & 0xc0 == 0x80 { position -= 1 }
    return position
  }

  private func needsDecoding(_ range: Range<Int>, as kind: XMLDecoded.Place) -> Bool {
    let end = range.upperBound
    if window.first(0x0d, from: range.lowerBound, to: end) < end { return true }
    guard kind == .text else { return false }
    return window.first(UInt8(ascii: "&"), from: range.lowerBound, to: end) < end
  }
}
