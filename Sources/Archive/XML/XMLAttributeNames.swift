/// The names of a tag's attributes in their order, kept to tell whether another tag has the same.
package struct XMLAttributeNames {
  /// A name of up to sixteen bytes in two words, the first byte lowest.
  fileprivate struct Name: Equatable {
    var first: UInt64
    var second: UInt64
    var byteCount: Int
  }

  /// `nil` if one of them is longer.
  fileprivate var names: [Name]? = nil

  /// The names of no tag.
  package init() {}
}

extension XMLReader {
  /// The names of the attributes of the element that began.
  package var attributeNames: XMLAttributeNames {
    var list: [XMLAttributeNames.Name] = []
    var result = XMLAttributeNames()
    for attribute in tag.attributes {
      guard let name = name(attribute.name) else { return result }
      list.append(name)
    }
    result.names = list
    return result
  }

  /// Whether the element that began has attributes of those names in that order, and no others.
  package func hasAttributes(named names: XMLAttributeNames) -> Bool {
    guard let names = names.names, names.count == tag.attributes.count else { return false }
    for position in names.indices
    where name(tag.attributes[position].name) != names[position] {
      return false
    }
    return true
  }

  /// `nil` for one of more than sixteen bytes. What follows a name belongs to the window too, or to
  /// its padding.
  @inline(__always)
  private func name(_ range: Range<Int>) -> XMLAttributeNames.Name? {
    let bytes = window.bytes.span
    let count = range.count
    guard count <= 16 else { return nil }
    let first = bytes.word(at: range.lowerBound)
    let second = bytes.word(at: range.lowerBound + 8)
    return XMLAttributeNames.Name(
      first: count >= 8 ? first : first & ((1 << UInt64(8 * count)) - 1),
      second: count == 16 ? second : count > 8 ? second & ((1 << UInt64(8 * (count - 8))) - 1) : 0,
      byteCount: count)
  }
}
