import FHIRModel

/// Where a person lives, by instant: one zone, or several one after the other.
package struct HomeZone: Sendable {
  /// A zone from its second on; the first stretch has no beginning.
  struct Stretch: Sendable {
    var since: Int
    var name: String
    var zone: Zone
  }

  /// Rising.
  let stretches: [Stretch]
  /// As given.
  package let entries: [String]
  /// For a report.
  package var description: String { entries.joined(separator: ", ") }

  /// Why a home zone can't be read.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// Reads `["Europe/Budapest", "2024-01-01=Asia/Tokyo"]`: at home in Budapest, and from the
  /// beginning of that day in Tokyo on in Tokyo. The order doesn't matter; one entry has no date.
  ///
  /// - Throws: `Failure` naming the entry.
  package init(parsing entries: [String]) throws(Failure) {
    var stretches: [Stretch] = []
    for entry in entries { stretches.append(try Self.stretch(entry)) }
    stretches.sort { $0.since < $1.since }
    guard stretches.first?.since == Int.min else {
      throw Failure(description: "a home zone without a date is missing, such as Europe/Budapest")
    }
    for (one, next) in zip(stretches, stretches.dropFirst()) where one.since == next.since {
      throw Failure(description: "two home zones begin at the same time")
    }
    self.stretches = stretches
    self.entries = entries
  }

  private static func stretch(_ entry: String) throws(Failure) -> Stretch {
    let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.last, let zone = Zone(String(name)) else {
      throw Failure(description: "“\(entry)” names no time zone such as Europe/Budapest")
    }
    guard parts.count == 2 else { return Stretch(since: .min, name: String(name), zone: zone) }
    guard let day = LocalDay(String(parts[0])) else {
      throw Failure(description: "“\(entry)” doesn't begin with a day such as 2024-01-01")
    }
    return Stretch(
      since: zone.firstSecond(of: day.number), name: String(name), zone: zone)
  }

  /// The zone at home at that second.
  func zone(at second: Int) -> Zone { stretches[stretch(at: second)].zone }

  func stretch(at second: Int) -> Int {
    (stretches.lastIndex { $0.since <= second }) ?? 0
  }

  /// The seconds of a stretch, the last one without an end.
  func seconds(of stretch: Int) -> Range<Int> {
    stretches[stretch].since..<(stretch + 1 < stretches.count ? stretches[stretch + 1].since : .max)
  }

  /// From the first second of a day at home to its last; empty where there is none. On the day of a
  /// move it lasts longer or shorter than others.
  func seconds(of day: LocalDay) -> Range<Int> {
    let parts = stretches.indices.map {
      stretches[$0].zone.seconds(of: day).clamped(to: seconds(of: $0))
    }.filter { !$0.isEmpty }
    guard let first = parts.first, let last = parts.last else { return 0..<0 }
    return first.lowerBound..<last.upperBound
  }
}
