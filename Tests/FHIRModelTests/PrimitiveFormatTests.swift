import FHIRModel
import Testing

/// The texts come from the regular expressions and ranges in https://hl7.org/fhir/R4/datatypes.html.
@Suite("A primitive value is taken in the formats of its type only")
struct PrimitiveFormatTests {
  private func isTaken(_ type: String, _ json: String) -> Bool {
    let text = """
      {"resourceType":"Basic","code":{"text":"x"},"extension":[{"url":"u:x","value\(type)":\(json)}]}
      """
    return (try? Resource(parsing: Array(text.utf8))) != nil
  }

  @Test(
    "taken",
    arguments: [
      ("Date", ["2020", "2020-02", "2020-02-29", "1582-10-15", "9999-12-31"]),
      (
        "DateTime",
        [
          "2020", "2020-02", "2020-02-29", "2020-02-29T23:59:60Z", "2020-01-01T00:00:00+14:00",
          "2020-01-01T00:00:00.123456789-05:00",
        ]
      ),
      ("Instant", ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.1+01:00"]),
      ("Time", ["00:00:00", "23:59:60", "12:30:00.5"]),
      ("Id", ["a", "A-1.b", String(repeating: "x", count: 64)]),
      ("Oid", ["urn:oid:1.2.0.3", "urn:oid:2.16.840.1.113883"]),
      ("Uuid", ["urn:uuid:c757873d-ec9a-4326-a141-556f43239520"]),
      ("Code", ["a", "a b", "is-a", "<="]),
      ("Uri", ["x", "http://a/é", "urn:x:y"]),
      ("Url", ["http://a"]),
      ("Canonical", ["http://a|1.0"]),
      ("Base64Binary", ["YWJj", "YWI=", "YQ==", "YW Jj"]),
      ("String", ["a", "é😀", "a b"]),
      ("Markdown", ["# a"]),
    ])
  func takenTexts(type: String, texts: [String]) {
    for text in texts { #expect(isTaken(type, "\"\(text)\""), "\(type) \(text)") }
  }

  @Test(
    "refused",
    arguments: [
      (
        "Date",
        [
          "", "20", "2020-2", "2020-13", "2020-00", "2020-02-30", "2019-02-29", "1900-02-29",
          "2020-01-32", "2020-01-00", "2020-01-01T00:00:00Z", "0000", "2020-01-01 ", "-2020",
        ]
      ),
      (
        "DateTime",
        [
          "2020-01-01T00:00:00", "2020-01-01T24:00:00Z", "2020-01-01T00:00Z", "2020-01-01T",
          "2020-02-30T00:00:00Z", "2020-01-01T00:60:00Z", "2020-01-01T00:00:00+15:00",
          "2020-01-01T00:00:00.Z", "2020-01-01 00:00:00Z", "2020-01-01T00:00:00z",
        ]
      ),
      ("Instant", ["2020", "2020-01-01", "2020-01-01T00:00:00", "2021-02-29T00:00:00Z"]),
      ("Time", ["24:00:00", "12:30", "12:60:00", "12:30:61", "12:30:00.", "12:30:00Z", "1:30:00"]),
      ("Id", ["", "a_b", "a b", "é", "a/b", String(repeating: "x", count: 65)]),
      (
        "Oid",
        ["1.2.3", "urn:oid:3.1", "urn:oid:1", "urn:oid:1.02", "urn:oid:1..2", "urn:oid:1.2."]
      ),
      (
        "Uuid",
        [
          "c757873d-ec9a-4326-a141-556f43239520", "urn:uuid:C757873D-EC9A-4326-A141-556F43239520",
          "urn:uuid:c757873dec9a4326a141556f43239520",
          "urn:uuid:c757873d-ec9a-4326-a141-556f4323952g",
        ]
      ),
      ("Code", ["", " a", "a ", "a  b", "a\\t b"]),
      ("Uri", ["", "a b", " http://a", "a\\nb"]),
      ("Base64Binary", ["", "YWJ", "YWJj=", "Y===", "YW%j", "=YWJ", "YW=j"]),
      ("String", ["", "a\\u0000", "a\\u000bb", "\\u0008"]),
    ])
  func refusedTexts(type: String, texts: [String]) {
    for text in texts { #expect(!isTaken(type, "\"\(text)\""), "\(type) \(text)") }
  }

  @Test(
    "numbers and booleans",
    arguments: [
      (
        "Integer", ["0", "-1", "2147483647", "-2147483648"],
        ["-0", "1.0", "1e2", "2147483648", "-2147483649", "\"1\"", "true"]
      ),
      ("UnsignedInt", ["0", "2147483647"], ["-1", "2147483648", "0.5"]),
      ("PositiveInt", ["1", "2147483647"], ["0", "-1", "2147483648"]),
      (
        "Decimal", ["0", "-0.50", "1.50", "1E-245", "1e10", "0.000000000000000001"],
        ["\"1.5\"", "true"]
      ),
      ("Boolean", ["true", "false"], ["\"true\"", "1", "0"]),
    ])
  func numbers(type: String, taken: [String], refused: [String]) {
    for json in taken { #expect(isTaken(type, json), "\(type) \(json)") }
    for json in refused { #expect(!isTaken(type, json), "\(type) \(json)") }
  }

  @Test("a text of over 1024 * 1024 characters is no string", arguments: ["x", "é"])
  func longString(character: String) {
    let longest = String(repeating: character, count: 1 << 20)
    #expect(isTaken("String", "\"\(longest)\""))
    #expect(!isTaken("String", "\"\(longest)x\""))
  }
}
