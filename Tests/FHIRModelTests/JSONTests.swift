import FHIRModel
import Testing

@Suite("JSON is read to the letter, and refused where FHIR's rules say so")
struct JSONTests {
  @Test("values are found and keep their spelling")
  func values() throws {
    let document = try JSONDocument(
      parsing: Array(
        #"{"a":[1.50,-0,1E-245,true,null,"x\u00e9\n\ud83d\ude00é"],"b\u0063":{"d":"e"}}"#.utf8))
    let numbers = try #require(document.root["a"]).elements.map(\.numberText)
    #expect(numbers == ["1.50", "-0", "1E-245", nil, nil, nil])
    #expect(document.root["a"]?.elements.map(\.string).last == "xé\n😀é")
    #expect(document.root["bc"]?["d"]?.string == "e")
    #expect(document.root.members.map(\.name) == ["a", "bc"])
    #expect(document.root["missing"] == nil)
  }

  @Test(
    "what is not JSON, or not FHIR's, is refused at its place",
    arguments: [
      (#"{"a":1,"a":2}"#, 7, JSONError.Reason.duplicateName("a")),
      (#"{"ab":1,"a\u0062":2}"#, 8, .duplicateName("ab")),
      (#"{"a":[1,]}"#, 8, .unexpectedByte(UInt8(ascii: "]"))),
      (#"{"a":1,}"#, 7, .unexpectedByte(UInt8(ascii: "}"))),
      (#"{"a":01}"#, 6, .unexpectedByte(UInt8(ascii: "1"))),
      (#"{"a":1.}"#, 7, .invalidNumber),
      (#"{"a":+1}"#, 5, .unexpectedByte(UInt8(ascii: "+"))),
      (#"{"a":NaN}"#, 5, .unexpectedByte(UInt8(ascii: "N"))),
      (#"{"a":"\ud800"}"#, 6, .loneSurrogate),
      (#"{"a":"\udc00x"}"#, 6, .loneSurrogate),
      (#"{"a":"\x"}"#, 6, .invalidEscape),
      (#"{"a":"b"#, 7, .unexpectedEnd),
      (#"{"a":1} x"#, 8, .textAfterTheValue),
      ("{\"a\":\"\u{01}\"}", 6, .controlCharacter),
    ])
  func refusals(text: String, offset: Int, reason: JSONError.Reason) {
    #expect(throws: JSONError(offset: offset, reason: reason)) {
      try JSONDocument(parsing: Array(text.utf8))
    }
  }

  @Test(
    "ill-formed UTF-8 is refused",
    arguments: [
      [0x80], [0xc0, 0xaf], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80],
      [0xc3], [0xf0, 0x9f, 0x98],
    ] as [[UInt8]])
  func illFormedText(bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    #expect(throws: JSONError(offset: 1, reason: .invalidUTF8)) {
      try JSONDocument(parsing: [quote] + bytes + [quote, 0x20, 0x20, 0x20])
    }
  }

  @Test("nesting is bounded")
  func depth() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array(
        (String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)).utf8)
    }
    _ = try JSONDocument(parsing: nested(128))
    #expect(throws: JSONError(offset: 128, reason: .tooDeep(limit: 128))) {
      try JSONDocument(parsing: nested(129))
    }
  }

  @Test("a repeated name is found among many")
  func manyNames() throws {
    let names = (0..<20_000).map { "\"name\($0)\":\($0)" }.joined(separator: ",")
    _ = try JSONDocument(parsing: Array("{\(names)}".utf8))
    #expect(throws: JSONError.self) {
      try JSONDocument(parsing: Array("{\(names),\"name77\":1}".utf8))
    }
  }

  @Test("what is written can be read again")
  func writer() throws {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("text", "a\"\\\n\u{01}é")
      writer.member("list", array: { $0.raw(Array("1.50".utf8)) })
    }
    let document = try JSONDocument(parsing: writer.bytes)
    #expect(document.root["text"]?.string == "a\"\\\n\u{01}é")
    #expect(document.root["list"]?.elements.map(\.numberText) == ["1.50"])
  }

  @Test(
    "a fault has a line, a column and a path",
    arguments: [
      (
        "{\"a\": 1,\n \"component\": [{}, {\"code\": {\"text\": 01}}]}", 2, 39,
        "component[1].code.text"
      ),
      ("{\"a\":{\"b\":[1,2]},\"c\":[[],[1 2]]}", 1, 29, "c[1][0]"),
      ("{\"a\":{\"b\":1}\n,\"c\"}", 2, 5, "c"),
      ("{\"a\":1}x", 1, 8, ""),
      ("", 1, 1, ""),
    ])
  func places(text: String, line: Int, column: Int, path: String) throws {
    let bytes = Array(text.utf8)
    let error = try #require(throws: JSONError.self) { try JSONDocument(parsing: bytes) }
    #expect(error.place(in: bytes) == (line, column))
    #expect(error.path(in: bytes) == path)
  }
}
