/// One entry of a document's tape: a value or a member's name, in the order of the text.
///
/// A name's node stands right before its value's. `next` is the position after a value with all that
/// it holds, so that siblings are reached without walking their children.
struct JSONNode: Sendable {
  enum Kind: UInt8, Sendable {
    case object, array, string, number, yes, no, null, name
  }

  /// The first byte: of a string or name the one after its quotation mark.
  var offset: UInt32
  /// The count of bytes, without quotation marks.
  var length: UInt32
  var next: UInt32
  /// A hash of the decoded name, to find members and duplicates quickly.
  var hash: UInt16
  var kind: Kind
  var hasEscape: Bool

  var range: Range<Int> { Int(offset)..<Int(offset) + Int(length) }
}

extension JSONNode {
  @inline(__always)
  func isName(_ name: Span<UInt8>, in bytes: Span<UInt8>) -> Bool {
    if hasEscape {
      let decoded = JSONString.decoded(bytes, self)
      return decoded.span.equals(name)
    }
    return bytes.extracting(range).equals(name)
  }
}
