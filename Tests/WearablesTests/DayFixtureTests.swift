import DayLists
import FoundationEssentials
import Testing

@testable import Wearables

/// Lists of samples with the values that `fixtures/wearables/day_values.py` computed.
@Suite("Day values of the fixtures")
struct DayFixtureTests {
  @Test(
    "are those of the second program",
    arguments: [
      "clock-changes", "travel", "sources", "listed", "named-first", "duplicates", "nights",
      "manual", "without-manual", "intake",
    ])
  func fixtures(name: String) throws {
    let lines = try Fixture.lines("fixtures/wearables/samples/\(name).csv")
    let expected = try Fixture.lines("fixtures/wearables/samples/\(name).tsv")
    for order in [lines, lines.reversed(), lines.sorted()] {
      let values = try SampleList(lines: order).values()
      #expect(values.count == expected.count, "\(values)")
      for (ours, theirs) in zip(values, expected) {
        #expect(same(ours, theirs), "\(ours) \(theirs)")
      }
    }
  }

  /// The engine writes nine digits, the other program twelve.
  private func same(_ ours: String, _ theirs: String) -> Bool {
    let pairs = zip(cells(ours), cells(theirs)).enumerated()
    return pairs.allSatisfy { column, pair in
      guard 2...4 ~= column, let one = Double(pair.0), let two = Double(pair.1) else {
        return pair.0 == pair.1
      }
      return abs(one - two) <= 5.1e-9 * abs(two)
    }
  }

  private func cells(_ line: String) -> [String] {
    line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
  }
}
