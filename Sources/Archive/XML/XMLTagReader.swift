/// Takes apart tags that a reader left as they stand (`XMLReader.leaveTags`).
///
/// Many tags differ in nothing but their values. What stands between those of the last tags is kept as
/// their shape, and a tag of the same is read by comparing it.
package struct XMLTagReader: Sendable {
  /// Where a value stands.
  private struct Value {
    var range: Range<Int>
    var place: Place

    enum Place {
      /// In the tag, as it is.
      case plain
      /// In the tag, with references or line breaks in it.
      case unresolved
      /// In `decoded`.
      case resolved
    }
  }

  private var values: [Value] = []
  private var names: [Range<Int>] = []
  private var unresolvedCount = 0
  private var decoded = XMLDecoded()
  /// For tags of other shapes.
  private var tag = XMLTag()
  /// Those of the last tags, the last one's first.
  private var shapes: [XMLTagShape] = []
  private var shapeCount = 0

  private static let shapesMaximum = 4

  /// Of a type whose size the compiler doesn't know, so that a reader is never copied where it is lent
  /// for an attribute (see `TextWindow`).
  private let anchor: any Sendable = ()

  package init() {}

  /// Reads a tag of the list; values with references wait to be resolved.
  ///
  /// - Returns: the number of its shape: of tags with the same one the same attributes stand at the same
  ///   places. `nil` for a tag of a form that none is made of.
  package mutating func read(_ kept: XMLTagList.Tag, of tags: XMLTagList) -> Int? {
    begin()
    guard let text = kept.left else { return nil }
    let bytes = tags.window(of: kept)
    for place in shapes.indices where read(bytes, text, as: shapes[place]) {
      if place > 0 { shapes.swapAt(0, place) }
      return shapes[0].number
    }
    readParts(bytes, text)
    guard let shape = XMLTagShape(of: tag.attributes, in: bytes, text, number: shapeCount) else {
      return nil
    }
    shapeCount += 1
    if shapes.count == Self.shapesMaximum { shapes.removeLast() }
    shapes.insert(shape, at: 0)
    return shape.number
  }

  private mutating func begin() {
    values.removeAll(keepingCapacity: true)
    if !names.isEmpty { names.removeAll(keepingCapacity: true) }
    unresolvedCount = 0
    decoded.removeAll()
  }

  /// Takes apart a tag that has that shape; `false` if it has not.
  private mutating func read(
    _ bytes: Span<UInt8>, _ text: Range<Int>, as shape: XMLTagShape
  ) -> Bool {
    begin()
    var position = text.lowerBound
    for piece in shape.pieces {
      guard piece.stands(at: position, in: bytes) else { return false }
      let start = position &+ piece.byteCount
      var place = Value.Place.plain
      position = ByteScan.firstOfQuoteReferenceOrControl(
        in: bytes, from: start, to: text.upperBound)
      if bytes[position] != UInt8(ascii: "\"") {
        place = .unresolved
        unresolvedCount &+= 1
        // A tag that was left has a quote behind each value.
        position = ByteScan.first(
          UInt8(ascii: "\""), in: bytes, from: position, to: text.upperBound)
        guard position < text.upperBound else { return false }
      }
      values.append(Value(range: start..<position, place: place))
      position &+= 1
    }
    return XMLTagShape.isEnd(position, of: text, in: bytes)
  }

  private mutating func readParts(_ bytes: Span<UInt8>, _ text: Range<Int>) {
    begin()
    let before = tag.decoded.faults
    _ = tag.scanParts(bytes, from: text.lowerBound, to: text.upperBound)
    decoded.faults.add(tag.decoded.faults, since: before)
    for attribute in tag.attributes {
      names.append(attribute.name)
      guard attribute.isDecoded else {
        values.append(Value(range: attribute.value, place: .plain))
        continue
      }
      let resolved = tag.decoded
      let range = decoded.append(copying: resolved.bytes.span.extracting(attribute.value))
      values.append(Value(range: range, place: .resolved))
    }
  }

  // MARK: what was read

  package func attributeCount(of kept: XMLTagList.Tag, in tags: XMLTagList) -> Int {
    kept.left == nil ? tags.attributeCount(of: kept) : values.count
  }

  /// The name of an attribute of the tag that was read last, by its place in it.
  package func attributeName(
    at position: Int, of kept: XMLTagList.Tag, in tags: XMLTagList
  ) -> [UInt8] {
    if kept.left != nil, names.isEmpty { return shapes[0].names[position] }
    var name: [UInt8] = []
    if kept.left == nil {
      name.append(copying: tags.attributeName(at: position, of: kept))
    } else {
      name.append(copying: tags.window(of: kept).extracting(names[position]))
    }
    return name
  }

  /// The value of an attribute of the tag that was read last, as it stands there if it isn't resolved;
  /// empty for one that isn't there.
  @_lifetime(borrow self, borrow tags)
  package func attributeValue(
    at position: Int?, of kept: XMLTagList.Tag, in tags: XMLTagList
  ) -> Span<UInt8> {
    guard let position, kept.left != nil else { return tags.attributeValue(at: position, of: kept) }
    let value = values[position]
    if value.place == .resolved { return decoded.bytes.span.extracting(value.range) }
    return tags.window(of: kept).extracting(value.range)
  }

  /// Whether a value has references or line breaks that are not resolved.
  package func isUnresolved(at position: Int?) -> Bool {
    guard let position, position < values.count else { return false }
    return values[position].place == .unresolved
  }

  /// Resolves the values that aren't.
  ///
  /// - Parameter exception: the place of one that stays as it is.
  package mutating func resolve(
    _ kept: XMLTagList.Tag, of tags: XMLTagList, except exception: Int? = nil
  ) {
    guard unresolvedCount > (isUnresolved(at: exception) ? 1 : 0) else { return }
    let bytes = tags.window(of: kept)
    for position in values.indices
    where position != exception && values[position].place == .unresolved {
      values[position].range = decoded.append(bytes, values[position].range, as: .attribute)
      values[position].place = .resolved
      unresolvedCount -= 1
    }
  }

  /// Bytes that were replaced in values, and references to nothing, as far as they were resolved.
  package var faults: (replacedByteCount: Int, count: Int) {
    (decoded.faults.replacedByteCount, decoded.faults.unknownReferenceCount)
  }
}
