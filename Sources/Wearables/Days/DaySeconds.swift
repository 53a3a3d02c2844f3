import Synchronization

/// When the days of an import's zones begin and end, as far as it was asked: every metric has a value
/// of nearly every day, and to find a day's ends takes many looks at its zone.
final class DaySeconds: Sendable {
  private struct Place: Hashable {
    let day: Int
    let zone: UInt16
  }

  private let known = Mutex<[Place: Range<Int>]>([:])

  /// The same as `zones.seconds(of: day, in: zone)`, always with the same zones.
  func seconds(of day: LocalDay, in zone: UInt16, of zones: ZoneList) -> Range<Int> {
    let place = Place(day: day.number, zone: zone)
    if let known = known.withLock({ $0[place] }) { return known }
    let seconds = zones.seconds(of: day, in: zone)
    known.withLock { $0[place] = seconds }
    return seconds
  }
}
