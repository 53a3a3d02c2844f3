/// Patterns by numbers from 0 up, those met last tried first.
package struct XMLPatternList: Sendable {
  private var patterns: [XMLPattern] = []
  /// Their numbers, that of the one met last first.
  private var order: [Int] = []
  /// By two of their numbers: how many of the first parts around what varies they have in common.
  private var common: [[Int]] = []
  /// Of what varies in the element at hand.
  private var places: [Range<Int>] = []

  package init() {}

  /// The most tags that one of them has had.
  private(set) var tagCountMaximum = 0

  package var count: Int { patterns.count }

  /// The one that was not met for longest.
  package var last: Int? { order.last }

  /// Takes a pattern in the place of the one with that number, or as the next.
  package mutating func keep(_ pattern: XMLPattern, as number: Int) {
    precondition(number <= patterns.count, "patterns are numbered without gaps")
    tagCountMaximum = max(tagCountMaximum, pattern.tagCount)
    if number == patterns.count {
      patterns.append(pattern)
      for other in common.indices { common[other].append(0) }
      common.append([])
    } else {
      patterns[number] = pattern
      order.removeAll { $0 == number }
    }
    order.insert(number, at: 0)
    common[number] = patterns.map { pattern.commonRunCount(with: $0) }
    for other in common.indices { common[other][number] = common[number][other] }
  }

  /// An element that is like a pattern.
  package struct Element: ~Escapable {
    /// The pattern's number.
    package let number: Int
    private let text: Span<UInt8>
    private let places: Span<Range<Int>>
    /// The document's byte behind the element's first tag.
    package let byteOffset: Int

    @_lifetime(copy text, copy places)
    fileprivate init(
      _ number: Int, _ text: Span<UInt8>, _ places: Span<Range<Int>>, byteOffset: Int
    ) {
      self.number = number
      self.text = text
      self.places = places
      self.byteOffset = byteOffset
    }

    /// What stands in the place of a part that varies, by its number.
    @inline(__always)
    package subscript(part: Int) -> Span<UInt8> {
      @_lifetime(copy self)
      get { text.extracting(places[part]) }
    }
  }

  /// Lends the elements from `start` on that are like one of these, until there is another or `read`
  /// wants no more.
  ///
  /// - Returns: where what is left begins.
  mutating func matchAll(
    in window: borrowing TextWindow, from start: Int, _ read: (_ element: Element) -> Bool
  ) -> Int {
    var places: [Range<Int>] = []
    swap(&places, &self.places)
    defer { swap(&places, &self.places) }
    let text = window.bytes.span
    var position = start
    var place = 0
    // What is known of the element at `position`: of the last pattern so many parts are there.
    var run = 0
    var number = order.first ?? 0
    while place < order.count {
      let shared = common[number][order[place]]
      // A part that they share and that is not there needs no second look.
      if place > 0, shared > run {
        place += 1
        continue
      }
      run = min(run, shared)
      if places.count > run { places.removeSubrange(run...) }
      number = order[place]
      let pattern = patterns[number]
      var wasMet = false
      while let end = pattern.match(text, from: position, knowing: &run, &places) {
        position = end
        wasMet = true
        let tagEnd =
          places[pattern.firstVaryingCount &- 1].upperBound &+ pattern.tagEndBehindVarying
        let offset = window.offset(at: tagEnd)
        guard read(Element(number, text, places.span, byteOffset: offset)) else { return position }
        run = 0
        places.removeAll(keepingCapacity: true)
      }
      if wasMet, place > 0 { order.insert(order.remove(at: place), at: 0) }
      place = wasMet ? 1 : place + 1
    }
    return position
  }
}
