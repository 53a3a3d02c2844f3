import FHIRModel

/// The metrics by every name under which a phone may send them, and by the origins' types.
package struct MetricTable: Sendable {
  /// In the order of the table: a metric stands at its `position`.
  package let metrics: [Metric]
  private let positions: [String: Int]
  private let types: [TypeKey: TypeEntry]
  /// By the name of a part, the position of the metric of a day that it is part of.
  private let wholes: [String: Int]
  /// The entries of the types that an export calls by the same string.
  private let entriesByString: [TypeKey: [TypeEntry]]

  private struct TypeKey: Hashable {
    let origin: Origin
    let name: String
  }

  private struct TypeEntry {
    let type: SourceType
    let position: Int?
  }

  /// The texts of the tables that `README.md` in `spec` describes.
  package struct Texts {
    package var metrics: String
    package var types = ""
    package var values = ""
    package var units = ""

    package init(metrics: String, types: String = "", values: String = "", units: String = "") {
      self.metrics = metrics
      self.types = types
      self.values = values
      self.units = units
    }
  }

  /// Finds the metric of that name.
  package subscript(_ name: String) -> Metric? { positions[name].map { metrics[$0] } }

  /// Finds the metric of an origin's type: `HKQuantityTypeIdentifierStepCount`, or of part of one:
  /// `NutritionRecord#energy`. `nil` as well for a type that is no value.
  package subscript(_ origin: Origin, _ identifier: String) -> Metric? {
    types[TypeKey(origin: origin, name: identifier)]?.position.map { metrics[$0] }
  }

  /// An origin's type by its name, also where it is no value and has no metric; `nil` for a type
  /// that isn't known.
  package func type(_ identifier: String, of origin: Origin) -> SourceType? {
    types[TypeKey(origin: origin, name: identifier)]?.type
  }

  /// The metrics that a sample counts for: one asleep in deep sleep counts for the sleep and for
  /// the deep sleep.
  ///
  /// - Parameters:
  ///   - string: of the type in an export, without a part of it.
  ///   - value: the platform's name of a category's value, or its number.
  package func metrics(of origin: Origin, type string: String, value: String) -> [Metric] {
    entriesByString[TypeKey(origin: origin, name: string), default: []]
      .filter { $0.type.counts(value) }.compactMap { $0.position.map { metrics[$0] } }
  }

  /// The parts of a metric: the two pressures of a blood pressure.
  package func parts(of metric: Metric) -> [Metric] { metric.parts.compactMap { self[$0] } }

  /// The metric of which another is a part, if that has a value of a day: its own is told in it.
  package func whole(of part: Metric) -> Metric? { wholes[part.name].map { metrics[$0] } }

  /// - Throws: `MetricTableError` for a row that can't be read, a name that stands twice or one that
  ///   isn't there.
  package init(parsing texts: Texts) throws(MetricTableError) {
    let units = try Self.conversions(texts.units)
    let types = try Self.types(texts.types, values: try Self.values(texts.values))
    var metrics: [Metric] = []
    var positions: [String: Int] = [:]
    let typesByMetric = Dictionary(grouping: types, by: \.metric)
    for row in TableRow.rows(of: texts.metrics) {
      let name = try row.required("metric")
      let metric = try Metric(
        row, position: metrics.count, units: units,
        types: typesByMetric[name, default: []].map(\.type))
      for name in [name] + metric.furtherNames {
        guard positions.updateValue(metrics.count, forKey: name) == nil else {
          throw row.unreadable
        }
      }
      metrics.append(metric)
    }
    self.metrics = metrics
    self.positions = positions
    wholes = metrics.filter(\.hasDayValue).reduce(into: [:]) { wholes, whole in
      for part in whole.parts { wholes[part] = whole.position }
    }
    (self.types, entriesByString) = try Self.entries(types, positions)
  }

  private static func entries(
    _ rows: [TypeRow], _ positions: [String: Int]
  ) throws(MetricTableError) -> ([TypeKey: TypeEntry], [TypeKey: [TypeEntry]]) {
    var types: [TypeKey: TypeEntry] = [:]
    var byString: [TypeKey: [TypeEntry]] = [:]
    for row in rows {
      let entry = TypeEntry(type: row.type, position: row.metric.flatMap { positions[$0] })
      let key = TypeKey(origin: row.type.origin, name: row.type.identifier)
      guard types.updateValue(entry, forKey: key) == nil,
        row.metric == nil || entry.position != nil
      else { throw MetricTableError(line: row.line) }
      let string = TypeKey(origin: row.type.origin, name: row.type.matched)
      if !byString[string, default: []].contains(where: { $0.position == entry.position }) {
        byString[string, default: []].append(entry)
      }
    }
    return (types, byString)
  }
}

extension MetricTable {
  /// The table that is part of the program. A test reads it row by row.
  package static let shared: MetricTable = {
    do throws(MetricTableError) {
      return try MetricTable(
        parsing: Texts(
          metrics: Specification.metrics, types: Specification.wearableTypes,
          values: Specification.categoryValues, units: Specification.units))
    } catch {
      preconditionFailure("line \(error.line) of a table of metrics in spec can't be read")
    }
  }()
}
