/// A piece of a table's text: all of it, a line, a cell, or a part of one. It is taken apart by bytes,
/// which costs a fraction of what characters do: every process that writes reads the tables.
package struct TableText: Sendable {
  private let table: [UInt8]
  private let start: UInt32
  private let end: UInt32

  var bytes: ArraySlice<UInt8> { table[Int(start)..<Int(end)] }

  init(_ table: [UInt8]) { self.init(table: table, start: 0, end: table.count) }

  package init(_ text: String) { self.init(Array(text.utf8)) }

  private init(table: [UInt8], start: Int, end: Int) {
    self.table = table
    self.start = UInt32(start)
    self.end = UInt32(end)
  }

  package var isEmpty: Bool { start == end }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// - Precondition: the character is of ASCII.
  package func begins(with character: Unicode.Scalar) -> Bool {
    !isEmpty && table[Int(start)] == UInt8(ascii: character)
  }

  /// The parts between separators, empty ones left out.
  ///
  /// - Precondition: the separator is of ASCII.
  package func parts(by separator: Unicode.Scalar) -> [TableText] {
    pieces(between: separator, keepingEmpty: false)
  }

  /// What lies between separators, be it empty.
  ///
  /// - Precondition: the separator is of ASCII.
  package func pieces(
    between separator: Unicode.Scalar, keepingEmpty keepsEmpty: Bool = true
  ) -> [TableText] {
    let wanted = UInt8(ascii: separator)
    var pieces: [TableText] = []
    pieces.reserveCapacity(Self.usualCount)
    var start = Int(self.start)
    for position in start...Int(end) where position == Int(end) || table[position] == wanted {
      if keepsEmpty || position > start {
        pieces.append(TableText(table: table, start: start, end: position))
      }
      start = position + 1
    }
    return pieces
  }

  /// As many cells most rows have.
  private static let usualCount = 8

  /// The pieces before and after the last separator; all of it is after if there is none.
  ///
  /// - Precondition: the separator is of ASCII.
  func split(atLast separator: Unicode.Scalar) -> (before: TableText, after: TableText) {
    guard let place = bytes.lastIndex(of: UInt8(ascii: separator)) else {
      return (TableText(table: table, start: Int(start), end: Int(start)), self)
    }
    return (
      TableText(table: table, start: Int(start), end: place),
      TableText(table: table, start: place + 1, end: Int(end))
    )
  }

  /// What is left without some bytes at the two ends.
  func dropping(first: Int = 0, last: Int = 0) -> TableText {
    TableText(table: table, start: Int(start) + first, end: Int(end) - last)
  }
}

extension TableText: Hashable {
  package static func == (left: TableText, right: TableText) -> Bool {
    left.bytes.span.equals(right.bytes.span)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(nameHash(bytes.span)) }
}
