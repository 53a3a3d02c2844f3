import FHIRModel

/// What searches need to know of the server they run in.
package struct SearchConfiguration: Sendable {
  /// References that begin with one of these are the same as relative ones.
  package var addresses: OwnAddresses
  /// The offset of date values that have none of their own.
  package var zoneOffset: UTCOffset
  /// The key that seals the places where pages begin.
  package var pageKey: [UInt8]
  /// The matches on a page for which no `_count` was given.
  package var pageCountDefault: Int
  /// The most matches on a page, whatever `_count` says.
  package var pageCountMaximum: Int
  /// The current time: `ap` is nearer the nearer a date is to it.
  package var now: @Sendable () -> Instant

  package init(
    addresses: OwnAddresses, zoneOffset: UTCOffset = .utc, pageKey: [UInt8],
    pageCountDefault: Int = 50,
    pageCountMaximum: Int = 1000, now: @escaping @Sendable () -> Instant
  ) {
    self.addresses = addresses
    self.zoneOffset = zoneOffset
    self.pageKey = pageKey
    self.pageCountDefault = pageCountDefault
    self.pageCountMaximum = pageCountMaximum
    self.now = now
  }
}
