/// The names of a tag's attributes in their order, kept to tell whether another tag has the same.
package struct XMLAttributeNames {
  /// A name of up to sixteen bytes in two words, the first byte lowest.
  struct Name: Equatable {
    var first: UInt64
    var second: UInt64
    var byteCount: Int
  }

  /// `nil` if one of them is longer.
  var names: [Name]?

  static let byteCountMaximum = 16

  init(names: [Name]) { self.names = names }

  /// The names of no tag.
  package init() {}
}

extension XMLAttributeNames.Name {
  /// `nil` for one of more than sixteen bytes. As many follow in `bytes`, whatever they are.
  @inline(__always)
  init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    let count = range.count
    guard count <= XMLAttributeNames.byteCountMaximum else { return nil }
    let first = bytes.word(at: range.lowerBound)
    let second = bytes.word(at: range.lowerBound + 8)
    self.init(
      first: count >= 8 ? first : first & ((1 << UInt64(8 * count)) - 1),
      second: count == 16 ? second : count > 8 ? second & ((1 << UInt64(8 * (count - 8))) - 1) : 0,
      byteCount: count)
  }
}
