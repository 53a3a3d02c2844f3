extension Specification {
  /// The text of the table of daily metrics, which the room Wearables reads.
  package static var metrics: String { EmbeddedTables.metrics }
}
