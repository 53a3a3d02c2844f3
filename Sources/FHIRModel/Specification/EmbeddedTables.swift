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
  static var folding: [UInt8] {
    let table = unsafe fhir_spec_folding()
    return unsafe Array(UnsafeBufferPointer(start: table.bytes, count: table.count))
  }

  /// One row; columns that were left out at its end are empty.
  struct Row {
    fileprivate let columns: [Substring]

    subscript(position: Int) -> Substring {
      position < columns.count ? columns[position] : ""
    }
  }

  private static func text(of table: fhir_spec_table) -> String {
    // The table is a constant of the binary: its bytes are there for as long as the process.
    let bytes = unsafe UnsafeBufferPointer(start: table.bytes, count: table.count)
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  private static func rows(of table: fhir_spec_table) -> [Row] {
    unsafe text(of: table).utf8.split(separator: UInt8(ascii: "\n")).map { line in
      Row(
        columns: line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
          .map { Substring($0) })
    }
  }
}

extension Substring {
  /// The parts between separators, empty ones left out. By bytes, which is far cheaper than by
  /// characters and the same for what the tables hold.
  func parts(by separator: Unicode.Scalar) -> [Substring] {
    utf8.split(separator: UInt8(ascii: separator)).map { Substring($0) }
  }
}
