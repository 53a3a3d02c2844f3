import Archive
import Testing

/// Tags that a reader passes over are read later.
@Suite("Tags that were left")
struct XMLTagReaderTests {
  /// Tags as exports write them, and what may be wrong with them.
  private static let tags = [
    #" a="1" b="2">"#, #" a="3" b="4"/>"#, #" a="" b="&lt;x&gt;">"#, #" a="5"/>"#, "/>", ">",
    #" b="6" a="7"/>"#, #" a="1"b="2"/>"#, #" a ="1"/>"#, #" a= "1"/>"#, #" a='1' b="2"/>"#,
    #" a="it's" b="x>y"/>"#, #" a="no &thing; &#7; &#x41;" b="&"/>"#, #" a="b=&quot;c"/>"#,
    #" x a="1"/>"#, #" a="1" x>"#, #" a="1" / >"#, #" ?a="1"?>"#, #" a=="1"/>"#, #" ="1"/>"#,
    #" a="open <b x="1"/>"#, #" a"b>c" d="e">"#, #" a"="1">"#, #" a=1 b="2">"#, "\ta=\"1\"/>",
    "\n a=\"1\u{1}\n2\"\r\n b=\"\t\"/>", #" a="1" a="2" seventeen_letters="3">"#,
    #" an_attribute_of_thirty_letters="1" a="é€"/>"#, #" a="1" b="2" c="3"/>"#,
  ]

  /// Each start tag with its attributes and where it ends, each end, and what was wrong.
  private func list(_ document: [UInt8], by size: Int, leaving: Bool) throws -> [String] {
    var xml = XMLReader(ByteSource(document, chunkByteCount: size), skippingText: true)
    if leaving { xml.leaveTags(named: "Record") }
    var (tags, reader) = (XMLTagList(), XMLTagReader())
    var list: [String] = []
    while let event = try xml.next() {
      list.append("\(event) \(string(xml.name)) \(xml.byteOffset) \(xml.depth)")
      guard case .start = event else { continue }
      let tag = tags.append(&xml)
      _ = reader.read(tag, of: tags)
      if Bool.random() { reader.resolve(tag, of: tags, except: 0) }
      reader.resolve(tag, of: tags)
      #expect(!reader.isUnresolved(at: 0) && !reader.isUnresolved(at: nil))
      for place in 0..<reader.attributeCount(of: tag, in: tags) {
        let name = string(reader.attributeName(at: place, of: tag, in: tags).span)
        list.append("\(name)=\(string(reader.attributeValue(at: place, of: tag, in: tags)))")
      }
    }
    let faults = reader.faults
    list.append("\(xml.replacedByteCount + faults.replacedByteCount)")
    return list + ["\(xml.faultCount + faults.count)", "\(xml.isTruncated)"]
  }

  @Test("have the attributes, ends and faults that they have for a reader that leaves none")
  func same() throws {
    for _ in 0..<400 {
      let text = (0..<Int.random(in: 1...30)).reduce("<r>") { text, _ in
        let name = ["Record", "Record", "Record", "Records", "Rec"].randomElement() ?? ""
        return text + "<" + name + (Self.tags.randomElement() ?? "") + (Bool.random() ? " " : "")
      }
      let document = Array((text + "</r>").utf8)
      let size = Int.random(in: 1...100)
      #expect(
        try list(document, by: size, leaving: true) == list(document, by: size, leaving: false),
        "\(text) by \(size)")
    }
  }

  @Test("are of one shape if only their values differ")
  func shapes() throws {
    let text =
      #"<r><a x="1" y="2"/><a x="&lt;" y="">"# + #"<a x="1" z="2"/><a x="3" y="4"/></a></r>"#
    var xml = XMLReader(ByteSource(Array(text.utf8)), skippingText: true)
    xml.leaveTags(named: "a")
    var (tags, reader) = (XMLTagList(), XMLTagReader())
    var shapes: [Int?] = []
    while let event = try xml.next() {
      guard case .start = event, xml.isNamed("a") else { continue }
      #expect(xml.attributeCount == 0)
      shapes.append(reader.read(tags.append(&xml), of: tags))
    }
    #expect(shapes.count == 4 && shapes[0] != nil)
    #expect(shapes[1] == shapes[0] && shapes[2] != shapes[0] && shapes[3] == shapes[0])
  }
}
