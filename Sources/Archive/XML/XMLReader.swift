/// What `XMLReader` came to.
package enum XMLEvent: Sendable {
  /// An element begins; `name` and the attributes are there. `<name/>` gives a start and an end.
  case start
  /// An element ends; `name` is there.
  case end
  /// A piece of text; `text` is there. What stands between two tags may come in several pieces.
  case text
}

/// Reads a document of XML element by element, in bounded memory.
///
/// It is made for exports that aren't well-formed: a document type is passed over, broken or not, and
/// nothing in it counts; only the five entities and references to characters are known; bytes that
/// aren't UTF-8 and control characters are replaced and counted; a tag that is none is passed over
/// and counted; an element that isn't closed ends with its parent. A document that ends too early
/// gives everything that was complete, then `nil`, and `isTruncated`.
///
/// What an event carries stays until the next call of `next()`; nothing of it is copied or made a
/// `String`.
package struct XMLReader: ~Copyable {
  var window: TextWindow
  var tag = XMLTag()
  var nesting = XMLNesting()
  /// Where the part of the window begins that is still to be read.
  var position = 0
  /// Where in the window or among the open names the event's name stands.
  var place = Place.none
  var textRange = 0..<0
  var isTextDecoded = false
  var isInCDATA = false
  /// Elements were seen.
  var hasRoot = false
  var isFinished = false
  /// The document ended inside of markup.
  var endsInMarkup = false
  var ownFaultCount = 0
  let isTextSkipped: Bool

  enum Place {
    case none
    /// A start tag's name; with `isEmpty` its end is still to come.
    case start(isEmpty: Bool)
    /// The end of an empty element.
    case emptyEnd
    /// The end of the innermost open element.
    case end
  }

  /// The depth to which elements may be nested.
  package static let depthMaximum = 1000
  /// The length of a tag beyond which it is none.
  package static let tagByteCountMaximum = 4 << 20

  /// - Parameter skippingText: text gives no events, only elements do.
  package init(_ source: ByteSource, skippingText: Bool = false) {
    window = TextWindow(source)
    isTextSkipped = skippingText
  }

  /// The name of the element that began or ended.
  package var name: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      switch place {
      case .none: nesting.bytes.span.extracting(first: 0)
      case .end: nesting.bytes.span.extracting(nesting.innermost)
      case .start, .emptyEnd: window.bytes.span.extracting(tag.name)
      }
    }
  }

  /// Whether the element's name is that.
  package func isNamed(_ text: StaticString) -> Bool { name.equals(text) }

  package var attributeCount: Int { tag.attributes.count }

  /// The name of an attribute of the element that began, by its place in the tag.
  @_lifetime(borrow self)
  package func attributeName(at position: Int) -> Span<UInt8> {
    window.bytes.span.extracting(tag.attributes[position].name)
  }

  /// The value of an attribute of the element that began, references resolved.
  @_lifetime(borrow self)
  package func attributeValue(at position: Int) -> Span<UInt8> {
    let attribute = tag.attributes[position]
    return attribute.isDecoded
      ? tag.decoded.bytes.span.extracting(attribute.value)
      : window.bytes.span.extracting(attribute.value)
  }

  /// The same; empty for an attribute that isn't there.
  @_lifetime(borrow self)
  package func attributeValue(at position: Int?) -> Span<UInt8> {
    guard let position else { return window.bytes.span.extracting(first: 0) }
    let attribute = tag.attributes[position]
    if attribute.isDecoded { return tag.decoded.bytes.span.extracting(attribute.value) }
    return window.bytes.span.extracting(attribute.value)
  }

  /// The place of the first attribute with that name.
  package func position(of name: StaticString) -> Int? {
    let bytes = window.bytes.span
    for (position, attribute) in tag.attributes.enumerated()
    where bytes.extracting(attribute.name).equals(name) {
      return position
    }
    return nil
  }

  /// The value of the first attribute with that name.
  @_lifetime(borrow self)
  package func attribute(_ name: StaticString) -> Span<UInt8>? {
    guard let place = position(of: name) else { return nil }
    let attribute = tag.attributes[place]
    if attribute.isDecoded { return tag.decoded.bytes.span.extracting(attribute.value) }
    return window.bytes.span.extracting(attribute.value)
  }

  /// The text of a `.text` event, references resolved and line ends made line feeds.
  package var text: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      isTextDecoded
        ? tag.decoded.bytes.span.extracting(textRange)
        : window.bytes.span.extracting(textRange)
    }
  }
}

// What the reader says of the document so far.
extension XMLReader {
  /// How many elements are open; one that begins or ends counts.
  package var depth: Int {
    if case .start(isEmpty: true) = place { return nesting.count + 1 }
    if case .emptyEnd = place { return nesting.count + 1 }
    return nesting.count
  }

  /// The document's byte behind which nothing was read yet: the end of the event's markup.
  package var byteOffset: Int { window.offset(at: position) }
  /// Bytes that the source gave, more than were looked at, and how many it will give if that is
  /// known.
  package var progress: (byteCount: Int, of: Int?) {
    (window.byteCountRead, window.sourceByteCount)
  }

  /// Bytes that were invalid UTF-8 or control characters, up to what the source gave.
  package var replacedByteCount: Int {
    window.replacedByteCount + tag.decoded.faults.replacedByteCount
  }

  /// Tags that were none, ends without a start, starts without an end, references to nothing.
  package var faultCount: Int { ownFaultCount + tag.decoded.faults.unknownReferenceCount }

  /// The document ended before its root element did. Known once `next()` gave `nil`.
  package var isTruncated: Bool {
    isFinished
      && (endsInMarkup || !hasRoot || !nesting.isEmpty || window.failure != nil)
  }

  /// Why the source ended before its end: the archive is truncated or damaged there.
  package var sourceFailure: ArchiveError? { window.failure }
}
