/// Start tags of a document, to be looked at when its reader has gone on, or by another thread.
package struct XMLTagList: Sendable {
  /// A tag in the list.
  package struct Tag: Sendable {
    fileprivate let window: Int
    fileprivate let attributes: Range<Int>
    /// By how much what was decoded stands further back in `decoded`.
    fileprivate let decodedShift: Int
    /// The document's byte behind the tag.
    package let byteOffset: Int
  }

  /// The parts of the document in which the tags stand, which they share with the reader.
  private var windows: [[UInt8]] = []
  /// Windows whose space can be used again.
  private var spares: [[UInt8]] = []
  private var generation = -1
  private var decoded: [UInt8] = []
  private var attributes: [XMLTag.Attribute] = []

  package init() {}

  /// About what the tags take, in bytes.
  package private(set) var byteCount = 0

  /// Takes the tag of the element that began.
  package mutating func append(_ xml: inout XMLReader) -> Tag {
    if generation != xml.window.generation {
      generation = xml.window.generation
      windows.append(xml.window.share(for: spares.popLast() ?? []))
      byteCount += xml.window.count
    }
    let (first, decodedShift) = (attributes.count, decoded.count)
    attributes.append(contentsOf: xml.tag.attributes)
    decoded.append(copying: xml.tag.decoded.bytes.span)
    byteCount += decoded.count - decodedShift
    return Tag(
      window: windows.count - 1, attributes: first..<attributes.count, decodedShift: decodedShift,
      byteOffset: xml.byteOffset)
  }

  /// Forgets all tags, none of which may be asked for any more.
  package mutating func removeAll() {
    spares = windows
    windows.removeAll()
    attributes.removeAll(keepingCapacity: true)
    decoded.removeAll(keepingCapacity: true)
    (generation, byteCount) = (-1, 0)
  }

  package func attributeCount(of tag: Tag) -> Int { tag.attributes.count }

  /// The name of an attribute, by its place in the tag.
  @_lifetime(borrow self)
  package func attributeName(at position: Int, of tag: Tag) -> Span<UInt8> {
    window(tag.window).extracting(nameRange(at: position, of: tag))
  }

  /// The value of an attribute, references resolved; empty for one that isn't there.
  @_lifetime(borrow self)
  package func attributeValue(at position: Int?, of tag: Tag) -> Span<UInt8> {
    guard let position else { return decoded.span.extracting(first: 0) }
    let attribute = attributes[tag.attributes.lowerBound + position]
    guard attribute.isDecoded else {
      return window(tag.window).extracting(attribute.value)
    }
    let (start, end) = (attribute.value.lowerBound, attribute.value.upperBound)
    return decoded.span.extracting(start + tag.decodedShift..<end + tag.decodedShift)
  }

  /// The place of the first attribute with that name.
  package func position(of name: StaticString, in tag: Tag) -> Int? {
    (0..<tag.attributes.count).first { attributeName(at: $0, of: tag).equals(name) }
  }

  @inline(__always)
  @_lifetime(borrow self)
  private func window(_ number: Int) -> Span<UInt8> {
    let window = windows[number]
    // What the list keeps stays where it is as long as the list is lent.
    return unsafe _overrideLifetime(window.span, borrowing: self)
  }

  @inline(__always)
  private func nameRange(at position: Int, of tag: Tag) -> Range<Int> {
    attributes[tag.attributes.lowerBound + position].name
  }
}
