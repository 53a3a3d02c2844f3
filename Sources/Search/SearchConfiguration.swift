import FHIRModel

/// What searches need to know of the server they run in.
package struct SearchConfiguration: Sendable {
  /// The public address under which this server's resources stand, without a slash at its end:
  /// references that begin with it are the same as relative ones. `nil` if there is none.
  package var baseURL: String?
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
    baseURL: String?, zoneOffset: UTCOffset = .utc, pageKey: [UInt8], pageCountDefault: Int = 50,
    pageCountMaximum: Int = 1000, now: @escaping @Sendable () -> Instant
  ) {
    self.baseURL = baseURL
    self.zoneOffset = zoneOffset
    self.pageKey = pageKey
    self.pageCountDefault = pageCountDefault
    self.pageCountMaximum = pageCountMaximum
    self.now = now
  }
}
