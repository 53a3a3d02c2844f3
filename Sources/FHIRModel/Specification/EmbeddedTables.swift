import FHIRSpec

/// The tables of `spec/`, as they are embedded in the binary.
enum EmbeddedTables {
  static var types: [Row] { unsafe rows(of: fhir_spec_types()) }
  static var elements: [Row] { unsafe rows(of: fhir_spec_elements()) }
  static var codes: [Row] { unsafe rows(of: fhir_spec_codes()) }
  static var searchParameters: [Row] { unsafe rows(of: fhir_spec_search_parameters()) }
  static var compartments: [Row] { unsafe rows(of: fhir_spec_compartments()) }
  static var narrative: [Row] { unsafe rows(of: fhir_spec_narrative()) }
  static var metrics: String { unsafe text(of: fhir_spec_metrics()) }
  static var dstu2: String { unsafe text(of: fhir_spec_dstu2()) }
  static var wearableTypes: String { unsafe text(of: fhir_spec_wearable_types()) }
  static var categoryValues: String { unsafe text(of: fhir_spec_category_values()) }
  static var units: String { unsafe text(of: fhir_spec_units()) }
  static var healthConnect: String { unsafe text(of: fhir_spec_health_connect()) }

  /// The text of the table that `Folding` reads.
  static var folding: [UInt8] { unsafe bytes(of: fhir_spec_folding()) }

  fileprivate static var searchParameterBytes: [UInt8] {
    unsafe bytes(of: fhir_spec_search_parameters())
  }

  private static func bytes(of table: fhir_spec_table) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: table.bytes, count: table.count))
  }

  /// One row; columns that were left out at its end are empty.
  struct Row {
    fileprivate let columns: [TableText]

    subscript(position: Int) -> TableText {
      position < columns.count ? columns[position] : TableText("")
    }
  }

  private static func text(of table: fhir_spec_table) -> String {
    unsafe String(decoding: bytes(of: table), as: UTF8.self)
  }

  private static func rows(of table: fhir_spec_table) -> [Row] {
    unsafe TableText(bytes(of: table)).parts(by: "\n").map { line in
      Row(columns: line.pieces(between: "\t"))
    }
  }
}

extension Specification {
  /// The bytes of the tables that say what a search parameter finds: those of the parameters, and
  /// those of text without case and accents.
  package static var bytesOfSearch: [UInt8] {
    EmbeddedTables.searchParameterBytes + EmbeddedTables.folding
  }
}
