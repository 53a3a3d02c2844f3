/// The values of a day that are told together: two pressures are one blood pressure.
package struct DayPanel: Sendable {
  /// The metric that has them as its parts.
  package let metric: Metric
  package let day: LocalDay
  /// In the order of the metric's parts; one may be missing.
  package fileprivate(set) var values: [DayValue]
}

/// Holds back the values that are parts of others until all of them are there.
package struct DayPanels {
  private let metrics: MetricTable
  /// By the position of a part: the metric that it is part of, and the place among its parts.
  private let wholes: [UInt16: (metric: Metric, place: Int)]
  private var panels: [Key: DayPanel] = [:]

  private struct Key: Hashable {
    let whole: Int
    let day: LocalDay
  }

  package init(_ metrics: MetricTable = .shared) {
    self.metrics = metrics
    var wholes: [UInt16: (metric: Metric, place: Int)] = [:]
    for metric in metrics.metrics where metric.hasDayValue {
      for (place, part) in metrics.parts(of: metric).enumerated() {
        wholes[UInt16(part.position)] = (metric, place)
      }
    }
    self.wholes = wholes
  }

  /// Takes a value that is part of another; `false` for one that stands for itself.
  package mutating func hold(_ value: DayValue) -> Bool {
    guard let whole = wholes[value.metric] else { return false }
    let key = Key(whole: whole.metric.position, day: value.day)
    panels[key, default: DayPanel(metric: whole.metric, day: value.day, values: [])].values
      .append(value)
    return true
  }

  /// Lends what was held, by metric and day; then nothing is held any more.
  package mutating func drain(_ each: (DayPanel) throws -> Void) rethrows {
    let sorted = panels.sorted { ($0.key.whole, $0.key.day) < ($1.key.whole, $1.key.day) }
    panels = [:]
    for var panel in sorted.map(\.value) {
      panel.values.sort {
        (wholes[$0.metric]?.place ?? 0, $0.metric) < (wholes[$1.metric]?.place ?? 0, $1.metric)
      }
      try each(panel)
    }
  }
}
