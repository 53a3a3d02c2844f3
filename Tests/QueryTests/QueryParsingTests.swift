import FHIRModel
import Testing

@Suite("A query string")
struct QueryParsingTests {
  private func parameters(_ text: String) throws -> [[String]] {
    try Query(parsing: text, type: nil).parameters.map { [$0.name, $0.value] }
  }

  // Expected values: https://url.spec.whatwg.org/#urlencoded-parsing
  @Test(
    "is read as forms are",
    arguments: [
      ("", []),
      ("a=1", [["a", "1"]]),
      ("a=1&a=2", [["a", "1"], ["a", "2"]]),
      ("&&a=1&&", [["a", "1"]]),
      ("a", [["a", ""]]),
      ("a=", [["a", ""]]),
      ("a=b=c", [["a", "b=c"]]),
      ("a=x+y%20z", [["a", "x y z"]]),
      ("a=x%2By", [["a", "x+y"]]),
      ("a=1;b=2", [["a", "1;b=2"]]),
      ("code%3Anot=%c3%A9", [["code:not", "é"]]),
      ("identifier=http://x|a%5C,b%26c", [["identifier", #"http://x|a\,b&c"#]]),
    ])
  func parsing(_ text: String, _ expected: [[String]]) throws {
    #expect(try parameters(text) == expected)
  }

  @Test(
    "with a bad escape or bad UTF-8 names the parameter",
    arguments: ["date=%", "date=%4", "date=%zz", "date=%+1", "date=%ff", "date=%ed%a0%80"])
  func refusals(_ text: String) {
    #expect {
      try Query(parsing: text, type: nil)
    } throws: { error in
      guard case .invalidParameter("date", _) = error as? InteractionError else { return false }
      return true
    }
  }

  @Test("refuses a value without a name")
  func nameless() {
    #expect(throws: InteractionError.self) { try Query(parsing: "=1", type: nil) }
  }

  @Test(
    "written for a link gives the same parameters back",
    arguments: ["a+b", "a|b", #"a\,b,c"#, "a&b=c", "100%", "é 😀", "ge2024-01-01T00:00:00+02:00"])
  func roundTrip(_ value: String) throws {
    let parameters = [QueryParameter(name: "code:not", value: value)]
    let link = parameters.percentEncoded
    #expect(try Query(parsing: link[...], type: nil).parameters == parameters)
    #expect(!link.contains { $0 <= 0x20 || $0 >= 0x7F || $0 == UInt8(ascii: "|") })
  }

  @Test("writes what RFC 3986 reserves as escapes")
  func escapes() {
    let link = [QueryParameter(name: "a", value: "+|& ,")].percentEncoded
    #expect(String(decoding: link, as: UTF8.self) == "a=%2B%7C%26%20,")
  }
}
