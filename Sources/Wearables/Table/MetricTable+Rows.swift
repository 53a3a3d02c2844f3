extension MetricTable {
  /// A type with the name of its metric and the line where it stands.
  struct TypeRow {
    let line: Int
    let type: SourceType
    let metric: String?
  }

  /// What other units are in each unit, by its UCUM code and the other's name.
  static func conversions(
    _ text: String
  ) throws(MetricTableError) -> [String: [String: UnitConversion]] {
    var units: [String: [String: UnitConversion]] = [:]
    for row in TableRow.rows(of: text) {
      let conversion = UnitConversion(
        times: try row.number("times", or: 1), over: try row.number("over", or: 1),
        zero: try row.number("zero", or: 0))
      let (ucum, unit) = (try row.required("ucum"), try row.required("unit"))
      guard units[ucum, default: [:]].updateValue(conversion, forKey: unit) == nil else {
        throw row.unreadable
      }
    }
    return units
  }

  /// The values of each set in their order.
  static func values(_ text: String) throws(MetricTableError) -> [String: [CategoryValue]] {
    var sets: [String: [CategoryValue]] = [:]
    for row in TableRow.rows(of: text) {
      let set = try row.required("set")
      guard let raw = Int(try row.required("raw")) else { throw row.unreadable }
      let value = CategoryValue(
        raw: raw, code: try row.required("code"), text: try row.required("text"),
        rank: sets[set, default: []].count)
      sets[set, default: []].append(value)
    }
    return sets
  }

  static func types(
    _ text: String, values: [String: [CategoryValue]]
  ) throws(MetricTableError) -> [TypeRow] {
    var rows: [TypeRow] = []
    for row in TableRow.rows(of: text) {
      rows.append(
        TypeRow(
          line: row.line, type: try SourceType(row, values: values), metric: row.text("metric")))
    }
    return rows
  }
}

extension SourceType {
  init(_ row: TableRow, values sets: [String: [CategoryValue]]) throws(MetricTableError) {
    guard let origin = Origin(rawValue: try row.required("origin")) else { throw row.unreadable }
    let identifier = try row.required("type")
    var values: [CategoryValue] = []
    for name in row.list("values") {
      guard let set = sets[name] else { throw row.unreadable }
      for value in set {
        values.append(
          CategoryValue(raw: value.raw, code: value.code, text: value.text, rank: values.count))
      }
    }
    let counted = row.list("counted")
    guard counted.allSatisfy({ code in values.contains { $0.code == code } }) else {
      throw row.unreadable
    }
    self.init(
      origin: origin, identifier: identifier,
      matched: row.text("matched") ?? String(identifier.prefix { $0 != "#" }),
      values: values, counted: counted.isEmpty ? nil : Set(counted))
  }
}

extension Metric {
  /// - Parameter types: those of the metric. The first of an origin gives the code.
  init(
    _ row: TableRow, position: Int, units: [String: [String: UnitConversion]], types: [SourceType]
  ) throws(MetricTableError) {
    let least = try row.number("least", or: -.infinity)
    let most = try row.number("most", or: .infinity)
    let (minimum, maximum) = (try row.codings("minimum"), try row.codings("maximum"))
    guard least < most, let aggregation = Aggregation(rawValue: try row.required("aggregation")),
      let category = try row.codings("category").first,
      minimum.count == maximum.count, minimum.count <= 1
    else { throw row.unreadable }
    self.position = position
    self.name = try row.required("metric")
    self.furtherNames = row.list("also")
    self.title = try row.required("title")
    self.unit = try Unit(row, units: units)
    self.range = least...most
    self.aggregation = aggregation
    self.category = category
    self.profile = row.text("profile")
    self.codings = try row.codings("codings")
    self.extremes = minimum.first.flatMap { low in
      maximum.first.map { Extremes(minimum: low, maximum: $0) }
    }
    self.parts = row.list("parts")
    self.sourceTypes = Dictionary(types.map { ($0.origin, $0) }) { first, _ in first }
  }
}

extension Unit {
  /// `nil` where the row has no unit.
  init?(
    _ row: TableRow, units: [String: [String: UnitConversion]]
  ) throws(MetricTableError) {
    guard let ucum = row.text("ucum") else { return nil }
    self.init(
      text: try row.required("unit"), ucum: ucum, conversions: units[ucum, default: [:]])
  }
}
