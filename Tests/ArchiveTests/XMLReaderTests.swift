import Archive
import Testing

/// What a reader gave, written down, and what it says of the document in the end.
struct Reading {
  /// `<name a=[v]` for a start, `>name` for an end, and text as it is.
  var list: [String] = []
  var isTruncated = false
  var byteOffset = 0
  var replacedByteCount = 0
  var faultCount = 0

  init(_ bytes: [UInt8], chunkByteCount: Int = 4096, skippingText: Bool = false) throws {
    try self.init(ByteSource(bytes, chunkByteCount: chunkByteCount), skippingText: skippingText)
  }

  init(_ source: ByteSource, skippingText: Bool = false) throws {
    var reader = XMLReader(source, skippingText: skippingText)
    var text: [UInt8] = []
    while let event = try reader.next() {
      if event != .text, !text.isEmpty {
        list.append(String(decoding: text, as: UTF8.self))
        text = []
      }
      switch event {
      case .start: list.append(line(reader))
      case .end: list.append(">" + string(reader.name))
      case .text: for index in reader.text.indices { text.append(reader.text[index]) }
      }
    }
    isTruncated = reader.isTruncated
    byteOffset = reader.byteOffset
    replacedByteCount = reader.replacedByteCount
    faultCount = reader.faultCount
  }

  private func line(_ reader: borrowing XMLReader) -> String {
    var line = "<" + string(reader.name)
    for position in 0..<reader.attributeCount {
      line += " " + string(reader.attributeName(at: position))
      line += "=[" + string(reader.attributeValue(at: position)) + "]"
    }
    return line
  }
}

func string(_ bytes: Span<UInt8>) -> String {
  var array: [UInt8] = []
  for index in bytes.indices { array.append(bytes[index]) }
  return String(decoding: array, as: UTF8.self)
}

@Suite("XML reader")
struct XMLReaderTests {
  /// The events of `text`, the same in chunks of every size.
  func list(_ text: String, skippingText: Bool = false) throws -> [String] {
    let whole = try Reading(Array(text.utf8), skippingText: skippingText).list
    for count in [1, 2, 3, 7, 16, 61] {
      let parts = try Reading(
        Array(text.utf8), chunkByteCount: count, skippingText: skippingText)
      #expect(parts.list == whole, "in chunks of \(count)")
    }
    return whole
  }

