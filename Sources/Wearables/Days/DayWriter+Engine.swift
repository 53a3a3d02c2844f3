import FHIRModel

extension DayWriter {
  /// What one or several values of a day come to.
  package struct Written {
    package let metric: Metric
    package let day: LocalDay
    /// The value, or those of a panel.
    package let values: [DayValue]
    /// The conditional update; or why no person has such a value.
    package let content: Result<Interaction, DailyValues.Refusal>
  }

  /// Lends what all values of an engine come to, the parts of a panel as one; then the engine is
  /// empty.
  ///
  /// - Parameters:
  ///   - engine: that of which this writer was made.
  ///   - since: leaves out the days before.
  package func write(
    _ engine: inout DayEngine, since: LocalDay? = nil, _ each: (Written) throws -> Void
  ) throws {
    var panels = DayPanels(metrics)
    try engine.finish { value in
      if let since, value.day < since { return }
      if panels.hold(value) { return }
      let content = Result { () throws(DailyValues.Refusal) in try interaction(for: value) }
      try each(
        Written(
          metric: metrics.metrics[Int(value.metric)], day: value.day, values: [value],
          content: content))
    }
    try panels.drain { panel in
      let content = Result { () throws(DailyValues.Refusal) in try interaction(for: panel) }
      try each(
        Written(metric: panel.metric, day: panel.day, values: panel.values, content: content))
    }
  }
}
