import FHIRModel
import Testing

@Suite("A resource's text")
struct StampTests {
  static let id = LogicalID("n1")
  static let time = Instant(ticks: 0)

  static func stamped(_ text: String) throws -> String {
    let resource = try Resource(trusted: JSONDocument(parsing: Array(text.utf8)))
    let bytes = resource.stamped(
      id: try #require(id), version: VersionID(7), lastUpdated: Instant(ticks: 0))
    _ = try JSONDocument(parsing: bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  static let stamp = #""versionId":"7","lastUpdated":"1970-01-01T00:00:00.000Z""#

  @Test(
    "is stamped with id and meta, and keeps every other byte",
    arguments: [
      (
        #"{"resourceType":"Basic"}"#,
        #"{"resourceType":"Basic","id":"n1","meta":{\#(stamp)}}"#
      ),
      (
        #" { "active" : 1.50 , "resourceType" : "Patient" , "x":1}"#,
        #" { "active" : 1.50 , "resourceType" : "Patient","id":"n1","meta":{\#(stamp)} , "x":1}"#
      ),
      (
        #"{"id": "old", "resourceType":"Basic"}"#,
        #"{"id": "n1", "resourceType":"Basic","meta":{\#(stamp)}}"#
      ),
      (
        #"{"resourceType":"Basic","meta":{"tag":[1]},"id":"old"}"#,
        #"{"resourceType":"Basic","meta":{\#(stamp),"tag":[1]},"id":"n1"}"#
      ),
      (
        #"{"meta":{"lastUpdated":"1999", "source":"é", "versionId":"1"},"resourceType":"Basic"}"#,
        #"{"meta":{"lastUpdated":"1970-01-01T00:00:00.000Z", "source":"é", "versionId":"7"},"resourceType":"Basic","id":"n1"}"#
      ),
      (
        #"{"resourceType":"Basic","meta":{"versionId":"1"}}"#,
        #"{"resourceType":"Basic","id":"n1","meta":{"lastUpdated":"1970-01-01T00:00:00.000Z","versionId":"7"}}"#
      ),
    ])
  func stamping(text: String, expected: String) throws {
    #expect(try Self.stamped(text) == expected)
  }

  @Test("stamped again is only another version of the same content")
  func stampedTwice() throws {
    let text = #"{"resourceType":"Basic","meta":{"tag":[{"code":"a"}]},"code":{"text":"é\n"}}"#
    #expect(try Self.stamped(Self.stamped(text)) == Self.stamped(text))
  }

  @Test(
    "is the same content",
    arguments: [
      (#"{"resourceType":"Basic"}"#, #"{ "resourceType" : "Basic" }"#),
      (
        #"{"resourceType":"Basic","a":[{"b":1},2]}"#,
        #"{"resourceType":"Basic","a":[ {"b" : 1}, 2 ]}"#
      ),
      (
        #"{"resourceType":"Basic"}"#, #"{"resourceType":"Basic","id":"x","meta":{"versionId":"3"}}"#
      ),
      (
        #"{"resourceType":"Basic","meta":{"tag":[{"code":"a"}]},"author":{"reference":"A/1"}}"#,
        #"{"id":"1","resourceType":"Basic","meta":{"lastUpdated":"x","tag":[{"code":"a"}],"versionId":"1"},"author":{"reference":"A/1"}}"#
      ),
    ])
  func sameContent(one: String, other: String) throws {
    #expect(try Self.isSame(one, other) && Self.isSame(other, one))
  }

  @Test(
    "is other content",
    arguments: [
      (#"{"resourceType":"Basic","a":1.5}"#, #"{"resourceType":"Basic","a":1.50}"#),
      (#"{"resourceType":"Basic","a":"é"}"#, #"{"resourceType":"Basic","a":"\u00e9"}"#),
      (#"{"resourceType":"Basic","a":1,"b":2}"#, #"{"resourceType":"Basic","b":2,"a":1}"#),
      (#"{"resourceType":"Basic","a":[1]}"#, #"{"resourceType":"Basic","a":[1,2]}"#),
      (
        #"{"resourceType":"Basic","a":{"b":1,"c":2}}"#,
        #"{"resourceType":"Basic","a":{"b":1},"c":2}"#
      ),
      (#"{"resourceType":"Basic","a":1}"#, #"{"resourceType":"Basic","b":1}"#),
      (#"{"resourceType":"Basic","a":[[1],2]}"#, #"{"resourceType":"Basic","a":[[1,2]]}"#),
      (#"{"resourceType":"Basic","a":"1"}"#, #"{"resourceType":"Basic","a":1}"#),
      (#"{"resourceType":"Basic","a":{"id":"1"}}"#, #"{"resourceType":"Basic","a":{"id":"2"}}"#),
      (#"{"resourceType":"Basic"}"#, #"{"resourceType":"Basic","meta":{"source":"x"}}"#),
      (#"{"resourceType":"Basic"}"#, #"{"resourceType":"Basic","language":"x"}"#),
    ])
  func otherContent(one: String, other: String) throws {
    #expect(try !Self.isSame(one, other) && !Self.isSame(other, one))
  }

  static func isSame(_ one: String, _ other: String) throws -> Bool {
    try Resource(trusted: JSONDocument(parsing: Array(one.utf8))).hasSameContent(
      as: Resource(trusted: JSONDocument(parsing: Array(other.utf8))))
  }
}
