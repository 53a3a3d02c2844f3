/// What was gathered for one day of one metric so far.
struct DayTally {
  var sum = ExactSum()
  /// Milliseconds.
  var duration: Int64 = 0
  var minimum = Double.infinity
  var maximum = -Double.infinity
  var last: Sample?
  var sampleCount = 0
  var manualCount = 0
  /// Rising.
  private(set) var sources: [UInt16] = []
  private(set) var zone: UInt16?

  /// Counts a sample, of which this day has a part.
  mutating func note(_ sample: Sample) {
    sampleCount += 1
    if sample.isManual { manualCount += 1 }
    if zone == nil { zone = sample.zone } else if zone != sample.zone { zone = 0 }
    note(source: sample.source)
  }

  private mutating func note(source: UInt16) {
    var place = 0
    var end = sources.count
    while place < end {
      let middle = (place + end) / 2
      if sources[middle] < source { place = middle + 1 } else { end = middle }
    }
    if place == sources.count || sources[place] != source { sources.insert(source, at: place) }
  }

  /// Takes in a reading as a whole.
  mutating func take(_ sample: Sample) {
    note(sample)
    sum.add(sample.value)
    minimum = min(minimum, sample.value)
    maximum = max(maximum, sample.value)
    if last.map({ $0.isBefore(sample) }) ?? true { last = sample }
  }

  func value(_ metric: UInt16, on day: LocalDay, by kind: DayRule.Kind) -> DayValue {
    let hasExtremes = kind == .average
    return DayValue(
      metric: metric, day: day, zone: zone ?? 0, value: number(by: kind).roundedForDay,
      minimum: hasExtremes ? minimum.roundedForDay : nil,
      maximum: hasExtremes ? maximum.roundedForDay : nil,
      sampleCount: sampleCount, manualCount: manualCount, sources: sources)
  }

  private func number(by kind: DayRule.Kind) -> Double {
    switch kind {
    case .sum, .total: sum.value
    case .duration(let unit): Double(duration) / unit
    case .average: min(max(sum.value / Double(sampleCount), minimum), maximum)
    case .last: last?.value ?? 0
    case .maximum: maximum
    case .count: Double(sampleCount)
    }
  }
}

extension Sample {
  /// Whether the other one is the later reading; of two at the same time the one changed later is,
  /// then the greater.
  fileprivate func isBefore(_ other: Sample) -> Bool {
    if end != other.end { return end < other.end }
    if start != other.start { return start < other.start }
    return modified != other.modified ? modified < other.modified : value < other.value
  }
}
