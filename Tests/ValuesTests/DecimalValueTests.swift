import FHIRModel
import Testing

@Suite("a decimal")
struct DecimalValueTests {
  // In the order of Python's decimal; texts in one row are equal there.
  static let ascending: [[String]] = [
    ["-1e400"],
    ["-10"],
    ["-1.5", "-1.50"],
    ["-1"],
    ["-0.50"],
    ["-1E-245"],
    ["-1e-999999"],
    ["0", "-0", "0.00", "0e5"],
    ["1E-245"],
    ["1e-62"],
    ["1e-61"],
    ["1e-60"],
    ["1e-59"],
    ["0.00000001"],
    ["0.01"],
    ["0.1", "0.10"],
    ["0.123456789012345678"],
    ["1", "1.0", "1.00"],
    ["9"],
    ["9.9"],
    ["10", "1e1"],
    ["72.5"],
    ["72.50001"],
    ["100"],
    ["101"],
    ["1.2E+2", "120"],
    ["12e2"],
    ["1234.5678"],
    ["123456789012345678"],
    ["123456789012345679"],
    ["99999999999999999999"],
    ["6.022e23"],
    ["1e59"],
    ["1e60"],
    ["1e61"],
    ["1e400"],
    ["1e999999"],
  ]

  @Test("orders as Python's decimal does, by value and by key bytes")
  func order() throws {
    let rows = try Self.ascending.enumerated().flatMap { row, texts in
      try texts.map { (row, try #require(DecimalValue($0), "\($0)")) }
    }
    for (leftRow, left) in rows {
      for (rightRow, right) in rows {
        #expect((left < right) == (leftRow < rightRow), "\(left) \(right)")
        #expect((left == right) == (leftRow == rightRow), "\(left) \(right)")
        let (leftKey, rightKey) = (left.keyBytes(), right.keyBytes())
        #expect(leftKey.lexicographicallyPrecedes(rightKey) == (leftRow < rightRow))
        #expect((leftKey == rightKey) == (leftRow == rightRow))
        #expect(leftRow == rightRow || !rightKey.starts(with: leftKey))
      }
    }
  }

  // The ends were computed with Python's decimal; 100 and 100.00 are R4's examples.
  @Test(
    "is searched for within half a unit of its last place",
    arguments: [
      ("100", "99.5", "100.5"),
      ("100.00", "99.995", "100.005"),
      ("72.5", "72.45", "72.55"),
      ("0", "-0.5", "0.5"),
      ("0.0", "-0.05", "0.05"),
      ("-1.5", "-1.55", "-1.45"),
      ("5", "4.5", "5.5"),
      ("12e2", "1150", "1250"),
      ("0.010", "0.0095", "0.0105"),
      ("1.0E-10", "0.000000000095", "0.000000000105"),
      ("-0.005", "-0.0055", "-0.0045"),
      ("99.95", "99.945", "99.955"),
      ("123456789012345678", "123456789012345677.5", "123456789012345678.5"),
      ("0.000123", "0.0001225", "0.0001235"),
      ("1e2", "95", "105"),  // R4 search.html, number
    ])
  func searchRange(text: String, lower: String, upper: String) throws {
    let range = try #require(DecimalValue(search: text)).searchRange
    #expect(range.lowerBound == DecimalValue(lower))
    #expect(range.upperBound == DecimalValue(upper))
  }

  // The products were computed with Python's decimal.
  @Test(
    "is multiplied exactly",
    arguments: [
      ("1.612", "2037", "3283.644"), ("-0.5", "30", "-15"), ("-2", "-1.50", "3"), ("0", "7", "0"),
      ("99999999999", "99999999999", "9999999999800000000001"), ("1e-10", "1e12", "100"),
      ("0.00025", "4", "0.001"),
    ])
  func product(left: String, right: String, product: String) throws {
    let (left, right) = (try #require(DecimalValue(left)), try #require(DecimalValue(right)))
    #expect(left.multiplied(by: right) == DecimalValue(product))
    #expect(right.multiplied(by: left) == DecimalValue(product))
  }

  @Test("has keys that are cut at a digit, never out of order")
  func cutKeys() throws {
    let short = try #require(DecimalValue("1.23456"))
    let long = try #require(DecimalValue("1.234567"))
    #expect(short.keyBytes(digitCountMaximum: 6) == long.keyBytes(digitCountMaximum: 6))
    #expect(short.isKeyExact(digitCountMaximum: 6) && !long.isKeyExact(digitCountMaximum: 6))
  }

  @Test(
    "is refused outside the grammar of JSON's numbers",
    arguments: [
      "", "-", "+1", "01", "-01", ".5", "5.", "1e", "1e+", "0x10", "NaN", "Infinity", "1 ", " 1",
      "1,5", "1e1.5", "--1", "1e2000000000", "1e99999999999999999999",
    ])
  func refused(text: String) {
    #expect(DecimalValue(text) == nil)
  }

  @Test("of a search may have a sign and leading zeros")
  func searchGrammar() {
    #expect(DecimalValue(search: "+007.50") == DecimalValue("7.5"))
    #expect(DecimalValue(search: ".5") == nil)
  }
}
