import FHIRModel

extension DayWriter {
  /// What one or several values of a day come to.
  package struct Written: Sendable {
    package let metric: Metric
    package let day: LocalDay
    /// The value, or those of a panel.
    package let values: [DayValue]
    /// The conditional update; or why no person has such a value.
    package let content: Result<Interaction, DailyValues.Refusal>
  }

  /// What is written as one: a value, or those of a panel.
  package enum Part: Sendable {
    case value(DayValue)
    case panel(DayPanel)
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
    try parts(of: &engine, since: since) { try each(written($0)) }
  }

  /// Lends all values of an engine before they are written; as `write` otherwise.
  package func parts(
    of engine: inout DayEngine, since: LocalDay? = nil, _ each: (Part) throws -> Void
  ) throws {
    var panels = DayPanels(metrics)
    try engine.finish { value in
      if let since, value.day < since { return }
      if panels.hold(value) { return }
      try each(.value(value))
    }
    try panels.drain { try each(.panel($0)) }
  }

  /// What a part comes to.
  package func written(_ part: Part) -> Written {
    switch part {
    case .value(let value):
      let content = Result { () throws(DailyValues.Refusal) in try interaction(for: value) }
      return Written(
        metric: metrics.metrics[Int(value.metric)], day: value.day, values: [value],
        content: content)
    case .panel(let panel):
      let content = Result { () throws(DailyValues.Refusal) in try interaction(for: panel) }
      return Written(
        metric: panel.metric, day: panel.day, values: panel.values, content: content)
    }
  }
}
