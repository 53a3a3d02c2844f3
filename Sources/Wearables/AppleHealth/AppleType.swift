/// What a type of an export is here, looked up once.
final class AppleType: Sendable {
  let identifier: String
  let isCategory: Bool
  let isKnown: Bool
  /// The metrics that a quantity counts for.
  let metrics: [Metric]

  init(_ identifier: String, in table: MetricTable) {
    self.identifier = identifier
    isCategory = identifier.hasPrefix("HKCategoryTypeIdentifier")
    metrics = table.metrics(of: .appleHealth, type: identifier, value: "")
    isKnown =
      table.type(identifier, of: .appleHealth) != nil
      || !table.metrics(of: .appleHealth, type: identifier, value: "0").isEmpty
  }
}

/// What a category's value is here, looked up once.
final class AppleCategory: Sendable {
  let value: CategoryValue?
  let text: String
  let metrics: [Metric]

  init(_ text: String, of type: AppleType, in table: MetricTable) {
    self.text = text
    metrics = table.metrics(of: .appleHealth, type: type.identifier, value: text)
    let types =
      metrics.compactMap { $0.sourceTypes[.appleHealth] }
      + [table.type(type.identifier, of: .appleHealth)].compactMap(\.self)
    let isCoded = types.contains { !$0.values.isEmpty }
    value =
      types.lazy.compactMap { $0.value(text) }.first
      // The platform's word where the type says all.
      ?? (isCoded ? nil : CategoryValue(raw: 0, code: Self.notApplicable, text: "", rank: 0))
  }

  static let notApplicable = "HKCategoryValueNotApplicable"
}

/// What a unit is for a type, looked up once.
final class AppleUnit: Sendable {
  let text: String
  /// How a number in it becomes one of each of the type's metrics; `nil` if of one it doesn't.
  let conversions: [(metric: Metric, convert: UnitConversion)]?

  init(_ text: String, of type: AppleType) {
    self.text = text
    let known = type.metrics.compactMap { metric in
      metric.unit?.conversions[text].map { (metric: metric, convert: $0) }
    }
    conversions = known.count == type.metrics.count ? known : nil
  }
}
