/// What stands in a tag around its values.
struct XMLTagShape: Sendable {
  /// The bytes before a value, its opening quote among them, in three words, the first byte lowest.
  struct Piece: Sendable {
    private let words: (UInt64, UInt64, UInt64)
    private let masks: (UInt64, UInt64, UInt64)
    let byteCount: Int

    static let byteCountMaximum = 24

    /// `nil` for one that is longer.
    init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
      guard range.count <= Self.byteCountMaximum,
        range.lowerBound + Self.byteCountMaximum <= bytes.count
      else { return nil }
      byteCount = range.count
      func mask(_ word: Int) -> UInt64 {
        let count = min(8, max(0, range.count - 8 * word))
        return count == 8 ? .max : (1 << UInt64(8 * count)) - 1
      }
      func word(_ word: Int) -> UInt64 {
        bytes.word(at: range.lowerBound + 8 * word) & mask(word)
      }
      masks = (mask(0), mask(1), mask(2))
      words = (word(0), word(1), word(2))
    }

    @inline(__always)
    func stands(at position: Int, in bytes: Span<UInt8>) -> Bool {
      guard position &+ Self.byteCountMaximum <= bytes.count else { return false }
      return (bytes.word(at: position) ^ words.0) & masks.0
        | (bytes.word(at: position &+ 8) ^ words.1) & masks.1
        | (bytes.word(at: position &+ 16) ^ words.2) & masks.2 == 0
    }
  }

  /// Tells it from others.
  let number: Int
  let pieces: [Piece]
  /// The attributes'.
  let names: [[UInt8]]

  /// The shape of a tag that was read into those attributes; `nil` if it is none of names with values.
  ///
  /// - Parameter text: from the tag's name to its `>`, as `XMLTag.pass` finds it.
  init?(
    of attributes: [XMLTag.Attribute], in bytes: Span<UInt8>, _ text: Range<Int>, number: Int
  ) {
    self.number = number
    var pieces: [Piece] = []
    var names: [[UInt8]] = []
    var position = text.lowerBound
    for attribute in attributes {
      let start = attribute.name.upperBound + 2
      guard bytes[start - 2] == UInt8(ascii: "="), bytes[start - 1] == UInt8(ascii: "\""),
        attribute.name.lowerBound >= position
      else { return nil }
      guard let piece = Piece(bytes, position..<start) else { return nil }
      pieces.append(piece)
      var name: [UInt8] = []
      name.append(copying: bytes.extracting(attribute.name))
      names.append(name)
      position =
        ByteScan.first(UInt8(ascii: "\""), in: bytes, from: start, to: text.upperBound) + 1
    }
    guard Self.isEnd(position, of: text, in: bytes) else { return nil }
    self.pieces = pieces
    self.names = names
  }

  /// Whether nothing stands behind the last value but `>` or `/>`.
  @inline(__always)
  static func isEnd(_ position: Int, of text: Range<Int>, in bytes: Span<UInt8>) -> Bool {
    position == text.upperBound &- 1
      || position == text.upperBound &- 2 && bytes[position] == UInt8(ascii: "/")
  }
}
