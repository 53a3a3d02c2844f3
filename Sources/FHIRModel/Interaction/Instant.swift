/// A moment, in ticks of 100 nanoseconds since 1970-01-01T00:00:00Z, without leap seconds.
package struct Instant: Hashable, Comparable, Sendable {
  package var ticks: Int64

  package init(ticks: Int64) { self.ticks = ticks }

  @inlinable package static var ticksPerSecond: Int64 { 10_000_000 }

  package static func < (left: Instant, right: Instant) -> Bool { left.ticks < right.ticks }
}
