/// The time of one metric that at least one sample covers.
struct DurationSweep {
  /// Up to here time is counted.
  private var position = Int64.min

  /// Takes the next sample by start.
  ///
  /// - Parameter day: the day to which all of it belongs; `nil` to clip it to its days.
  mutating func take(
    _ sample: Sample, on day: Int?, _ days: inout OpenDays, _ zones: inout ZoneList
  ) {
    var start = max(sample.start, position)
    position = max(position, sample.end)
    guard sample.end > start else { return }
    if let day {
      return days.with(day) {
        $0.note(sample)
        $0.duration += sample.end - start
      }
    }
    var last: Int?
    while start < sample.end {
      let span = zones.span(at: start, in: sample.zone)
      let stop = min(sample.end, span.end)
      let isNew = span.number != last
      last = span.number
      days.with(span.number) {
        if isNew { $0.note(sample) }
        $0.duration += stop - start
      }
      start = stop
    }
  }
}
