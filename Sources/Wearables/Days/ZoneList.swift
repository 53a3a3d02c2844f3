/// The zones of one import, by the positions that samples hold; position 0 is the home zone.
package struct ZoneList: Sendable {
  package let home: HomeZone
  private var homeDays: [ZoneDays]
  private var others: [ZoneDays?] = [nil]
  private var names: [String] = [""]
  private var positions: [String: UInt16] = [:]

  package init(home: HomeZone) {
    self.home = home
    homeDays = home.stretches.map { ZoneDays($0.zone) }
  }

  /// The position of a named zone; `nil` if there is none of that name.
  package mutating func position(named name: String) -> UInt16? {
    if let known = positions[name] { return known }
    if home.stretches.count == 1, home.description == name { return 0 }
    guard let zone = Zone(name) else { return nil }
    return add(zone, named: name)
  }

  /// The position for a sample of which only the offset from UTC is known; the home zone where that
  /// has the same offset then. `nil` for an offset that no clock has.
  ///
  /// - Parameters:
  ///   - offset: in seconds, east of UTC positive.
  ///   - instant: milliseconds since 1970.
  package mutating func position(offset: Int, at instant: Int64) -> UInt16? {
    let second = Int(instant.flooredQuotient(by: 1_000))
    if home.zone(at: second).offset(at: second) == offset { return 0 }
    let name = "\(offset)"
    if let known = positions[name] { return known }
    guard let zone = Zone(offset: offset) else { return nil }
    return add(zone, named: name)
  }

  private mutating func add(_ zone: Zone, named name: String) -> UInt16? {
    guard others.count < Int(UInt16.max) else { return nil }
    let position = UInt16(others.count)
    others.append(ZoneDays(zone))
    names.append(name)
    positions[name] = position
    return position
  }

  /// The zone of a position at an instant (milliseconds since 1970).
  func zone(_ position: UInt16, at instant: Int64) -> Zone {
    others[Int(position)]?.zone ?? home.zone(at: Int(instant.flooredQuotient(by: 1_000)))
  }

  /// The name by which two zones are told apart; empty for the home zone.
  func name(of position: UInt16) -> String { names[Int(position)] }

  /// The day that holds the instant in the zone of that position, without what lies in another
  /// home's time.
  mutating func span(at instant: Int64, in position: UInt16) -> DaySpan {
    if position != 0 { return others[Int(position)]?.span(at: instant) ?? homeSpan(at: instant) }
    return homeSpan(at: instant)
  }

  private mutating func homeSpan(at instant: Int64) -> DaySpan {
    if homeDays.count == 1 { return homeDays[0].span(at: instant) }
    let stretch = home.stretch(at: Int(instant.flooredQuotient(by: 1_000)))
    var span = homeDays[stretch].span(at: instant)
    let seconds = home.seconds(of: stretch)
    if seconds.lowerBound != .min {
      span.start = max(span.start, Int64(seconds.lowerBound) * 1_000)
    }
    if seconds.upperBound != .max { span.end = min(span.end, Int64(seconds.upperBound) * 1_000) }
    return span
  }

  /// From the first second of a day to its last, in the zone of that position.
  func seconds(of day: LocalDay, in position: UInt16) -> Range<Int> {
    others[Int(position)]?.zone.seconds(of: day) ?? home.seconds(of: day)
  }
}
