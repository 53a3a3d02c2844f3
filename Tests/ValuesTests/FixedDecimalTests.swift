import FHIRModel
import Testing

@Suite("A fixed decimal")
struct FixedDecimalTests {
  @Test(
    "keeps twenty places and says nothing more than was said",
    arguments: [
      ("0", "0"), ("-0", "0"), ("71.50", "71.5"), ("-0.05", "-0.05"), ("100", "100"),
      ("999999999999.99999999999999999999", "999999999999.99999999999999999999"),
      ("0.000000000000000000019", "0.00000000000000000001"), ("1e-3", "0.001"),
      ("1.25E+2", "125"), ("-7e-30", "0"), ("12e10", "120000000000"),
    ])
  func reading(written: String, kept: String) throws {
    #expect(try #require(FixedDecimal(written.utf8)).description == kept)
  }

  @Test("is none beyond twelve digits", arguments: ["1234567890123", "1e13", "-1e400"])
  func tooLarge(written: String) {
    #expect(FixedDecimal(written.utf8) == nil)
  }

  @Test("adds up exactly, and divides to six places with halves away from zero")
  func computing() throws {
    let tenth = try #require(FixedDecimal("0.1".utf8))
    let sum = (0..<3).reduce(FixedDecimal.zero) { sum, _ in sum + tenth }
    #expect(sum.description == "0.3")
    #expect(sum.divided(by: 7).description == "0.042857")
    let half = try #require(FixedDecimal("0.0000025".utf8))
    #expect(half.divided(by: 1).description == "0.000003")
    let negative = try #require(FixedDecimal("-0.0000025".utf8))
    #expect(negative.divided(by: 1).description == "-0.000003")
    #expect(negative < FixedDecimal.zero && FixedDecimal.zero < half)
  }
}
