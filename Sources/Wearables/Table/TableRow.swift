/// The line, counted from 1, at which a table can't be read.
package struct MetricTableError: Error, Hashable, Sendable {
  package let line: Int
}

/// The cells of one line by their columns' names; a line may leave out cells at its end.
struct TableRow {
  /// The line in the table, counted from 1.
  let line: Int
  private let cells: [String: String]

  /// The rows of a table of tab-separated columns: comment lines, the columns' names, the rows.
  static func rows(of text: String) -> [TableRow] {
    let lines = text[...].pieces(between: "\n", keepingEmpty: true).enumerated()
      .filter { !$1.isEmpty && !$1.hasPrefix("#") }
    let columns = lines.first?.element.pieces(between: "\t").map(String.init) ?? []
    return lines.dropFirst().map { TableRow(line: $0 + 1, columns: columns, text: $1) }
  }

  private init(line: Int, columns: [String], text: Substring) {
    self.line = line
    let values = text.pieces(between: "\t", keepingEmpty: true).map(String.init)
    cells = Dictionary(zip(columns, values)) { first, _ in first }
  }

  /// The text of a cell; `nil` where it is empty.
  func text(_ column: String) -> String? {
    guard let cell = cells[column], !cell.isEmpty else { return nil }
    return cell
  }

  /// The text of a cell that may not be empty.
  func required(_ column: String) throws(MetricTableError) -> String {
    guard let text = text(column) else { throw unreadable }
    return text
  }

  /// The number of a cell; what stands for an empty one.
  func number(_ column: String, or absent: Double) throws(MetricTableError) -> Double {
    guard let text = text(column) else { return absent }
    guard let number = Double(text) else { throw unreadable }
    return number
  }

  func list(_ column: String) -> [String] {
    text(column)?[...].pieces(between: ";").map(String.init) ?? []
  }

  func codings(_ column: String) throws(MetricTableError) -> [Coding] {
    let codings = list(column).map { Coding(row: $0) }
    guard !codings.contains(nil) else { throw unreadable }
    return codings.compactMap(\.self)
  }

  var unreadable: MetricTableError { MetricTableError(line: line) }
}
