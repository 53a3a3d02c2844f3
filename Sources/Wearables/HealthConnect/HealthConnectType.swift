import FHIRModel

/// Where an export holds one kind of values: a row of `spec/tables/health-connect.tsv`.
package struct HealthConnectType: Hashable, Sendable {
  /// The origin's name of the type: `StepsRecord`, `NutritionRecord#energy`.
  package let identifier: String
  let record: String
  /// The table whose rows belong to the records.
  let child: String?
  let shape: Shape
  /// The columns of the value.
  let columns: [String]
  /// The unit in which the export has it.
  let unit: String
  /// The category whose list of apps decides between them; `nil` where all apps' values count.
  let priorityCategory: Int?
  let filter: Filter?
  /// The column that says what kind of event it was, and what its numbers are called, from 0 on.
  let detail: String?
  let codes: [String]

  enum Shape: String, Hashable, Sendable {
    case instant, interval, point, series, duration, stage, session, panel, event
  }

  struct Filter: Hashable, Sendable {
    let column: String
    let values: [Int]
  }

  init(_ row: TableRow) throws(MetricTableError) {
    identifier = try row.required("type")
    record = try row.required("record")
    guard let shape = Shape(rawValue: try row.required("shape")) else { throw row.unreadable }
    self.shape = shape
    child = row.text("child")
    columns = row.list("columns")
    unit = row.text("unit") ?? ""
    priorityCategory = row.text("priority").flatMap { Int($0) }
    filter = row.text("only").flatMap { Filter(text: $0) }
    detail = row.text("detail")
    codes = row.list("codes")
  }
}

extension HealthConnectType.Filter {
  /// Reads `stage_type=1,7`.
  fileprivate init?(text: String) {
    let parts = text.split(separator: "=")
    guard parts.count == 2 else { return nil }
    column = String(parts[0])
    values = parts[1].split(separator: ",").compactMap { Int($0) }
  }
}

extension HealthConnectType {
  /// All kinds, in the order of the table.
  package static let all: [HealthConnectType] = {
    do throws(MetricTableError) {
      var types: [HealthConnectType] = []
      for row in TableRow.rows(of: Specification.healthConnect) {
        types.append(try HealthConnectType(row))
      }
      return types
    } catch {
      preconditionFailure("line \(error.line) of spec/tables/health-connect.tsv can't be read")
    }
  }()

  /// Whether its value is a time during which something lasted.
  var isSession: Bool { shape == .duration || shape == .stage || shape == .session }

  /// Whether each of them is stored by itself, whatever the day.
  var isEvent: Bool {
    MetricTable.shared[.healthConnect, identifier]?.aggregation == .perEvent
  }

  /// What is read together: types that are told apart only within the records of one table.
  var group: String { isSession ? record : identifier }
}
