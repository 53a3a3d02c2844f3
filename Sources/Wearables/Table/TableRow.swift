import FHIRModel

/// The line, counted from 1, at which a table can't be read.
package struct MetricTableError: Error, Hashable, Sendable {
  package let line: Int
}

/// The cells of one line by their columns' names; a line may leave out cells at its end.
struct TableRow {
  /// The line in the table, counted from 1.
  let line: Int
  private let cells: [TableText]
  private let places: [String: Int]

  /// The rows of a table of tab-separated columns: comment lines, the columns' names, the rows.
  static func rows(of text: String) -> [TableRow] {
    let lines = TableText(text).pieces(between: "\n").enumerated()
      .filter { !$1.isEmpty && !$1.begins(with: "#") }
    let columns = lines.first?.element.parts(by: "\t").map(\.text) ?? []
    let places = Dictionary(zip(columns, 0...)) { first, _ in first }
    return lines.dropFirst().map {
      TableRow(line: $0 + 1, cells: $1.pieces(between: "\t"), places: places)
    }
  }

  /// The text of a cell; `nil` where it is empty.
  func text(_ column: String) -> String? { cell(column)?.text }

  private func cell(_ column: String) -> TableText? {
    guard let place = places[column], place < cells.count, !cells[place].isEmpty else { return nil }
    return cells[place]
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
    parts(column).map(\.text)
  }

  private func parts(_ column: String) -> [TableText] { cell(column)?.parts(by: ";") ?? [] }

  func codings(_ column: String) throws(MetricTableError) -> [Coding] {
    let codings = parts(column).map { Coding(row: $0) }
    guard !codings.contains(nil) else { throw unreadable }
    return codings.compactMap(\.self)
  }

  var unreadable: MetricTableError { MetricTableError(line: line) }
}
