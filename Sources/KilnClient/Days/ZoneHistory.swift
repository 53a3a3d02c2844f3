import Foundation

/// The zones in which a person was, as far as the app saw it: what was a day in Tokyo stays one after
/// the flight home.
struct ZoneHistory: Hashable, Sendable {
  /// From `since` on the person was in that zone.
  struct Stay: Hashable, Codable, Sendable {
    let since: Date
    let timeZone: String
  }

  /// Rising; before the first, its zone held too.
  private(set) var stays: [Stay]

  init(stays: [Stay] = []) { self.stays = stays.sorted { $0.since < $1.since } }

  /// Notes where the person is now, to the second. A moment before the last change says nothing new: then the
  /// phone's clock was set back.
  ///
  /// - Returns: whether that is news.
  mutating func note(_ timeZone: TimeZone, at moment: Date) -> Bool {
    guard isNews(timeZone, at: moment) else { return false }
    let now = Date(timeIntervalSince1970: moment.timeIntervalSince1970.rounded(.down))
    stays.append(Stay(since: now, timeZone: timeZone.identifier))
    return true
  }

  /// Whether noting it would say something new.
  func isNews(_ timeZone: TimeZone, at moment: Date) -> Bool {
    let now = Date(timeIntervalSince1970: moment.timeIntervalSince1970.rounded(.down))
    return stays.last?.timeZone != timeZone.identifier
      && now > stays.last?.since ?? .distantPast
  }

  /// The interval of a local day, from one midnight to the next, each where the person was then: on
  /// the day of a flight it is longer or shorter by the hours between the zones. Neighbouring days
  /// neither overlap nor leave a gap.
  ///
  /// - Returns: the day with the zone in which it ends; `nil` if nothing of it is left.
  func window(of day: LocalDay) -> DayWindow? {
    guard let start = self.start(of: day), let end = self.start(of: day.advanced(by: 1)),
      start.moment < end.moment
    else { return nil }
    return DayWindow(
      day: day, interval: DateInterval(start: start.moment, end: end.moment),
      timeZone: end.timeZone)
  }

  /// Whether the person moved within a day of the window, which can move what happened to another day.
  func hasChange(near window: DayWindow) -> Bool {
    let start = window.interval.start.addingTimeInterval(-86_400)
    let end = window.interval.end.addingTimeInterval(86_400)
    return stays.dropFirst().contains { start <= $0.since && $0.since <= end }
  }

  /// The local day at a moment; `nil` as long as no zone is known.
  func day(at moment: Date) -> LocalDay? {
    let stay = stays.last { $0.since <= moment } ?? stays.first
    return (stay?.timeZone).flatMap(TimeZone.init(identifier:)).map {
      LocalCalendar($0).day(at: moment)
    }
  }

  /// The last moment before which the date was earlier than `day`, and the zone just before it.
  private func start(of day: LocalDay) -> (moment: Date, timeZone: String)? {
    for (position, stay) in stays.enumerated().reversed() {
      guard let zone = TimeZone(identifier: stay.timeZone) else { continue }
      let calendar = LocalCalendar(zone)
      if position > 0, calendar.day(at: stay.since) >= day { continue }
      let midnight = calendar.start(of: day)
      let next = position + 1 < stays.count ? stays[position + 1].since : .distantFuture
      return (min(midnight, next), stay.timeZone)
    }
    return nil
  }
}

/// A local day as an interval of time.
struct DayWindow: Hashable, Sendable {
  let day: LocalDay
  let interval: DateInterval
  /// The name of the zone in which the day ends.
  let timeZone: String
}

/// Days of the same length, one after the other: what one statistics query can ask for. The clocks
/// change within none of them, so seconds are enough to say where each begins.
struct WindowRun: Hashable, Sendable {
  private(set) var windows: [DayWindow]

  var start: Date { windows[0].interval.start }
  var end: Date { windows[windows.count - 1].interval.end }
  var bucketSeconds: Int { Int(windows[0].interval.duration) }

  /// Parts rising windows into runs.
  static func runs(of windows: [DayWindow], countMaximum: Int) -> [WindowRun] {
    var runs: [WindowRun] = []
    for window in windows {
      if let last = runs.last, last.end == window.interval.start,
        last.bucketSeconds == Int(window.interval.duration), last.windows.count < countMaximum
      {
        runs[runs.count - 1].windows.append(window)
      } else {
        runs.append(WindowRun(windows: [window]))
      }
    }
    return runs
  }
}
