import KeyValue

extension Table {
  /// Texts of codes, systems and references, each with the number that stands for it in keys.
  static let terms = Table(position: 20, name: "search-terms", kind: .values)
  /// The numbers of the resources that hold a value: one key a value.
  static let postings = Table(position: 21, name: "search-postings", kind: .postings)
  /// The numbers of the resources of one subject and code, or of one code, in the order of their
  /// dates.
  static let series = Table(position: 22, name: "search-series", kind: .postings)
}
