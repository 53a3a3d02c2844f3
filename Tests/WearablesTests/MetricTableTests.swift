import Testing

@testable import Wearables

@Suite("The table of metrics")
struct MetricTableTests {
  private let columns = [
    "metric", "title", "unit", "ucum", "least", "most", "aggregation", "category", "codings",
    "minimum",
    "maximum",
  ].joined(separator: "\t")
  private let mood = "mood\tMood\tpoints\t{score}\t0\t10\tlast\ts|c|C\ts|m|Mood"

  private func table(_ row: String) throws -> MetricTable {
    try MetricTable(parsing: .init(metrics: "# a comment\n\(columns)\n\(row)\n"))
  }

  @Test("is read whole, and every LOINC code in it carries its right check digit")
  func loincCodes() {
    let metrics = MetricTable.shared.metrics
    #expect(metrics.count >= 12)
    for metric in metrics {
      let extremes = [metric.extremes?.minimum, metric.extremes?.maximum].compactMap(\.self)
      for coding in metric.codings + extremes where coding.system == "http://loinc.org" {
        #expect(hasRightCheckDigit(coding.code), "\(coding.code)")
      }
    }
    #expect(!hasRightCheckDigit("93819-6"))
  }

  /// Luhn's digit over the number before the hyphen (LOINC Users' Guide, appendix C).
  private func hasRightCheckDigit(_ code: String) -> Bool {
    let parts = code.split(separator: "-")
    guard parts.count == 2, let check = Int(parts[1]) else { return false }
    let sum = parts[0].reversed().enumerated().reduce(0) { sum, next in
      guard let digit = next.element.wholeNumberValue else { return sum }
      let doubled = digit * (next.offset.isMultiple(of: 2) ? 2 : 1)
      return sum + doubled / 10 + doubled % 10
    }
    return (sum + check).isMultiple(of: 10)
  }

  @Test("gives RMSSD no LOINC code, and resting heart rate one alone")
  func decidedCodes() throws {
    let rmssd = try #require(MetricTable.shared["heart_rate_variability_rmssd"])
    #expect(rmssd.codings.map(\.system) == ["urn:kiln:metric"])
    let resting = try #require(MetricTable.shared["resting_heart_rate"])
    #expect(resting.codings.map(\.code) == ["40443-4"])
  }

  @Test("grows by a row")
  func grows() throws {
    let table = try table(mood)
    #expect(table["mood"]?.codings == [Coding(system: "s", code: "m", display: "Mood")])
    #expect(table["mood"]?.extremes == nil)
  }

  @Test("names the line that can't be read")
  func broken() {
    let wrong = [
      "mood", mood.replacing("\t10\t", with: "\t0\t"), mood.replacing("s|m|Mood", with: "s|m"),
      mood.replacing("s|c|C", with: ""), mood + "\ts|low|Low", mood.replacing("mood\t", with: "\t"),
      mood.replacing("last", with: "first"), mood.replacing("\t0\t", with: "\tnone\t"),
    ]
    for row in wrong {
      #expect(throws: MetricTableError(line: 3), "\(row)") { try table(row) }
    }
    #expect(throws: MetricTableError(line: 4)) { try table("\(mood)\n\(mood)") }
  }
}
