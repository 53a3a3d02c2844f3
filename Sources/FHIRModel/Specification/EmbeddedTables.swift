import FHIRSpec

/// The tables of `spec/`, which are part of the program.
enum EmbeddedTable {
  static var types: String { unsafe text(fhir_spec_types()) }
  static var elements: String { unsafe text(fhir_spec_elements()) }
  static var codes: String { unsafe text(fhir_spec_codes()) }
  static var searchParameters: String { unsafe text(fhir_spec_search_parameters()) }
  static var compartments: String { unsafe text(fhir_spec_compartments()) }

  // The bytes are constants of the C target: they live as long as the program.
  private static func text(_ table: fhir_spec_table) -> String {
    unsafe String(
      decoding: UnsafeBufferPointer(start: table.bytes, count: table.count), as: UTF8.self)
  }
}

extension String {
  /// The rows of a table, each with its columns.
  var rows: some Sequence<[Substring]> {
    split(separator: "\n").lazy.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
  }
}

extension [Substring] {
  /// The column, or nothing where a row ends before it.
  func column(_ position: Int) -> Substring { position < count ? self[position] : "" }
}
