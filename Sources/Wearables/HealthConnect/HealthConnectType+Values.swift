extension HealthConnectType {
  /// Whether a record is of the kind that counts: glucose in blood, not in tears. Where this export
  /// doesn't tell, it does.
  func takes(_ detail: Int?) -> Bool {
    guard let filter, let detail else { return true }
    return filter.values.contains(detail)
  }

  /// The values of a row in the units of the metrics that it counts for, one each: numbers, or of what
  /// is coded the place of the value among those of the type.
  ///
  /// - Parameter stored: as the export has them.
  func values(
    _ stored: [Double?], for metrics: [Metric]
  ) -> Result<[Double], HealthConnectReport.Reason> {
    if shape == .event { return .success([1]) }
    var values: [Double] = []
    for (number, metric) in zip(stored, metrics) {
      guard let number else { return .failure(.noValue) }
      guard let value = value(number, of: metric) else { return .failure(.unknownValue) }
      values.append(value)
    }
    return values.count == metrics.count ? .success(values) : .failure(.noValue)
  }

  private func value(_ number: Double, of metric: Metric) -> Double? {
    guard let coded = metric.sourceTypes[.healthConnect]?.values, !coded.isEmpty else {
      return metric.converted(number, from: unit)
    }
    return coded.first { Double($0.raw) == number }.map { Double($0.rank) }
  }
}
