extension Specification {
  /// The texts of the tables of what phones measure, which the room Wearables reads.
  package static var metrics: String { EmbeddedTables.metrics }
  package static var wearableTypes: String { EmbeddedTables.wearableTypes }
  package static var categoryValues: String { EmbeddedTables.categoryValues }
  package static var units: String { EmbeddedTables.units }

  /// The text of the table of what changed from DSTU2 to R4, which the room Wearables reads.
  package static var dstu2: String { EmbeddedTables.dstu2 }

  /// The text of the table that says where a Health Connect export holds what.
  package static var healthConnect: String { EmbeddedTables.healthConnect }
}
