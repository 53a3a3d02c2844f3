/// What stands in the store can't be read: it was damaged, or written by something else.
package enum StoreError: Error, Hashable, Sendable {
  /// A value ends early or holds what the format doesn't know.
  case unreadable(table: String, key: [UInt8])
  /// One entry speaks of another that isn't there.
  case missing(table: String, key: [UInt8])
}
