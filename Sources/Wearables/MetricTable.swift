import FHIRModel

/// The metrics by every name under which a phone may send them.
package struct MetricTable: Sendable {
  /// In the order of the table.
  package let metrics: [Metric]
  private let positions: [String: Int]

  /// Finds the metric of that name.
  package subscript(_ name: String) -> Metric? { positions[name].map { metrics[$0] } }

  /// Reads a table of tab-separated columns: comment lines, the columns' names, one row a metric.
  ///
  /// - Throws: `MetricTableError` for a row that can't be read or a name that stands twice.
  package init(parsing text: String) throws(MetricTableError) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .filter { !$1.isEmpty && !$1.hasPrefix("#") }
    let columns = lines.first?.element.split(separator: "\t").map(String.init) ?? []
    var metrics: [Metric] = []
    var positions: [String: Int] = [:]
    for (offset, line) in lines.dropFirst() {
      guard let metric = Metric(cells: MetricRow(columns: columns, line: line)) else {
        throw MetricTableError(line: offset + 1)
      }
      for name in [metric.name] + metric.furtherNames {
        guard positions.updateValue(metrics.count, forKey: name) == nil else {
          throw MetricTableError(line: offset + 1)
        }
      }
      metrics.append(metric)
    }
    self.metrics = metrics
    self.positions = positions
  }
}

/// The line, counted from 1, at which a table of metrics can't be read.
package struct MetricTableError: Error, Hashable, Sendable {
  package let line: Int
}

/// The cells of one line by their columns' names; a line may leave out cells at its end.
struct MetricRow {
  let cells: [String: String]

  init(columns: [String], line: Substring) {
    let values = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    cells = Dictionary(zip(columns, values)) { first, _ in first }
  }

  /// The text of a cell; `nil` where it is empty.
  func text(_ column: String) -> String? {
    guard let cell = cells[column], !cell.isEmpty else { return nil }
    return cell
  }

  func number(_ column: String) -> Double? { text(column).flatMap(Double.init) }

  func list(_ column: String) -> [String] {
    text(column)?.split(separator: ";").map(String.init) ?? []
  }

  /// `nil` if a coding can't be read.
  func codings(_ column: String) -> [Coding]? {
    let codings = list(column).map { Coding(row: $0) }
    return codings.contains(nil) ? nil : codings.compactMap(\.self)
  }
}

extension Metric {
  /// `nil` if a cell is missing or can't be read.
  init?(cells row: MetricRow) {
    guard let name = row.text("metric"), let title = row.text("title"),
      let unit = row.text("unit"), let ucum = row.text("ucum"),
      let least = row.number("least"), let most = row.number("most"), least < most,
      let category = row.text("category").flatMap({ Coding(row: $0) }),
      let codings = row.codings("codings"), !codings.isEmpty,
      let minimum = row.codings("minimum"), let maximum = row.codings("maximum"),
      minimum.count == maximum.count, minimum.count <= 1
    else { return nil }
    self.name = name
    self.furtherNames = row.list("also")
    self.title = title
    self.unit = unit
    self.ucum = ucum
    self.range = least...most
    self.category = category
    self.profile = row.text("profile")
    self.codings = codings
    self.extremes = minimum.first.flatMap { low in
      maximum.first.map { Extremes(minimum: low, maximum: $0) }
    }
    var sourceTypes: [Origin: String] = [:]
    for origin in Origin.allCases { sourceTypes[origin] = row.text(origin.rawValue) }
    self.sourceTypes = sourceTypes
  }
}

extension MetricTable {
  /// The table that is part of the program. A test reads it row by row.
  package static let shared: MetricTable = {
    do throws(MetricTableError) {
      return try MetricTable(parsing: Specification.metrics)
    } catch {
      preconditionFailure("line \(error.line) of spec/tables/metrics.tsv can't be read")
    }
  }()
}
