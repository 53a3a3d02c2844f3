/// The zones of one import, by the positions that samples hold; position 0 is the home zone.
package struct ZoneList: Sendable {
  package let home: HomeZone
  private var homeDays: [ZoneDays]
  private var others: [ZoneDays?] = [nil]
  /// As `position(written:)` reads them; the home zone's is empty.
  private(set) var names: [String] = [""]
  /// The offset of those that are nothing but an offset.
  private var offsets: [Int?] = [nil]
  private var positions: [String: UInt16] = [:]
  private var homeOffset = (span: DaySpan(number: 0, start: 0, end: 0), offset: 0)

  package init(home: HomeZone) {
    self.home = home
    homeDays = home.stretches.map { ZoneDays($0.zone) }
  }

  /// The position of a named zone; `nil` if there is none of that name.
  package mutating func position(named name: String) -> UInt16? {
    if let known = positions[name] { return known }
    guard let zone = Zone(name) else { return nil }
    return add(zone, named: name, offset: nil)
  }

  /// The position for a sample of which only the offset from UTC is known, in seconds, east of UTC
  /// positive. `nil` for an offset that no clock has.
  package mutating func position(offset: Int) -> UInt16? {
    guard let name = Self.name(ofOffset: offset) else { return nil }
    if let known = positions[name] { return known }
    guard let zone = Zone(offset: offset) else { return nil }
    return add(zone, named: name, offset: offset)
  }

  /// The position of what `names` holds: nothing for home, a name, an offset (+05:45, -03:30:52).
  package mutating func position(written text: String) -> UInt16? {
    if text.isEmpty { return 0 }
    if let known = positions[text] { return known }
    guard let sign = text.first, "+-".contains(sign) else { return position(named: text) }
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.utf8.count == 2 ? Int($0) : nil }
    guard numbers.count == parts.count, 2...3 ~= numbers.count else { return nil }
    let seconds = zip(numbers, [3_600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
    return position(offset: sign == "-" ? -seconds : seconds)
  }

  private static func name(ofOffset offset: Int) -> String? {
    guard offset.magnitude <= 86_400 else { return nil }
    let seconds = Int(offset.magnitude)
    let parts = [seconds / 3_600, seconds / 60 % 60] + (seconds % 60 == 0 ? [] : [seconds % 60])
    return (offset < 0 ? "-" : "+")
      + parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  private mutating func add(_ zone: Zone, named name: String, offset: Int?) -> UInt16? {
    guard others.count < Int(UInt16.max) else { return nil }
    let position = UInt16(others.count)
    others.append(ZoneDays(zone))
    names.append(name)
    offsets.append(offset)
    positions[name] = position
    return position
  }

  /// The home zone's position for a sample whose zone is none other from its start to its end: the
  /// same by name, or an offset that home had then.
  mutating func zone(of sample: Sample) -> UInt16 {
    guard sample.zone != 0, isHome(sample.zone, at: sample.start),
      sample.end == sample.start || isHome(sample.zone, at: sample.end)
    else { return sample.zone }
    return 0
  }

  /// Whether home had that offset, in seconds, at an instant (milliseconds since 1970).
  mutating func isHome(offset: Int, at instant: Int64) -> Bool {
    offset == offsetAtHome(at: instant)
  }

  private mutating func isHome(_ position: UInt16, at instant: Int64) -> Bool {
    if let offset = offsets[Int(position)] { return isHome(offset: offset, at: instant) }
    let stretch = home.stretch(at: Int(instant.flooredQuotient(by: 1_000)))
    return names[Int(position)] == home.stretches[stretch].name
  }

  /// The offset at home; remembered for a day on which the clocks don't change.
  private mutating func offsetAtHome(at instant: Int64) -> Int {
    let span = homeSpan(at: instant)
    if span == homeOffset.span { return homeOffset.offset }
    func offset(at instant: Int64) -> Int {
      let second = Int(instant.flooredQuotient(by: 1_000))
      return home.zone(at: second).offset(at: second)
    }
    let found = offset(at: instant)
    if offset(at: span.start) == found, offset(at: span.end - 1) == found {
      homeOffset = (span, found)
    }
    return found
  }

  /// The zone of a position at an instant (milliseconds since 1970).
  func zone(_ position: UInt16, at instant: Int64) -> Zone {
    others[Int(position)]?.zone ?? home.zone(at: Int(instant.flooredQuotient(by: 1_000)))
  }

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
