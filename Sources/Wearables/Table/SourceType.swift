/// A type of one origin: a row of `spec/tables/wearable-types.tsv`.
package struct SourceType: Hashable, Sendable {
  package let origin: Origin
  /// Its name; what follows `#` is a stage, a field or a value of it.
  package let identifier: String
  /// The type's string in an export.
  package let matched: String
  /// The values that it may have, from the least to the worst; none for what isn't coded.
  package let values: [CategoryValue]
  /// The codes of those that count for its metric; `nil` where all do.
  package let counted: Set<String>?

  /// What an Observation is coded with.
  package var coding: Coding {
    Coding(system: origin.typeSystem, code: identifier, display: nil)
  }

  /// The value of that code or, as digits, of that number.
  package func value(_ text: String) -> CategoryValue? {
    values.first { $0.code == text } ?? Int(text).flatMap { raw in values.first { $0.raw == raw } }
  }

  /// Whether a sample of that value counts for the metric. Only what is coded can be told apart.
  func counts(_ text: String) -> Bool {
    guard let counted else { return true }
    return value(text).map { counted.contains($0.code) } ?? false
  }
}

/// A value of a category: a row of `spec/tables/category-values.tsv`.
package struct CategoryValue: Hashable, Sendable {
  /// The platform's number.
  package let raw: Int
  /// The platform's name: `HKCategoryValueSeverityMild`.
  package let code: String
  /// For a reader: `Mild`.
  package let text: String
  /// Its place among the type's values: a worse one has a greater.
  package let rank: Int
}