  @Test("elements, attributes and text come in the document's order")
  func order() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <a x="1" y = '2'><b/>one<c z="">two</c ></a>
      """
    #expect(
      try list(text) == ["<a x=[1] y=[2]", "<b", ">b", "one", "<c z=[]", "two", ">c", ">a"])
    #expect(
      try list(text, skippingText: true)
        == ["<a x=[1] y=[2]", "<b", ">b", "<c z=[]", ">c", ">a"])
  }

  @Test("a byte is found wherever it stands")
  func firstByte() {
    for count in 0..<40 {
      let bytes = [UInt8](repeating: 0x3d, count: count)
      #expect(bytes.span.firstPosition(of: 0x3e) == count)
      for position in 0..<count {
        var bytes = bytes
        for place in position..<count { bytes[place] = 0x3e }
        #expect(bytes.span.firstPosition(of: 0x3e) == position)
      }
    }
  }

  @Test("references and line ends mean what XML 1.0 says")
  func references() throws {
    #expect(
      try list("<a x='&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;\t\r\n.&#10;'>&#x20AC;\r\n&amp;\r</a>")
        == ["<a x=[<>&\"'A😀  .\n]", "€\n&\n", ">a"])
  }

  @Test("entities of the document type are not expanded")
  func noExpansion() throws {
    let text = "<!DOCTYPE a [<!ENTITY e 'boom'>]><a x='&e;&e'>&e; &#0; &#xFFFF; &;</a>"
    #expect(
      try list(text) == ["<a x=[&e;&e]", "&e; \u{fffd} \u{fffd} &;", ">a"])
  }

  @Test("CDATA, comments and instructions")
  func sections() throws {
    #expect(
      try list("<a><![CDATA[<b>&amp;]]]]><![CDATA[>\r\n]]><!-- <c> - --><?p <d>?>e</a>")
        == ["<a", "<b>&amp;]]>\ne", ">a"])
  }

  @Test(
    "a document type is passed over, whatever is broken in it",
    arguments: [
      "<!DOCTYPE a>", "<!DOCTYPE a SYSTEM 'b>c'>", "<!DOCTYPE a [ ]>",
      "<!DOCTYPE a [<!-- ' <b> ]> --><!ATTLIST a b CDATA #REQUIRED>]\n >",
      "<!DOCTYPE a [<!ATTLIST a\n b CDATA #REQUIRED\n<!ELEMENT c EMPTY>\n]>",
      "<!DOCTYPE a [<!ELEMENT c EMPTY>> <!ELEMENT < d EMPTY>\n]>",
      "<!DOCTYPE a [<!ELEMENT c EMPTY>\n", "<!DOCTYPE a [<!ENTITY d ']>'>]>",
    ])
  func documentTypes(_ type: String) throws {
    #expect(try list(type + "\n<a>b</a>") == ["<a", "b", ">a"])
  }

  @Test("a document that ends too early gives what was complete")
  func truncation() throws {
    let text = Array("<a><b x='1'/><c>d</c><b x='2".utf8)
    let reading = try Reading(text)
    #expect(reading.list == ["<a", "<b x=[1]", ">b", "<c", "d", ">c"])
    #expect(reading.isTruncated)
    #expect(reading.byteOffset == text.count)
    #expect(try Reading([]).isTruncated)
    #expect(try Reading(Array("<a/>".utf8)).isTruncated == false)
    #expect(try Reading(Array("<a></a><!--".utf8)).isTruncated)
  }

  @Test("bytes that are no text are replaced and counted, and offsets stay the document's")
  func repair() throws {
    let text =
      Array("<a x='".utf8) + [0x0b, 0xff, 0xe2, 0x82, 0x27, 0x3e] + Array("\u{ffff}</a><b/>".utf8)
    for count in [1, 2, 3, 4096] {
      let reading = try Reading(text, chunkByteCount: count)
      #expect(
        reading.list == ["<a x=[\u{fffd}\u{fffd}\u{fffd}]", "\u{fffd}", ">a", "<b", ">b"],
        "in chunks of \(count)")
      #expect(reading.replacedByteCount == 7)
      #expect(reading.byteOffset == text.count)
    }
  }

  @Test("a broken tag costs itself, not what follows")
  func brokenTags() throws {
    #expect(
      try list("<a><b x='1><b x='2'/>< 3 <b y x='4' 5'/></c><d><e></d></a>")
        == ["<a", "<b x=[2]", ">b", " 3 ", "<b x=[4]", ">b", "<d", "<e", ">e", ">d", ">a"])
  }

  @Test("other encodings and too much depth are refused by name")
  func refusals() throws {
    let declared = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a/>".utf8)
    #expect(throws: ArchiveError.unsupportedEncoding("ISO-8859-1")) { try Reading(declared) }
    #expect(throws: ArchiveError.self) { try Reading([0xff, 0xfe, 0x3c, 0]) }
    let deep = Array(String(repeating: "<a>", count: 1001).utf8)
    #expect(throws: ArchiveError.self) { try Reading(deep) }
  }

  @Test("documents with real exports' faults give every element that is complete")
  func documents() throws {
    let rows = try Fixture.rows("documents.tsv")
    #expect(rows.count == 8)
    for row in rows {
      let reading = try Reading(try ByteSource(path: Fixture.path(row[0])), skippingText: true)
      #expect(reading.list.filter { $0.hasPrefix("<") }.count == Int(row[1]), "\(row)")
      #expect(reading.replacedByteCount == Int(row[2]), "\(row)")
      #expect(reading.isTruncated == (row[3] == "truncated"), "\(row)")
    }
  }
}
