import FHIRModel
import Testing

/// - SeeAlso: https://hl7.org/fhir/R4/datatypes.html#id
@Suite("ids")
struct LogicalIDTests {
  @Test(
    "an id is what it was, to the letter",
    arguments: [
      "1", "synthetic-1", "01a22b8f-4451-7cae-b3ff-0c8e6ae5f93e",
      "ffffffff-ffff-ffff-ffff-ffffffffffff", "00000000-0000-0000-0000-000000000000",
      "01A22B8F-4451-7CAE-B3FF-0C8E6AE5F93E", "01a22b8f44517caeb3ff0c8e6ae5f93e",
      "01a22b8f-4451-7cae-b3ff-0c8e6ae5f93g", "01a22b8f.4451-7cae-b3ff-0c8e6ae5f93e",
      String(repeating: "a", count: 64),
    ])
  func keptToTheLetter(text: String) throws {
    let id = try #require(LogicalID(text))
    #expect(id.text == text)
    #expect(id.byteCount == text.utf8.count)
    var bytes: [UInt8] = []
    id.append(to: &bytes)
    #expect(bytes == Array(text.utf8))
    #expect(LogicalID(bytes[...]) == id)
  }

  @Test("upper and lower case are different ids")
  func cased() {
    #expect(
      LogicalID("01a22b8f-4451-7cae-b3ff-0c8e6ae5f93e")
        != LogicalID("01A22B8F-4451-7CAE-B3FF-0C8E6AE5F93E"))
  }

  @Test(
    "what isn't an id is none",
    arguments: ["", "a_b", "a/b", "ä", "a b", String(repeating: "a", count: 65)])
  func refused(text: String) {
    #expect(LogicalID(text) == nil)
  }

  @Test("a UUID stands as its 128 bits, from the left")
  func halves() throws {
    let id = try #require(LogicalID("01a22b8f-4451-7cae-b3ff-0c8e6ae5f93e"))
    let halves = try #require(id.uuid)
    #expect(halves == (0x01a2_2b8f_4451_7cae, 0xb3ff_0c8e_6ae5_f93e))
    #expect(LogicalID(uuid: halves.high, halves.low) == id)
    #expect(LogicalID("1")?.uuid == nil)
  }
}
