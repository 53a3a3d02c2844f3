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
    unsafe text(of: table)[...].pieces(between: "\n").map { line in
      Row(columns: line.pieces(between: "\t", keepingEmpty: true))
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

extension Substring {
  /// The parts between separators, empty ones left out.
  func parts(by separator: Unicode.Scalar) -> [Substring] { pieces(between: separator) }

  /// The parts between separators. By bytes, which is far cheaper than by characters and the same for
  /// what the tables hold.
  ///
  /// - Precondition: the separator is of ASCII.
  package func pieces(
    between separator: Unicode.Scalar, keepingEmpty keepsEmpty: Bool = false
  ) -> [Substring] {
    let wanted = UInt8(ascii: separator)
    let bytes = utf8.span
    var pieces: [Substring] = []
    var (start, offset) = (startIndex, 0)
    for position in bytes.indices where bytes[position] == wanted {
      let end = utf8.index(start, offsetBy: position - offset)
      if keepsEmpty || end > start { pieces.append(self[start..<end]) }
      (start, offset) = (utf8.index(after: end), position + 1)
    }
    if keepsEmpty || start < endIndex { pieces.append(self[start...]) }
    return pieces
  }
}
