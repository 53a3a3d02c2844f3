import FHIRModel
import KeyValue
import Search

extension ResourceStore {
  /// A digest takes all matches at once, up to this many.
  private static let digestedCountMaximum = 1_000_000

  /// What a search's matches come to, without a page of them.
  func digest(
    _ digest: Digest, of query: Query, in reader: borrowing Reader, source: any ResourceSource
  ) throws -> SearchPage {
    var plan = try index.plan(query)
    plan.pageCount = Self.digestedCountMaximum
    plan.total = .none
    let found = try index.run(plan, in: reader, source: source)
    var builder = DigestBuilder(digest)
    for number in found.numbers {
      guard let document = try document(of: number, in: reader) else { continue }
      builder.add(document.root)
    }
    return SearchPage(
      total: nil, used: found.used, next: nil, warnings: found.warnings,
      digest: builder.rows)
  }
}
